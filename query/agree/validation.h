// How far people have confirmed a judge: said wherever its numbers are shown.
#pragma once

#include <string>

#include "query/judge/judge.h"
#include "storage/store.h"

namespace residue::query {

// "on 1043 labels of WiCE dev (Spearman 0.62 [0.56, 0.67], out of fold)", or "never".
std::string validation_text(const Judge& judge);

// Of a judge as the store knows it, for numbers about `dataset`: "not validated on this dataset; elsewhere on ...", or
// how many of the dataset's labels can be held against it.
std::string validation_on(storage::Db& db, JudgeId judge, DatasetId dataset);

}  // namespace residue::query
