// Catalogs of this format that were made before a table got its present shape.
#pragma once

#include "storage/catalog/sqlite.h"

namespace residue::storage {

// Whether a table has still the shape that it had before, or is missing. Cost: a look at the schema.
bool needs_upgrade(Db& db);

// Makes the tables of removing for good (schema.sql) where they are missing. Within a transaction for writing; other
// statements may be under way.
void make_erasure_tables(Db& db);
bool has_erasure_tables(Db& db);

// Gives the tables their present shape, with all their rows. Within a transaction for writing, with no other statement
// under way on the connection; again it changes nothing.
void upgrade(Db& db);

}  // namespace residue::storage
