// Statements on the table egress_rule (schema.sql).
#pragma once

namespace residue::storage::sql {

// dataset, host
inline constexpr char kDeleteEgressRule[] = "DELETE FROM egress_rule WHERE dataset_id = ?1 AND host = ?2";

// dataset's name, host
inline constexpr char kEgressRuleExists[] =
    "SELECT 1 FROM egress_rule e JOIN dataset d ON d.id = e.dataset_id WHERE d.name = ?1 AND e.host = ?2";

// -> dataset's name, host, in this order
inline constexpr char kEgressRulesByName[] =
    "SELECT d.name, e.host FROM egress_rule e JOIN dataset d ON d.id = e.dataset_id ORDER BY d.name, e.host";

// dataset, host; does nothing where it is there
inline constexpr char kInsertEgressRule[] = "INSERT OR IGNORE INTO egress_rule (dataset_id, host) VALUES (?1, ?2)";

}  // namespace residue::storage::sql
