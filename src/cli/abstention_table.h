// report --table abstention: how often an attacker is right who only speaks where he is sure.
#pragma once

#include <string>

#include "cli/command.h"
#include "query/abstention.h"
#include "storage/store.h"

namespace residue::cli {

int print_abstention(Context& context, storage::Store& store, const std::string& dataset, const std::string& protocol,
                     const std::string& judge, query::MissingPolicy missing);

}  // namespace residue::cli
