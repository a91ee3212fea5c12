// How far people have confirmed a judge: said wherever its numbers are shown.
#pragma once

#include <string>

#include "query/judge/judge.h"
#include "storage/store.h"

namespace residue::query {

// "on labels that it never saw (Spearman 0.43 [0.38, 0.49] on 953 of QAGS; 11 % of supported claims called unsupported
// on 1070 of WiCE test)", the worst of each among texts of its own kind; or "never".
std::string validation_text(const Judge& judge);

// Of a judge as the store knows it, for numbers about `dataset`: "not validated on this dataset; elsewhere on ...", or
// how many of the dataset's labels can be held against it.
std::string validation_on(storage::Db& db, JudgeId judge, DatasetId dataset);

}  // namespace residue::query
