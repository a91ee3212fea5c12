#include "query/export/export_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace residue::query {
namespace {

std::string described(const ExportColumn& column) {
  std::string text = column.name;
  switch (column.type) {
    case ParquetType::kInt64:
      text += ":int64";
      break;
    case ParquetType::kDouble:
      text += ":double";
      break;
    case ParquetType::kBoolean:
      text += ":boolean";
      break;
    case ParquetType::kUtf8:
      break;
  }
  if (column.text == ExportColumn::Text::kOfRelease) text += " (of a run)";
  if (column.level != ReadLevel::kReleased) text += " (" + std::string(name_of(column.level)) + ")";
  return text;
}

// Whoever reads exports relies on names, types and levels: columns may be added behind these, nothing else may change.
TEST(ExportTable, KeepsItsContract) {
  struct Case {
    const char* table;
    std::vector<std::string> columns;
  };
  const std::vector<Case> cases = {
      {"runs",
       {"dataset", "run", "kind", "sanitizer", "params", "seed:int64", "group", "removes_everything:boolean",
        "variants:int64", "failed:int64", "created_at:int64"}},
      {"records",
       {"dataset", "record", "person", "label", "record_text (originals)", "task_text (originals)",
        "meta_text (originals)"}},
      {"variants", {"dataset", "run", "record", "key", "error", "variant_text (of a run)", "record_text (originals)"}},
      {"claims", {"dataset", "claim_set", "record", "n:int64", "category", "claim_text (claims)"}},
      {"links",
       {"dataset", "run", "protocol", "sample:int64", "record", "linked", "outcome", "tied:int64", "rank:int64",
        "query_text (claims)", "linked_text (of a run)"}},
      {"judgments",
       {"dataset", "run", "protocol", "sample:int64", "judge", "record", "n:int64", "rating:int64", "known:boolean",
        "outcome", "counts:boolean", "category", "claim_text (claims)", "linked_text (of a run)"}},
      {"leaks",
       {"dataset", "run", "protocol", "sample:int64", "judge", "record", "n:int64", "rating:int64", "outcome",
        "category", "claim_text (claims)", "linked_text (of a run)"}},
      {"scores",
       {"dataset", "run", "protocol", "sample:int64", "judge", "model", "record", "metric", "state", "outcome",
        "value:double", "weight:double", "slice"}},
      {"metrics",
       {"dataset",
        "run",
        "protocol",
        "sample:int64",
        "judge",
        "model",
        "metric",
        "slice",
        "value:double",
        "low:double",
        "high:double",
        "n:int64",
        "failed:int64",
        "missing:int64",
        "not_applicable:int64",
        "if_leaked:double",
        "if_private:double",
        "drop_value:double",
        "drop_low:double",
        "drop_high:double",
        "units:double",
        "drop_units:double",
        "direction",
        "coverage:double"}},
      {"labels", {"dataset", "kind", "record", "run", "annotator (claims)", "label_text (claims)"}},
      {"answers", {"dataset", "run", "model", "task", "record", "answer_text (claims)"}},
  };
  EXPECT_EQ(kExportSchemaVersion, 1);
  ASSERT_GE(export_tables().size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ExportTable& table = export_tables()[i];
    SCOPED_TRACE(cases[i].table);
    EXPECT_STREQ(table.name, cases[i].table);
    ASSERT_GE(table.columns.size(), cases[i].columns.size());
    for (std::size_t n = 0; n < cases[i].columns.size(); ++n) {
      EXPECT_EQ(described(table.columns[n]), cases[i].columns[n]);
    }
  }
}

// What people said is left out where people are not read.
TEST(ExportTable, AttemptsAtReleasedAreTheirTargetsAlone) {
  std::string names;
  for (const ExportColumn* column : columns_at(export_table("intruder"), ReadLevel::kReleased, true)) {
    names += std::string(column->name) + " ";
  }
  EXPECT_EQ(names, "dataset run protocol sample record stratum drawn_at ");
  EXPECT_EQ(columns_at(export_table("intruder"), ReadLevel::kClaims, true).size(), 17U);
}

// An export reads each column with texts at the level that query/sql/levels/readable.h gives it.
TEST(ExportTable, HasTheLevelsOfTheCatalog) {
  struct Case {
    const char *column, *table, *of;
  };
  for (const Case& one : {Case{"record_text", "record", "text_id"}, Case{"task_text", "record", "task_id"},
                          Case{"meta_text", "record", "meta_id"}, Case{"claim_text", "claim", "text_id"},
                          Case{"query_text", "auxiliary_query", "text_id"}, Case{"label_text", "label", "payload_id"},
                          Case{"answer_text", "task_answer", "answer_id"}}) {
    SCOPED_TRACE(one.column);
    int compared = 0;
    for (const ExportTable& table : export_tables()) {
      for (const ExportColumn& column : table.columns) {
        if (std::string(column.name) != one.column) continue;
        for (const ReadColumn& said : text_columns()) {
          if (said.table == one.table && said.column == one.of) {
            EXPECT_EQ(column.level, said.level);
            ++compared;
          }
        }
      }
    }
    EXPECT_GE(compared, 1);
  }
}

}  // namespace
}  // namespace residue::query
