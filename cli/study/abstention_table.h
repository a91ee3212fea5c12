// report --table abstention: how often an attacker is right who only speaks where he is sure.
#pragma once

#include "cli/command.h"
#include "query/study/abstention.h"
#include "storage/store.h"

namespace residue::cli {

int print_abstention(Context& context, storage::Store& store, const query::AbstentionOptions& options);

}  // namespace residue::cli
