// The schema of a strict answer, as it is sent: who decodes by a schema writes an object's fields in the schema's
// order, so a reason has to stand before the verdict that it leads to.
#pragma once

#include "base/json.h"

namespace residue::model {

// The fields of objects (under "properties") as they were named; all that only describes them in byte order, which
// means nothing to anybody and makes equal schemas equal bytes.
Json schema_as_sent(const Json& schema);

// The same for a spec, which is canonical JSON and sorts what it holds: the bytes as a string where sorting would
// change them, else the schema itself.
Json schema_in_spec(const Json& schema);

}  // namespace residue::model
