"""The extension in R: RSQLite has a SQLite of its own within itself."""
import subprocess
import unittest

import support

support.require_program("Rscript", "r-base-core")

if subprocess.run(["Rscript", "-e", "library(RSQLite)"], capture_output=True, check=False).returncode != 0:
    support.skip("no RSQLite here; it is in the package r-cran-rsqlite")

SCRIPT = """
library(RSQLite)
words <- commandArgs(trailingOnly = TRUE)
con <- dbConnect(SQLite(), ":memory:", loadable.extensions = TRUE)
invisible(dbGetQuery(con, "SELECT load_extension(?)", params = list(words[1])))
invisible(dbGetQuery(con, "SELECT residue_open(?)", params = list(words[2])))
stopifnot("leaks" %in% dbListTables(con))
rows <- dbGetQuery(con, words[3], params = list("tags"))
cat(paste(rows$run, rows$n, sep = ","), sep = "\\n")
said <- tryCatch(dbGetQuery(con, "SELECT residue_open('/nowhere')"), error = conditionMessage)
cat(said, "\\n")
dbDisconnect(con)
"""


class Rsqlite(unittest.TestCase):
    def test_opens_asks_and_closes(self):
        folder = support.make_store()
        sql = "SELECT run, count(*) AS n FROM leaks WHERE run = {} GROUP BY run"
        done = subprocess.run(["Rscript", "-e", SCRIPT, support.EXTENSION, folder, sql.format("?")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], support.answer_of(folder, sql.format("'tags'"))[0])
        self.assertIn("SELECT residue_close() closes it", lines[1])


if __name__ == "__main__":
    support.main()
