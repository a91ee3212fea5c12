// How far people have confirmed a judge: said wherever its numbers are shown.
#pragma once

#include <string>

#include "query/judge/judge.h"
#include "storage/store.h"

namespace residue::query {

// "on 1070 labels of WiCE test that it never saw (Spearman 0.50 [0.42, 0.58], 18 % of supported claims called
// unsupported)", or "never".
std::string validation_text(const Judge& judge);

// Of a judge as the store knows it, for numbers about `dataset`: "not validated on this dataset; elsewhere on ...", or
// how many of the dataset's labels can be held against it.
std::string validation_on(storage::Db& db, JudgeId judge, DatasetId dataset);

}  // namespace residue::query
