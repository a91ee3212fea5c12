// What people found and said, as data of a page: how many, how often, how sure; no name of theirs is in it.
#pragma once

#include "base/json.h"
#include "page/release/page_request.h"
#include "verbs/release/release.h"

namespace residue::page {

// Of the judge: how far people agree with it, and leak rates corrected by their labels.
Json judge_facts(const verbs::Release& release);

// Of intruder tests, one for each of `release.runs`.
Json intruder_facts(const verbs::Release& release);

// What these say put back, as far as a page shows it. `release.runs` and its report are there. Throws JsonError for what judge_facts()
// and intruder_facts() do not write.
void put_judge(verbs::Release& release, const Json& facts, const PageRequest& request);
void put_intruder(verbs::Release& release, const Json& facts);

}  // namespace residue::page
