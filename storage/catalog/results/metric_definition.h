// Statements on the table metric_definition (schema.sql).
#pragma once

namespace residue::storage::sql {

// all of them
inline constexpr char kDeleteMetricDefinitions[] = "DELETE FROM metric_definition";

// all columns in the order of the table
inline constexpr char kInsertMetricDefinition[] =
    "INSERT INTO metric_definition VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

inline constexpr char kMetricDefinitionCount[] = "SELECT count(*) FROM metric_definition";

// all columns in the order of the table: this one, with nothing different
inline constexpr char kMetricDefinitionExists[] =
    "SELECT 1 FROM metric_definition WHERE id = ?1 AND name = ?2 AND direction = ?3 AND low IS ?4 AND high IS ?5 AND "
    "source = ?6 AND unit = ?7 AND optional = ?8";

}  // namespace residue::storage::sql
