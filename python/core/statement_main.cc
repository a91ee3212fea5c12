// The program that one statement of SQL runs in, beside a Python process.
#include "query/sql/sql_program.h"

int main() { return residue::query::sql_program(); }
