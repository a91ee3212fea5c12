#!/usr/bin/env python3
"""How large the page of a release is, and how long a browser takes to draw it and to compute it again.

python3 bench/page_bench.py PROGRAM MEDQA: MEDQA is MediQ's file with facts (1,272 records). Makes ten runs (eight of the
program's own sanitizers and both controls) in a temporary store, the page of them, and opens it in Chromium three times.
Prints the size, the milliseconds of charts and proof as the page measures them (performance.measure), and what it says.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/browser"))
import browser

ROUNDS = 3
MEASURES = "return performance.getEntriesByType('measure').map((one) => [one.name, one.duration])"
PAINT = "return performance.getEntriesByType('paint').map((one) => [one.name, one.startTime])"


def main():
    program, medqa = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="residue-page-bench-") as folder:
        def run(*words):
            begun = time.monotonic()
            subprocess.run([program, "-q", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            return time.monotonic() - begun

        run("init")
        run("ingest", "dataset", "medqa", "--preset", "mediq", medqa)
        run("sanitize", "medqa", "--with", "scrub", "--run", "scrub")
        for tenth in range(1, 8):
            run("sanitize", "medqa", "--with", "random-mask", "--param", f"rate=0.{tenth}", "--run", f"mask-0.{tenth}")
        run("eval", "medqa", "--protocol", "bm25/random:3")
        made = run("report", "medqa", "--html", "page.html")
        page = os.path.join(folder, "page.html")
        print(f"page: {os.path.getsize(page):,} bytes, made in {made:.2f} s")
        for _ in range(ROUNDS):
            driver = browser.opened()
            try:
                driver.get("file://" + page)
                while len(driver.execute_script(MEASURES)) < 2:
                    time.sleep(0.05)
                times = dict(driver.execute_script(MEASURES))
                paint = dict(driver.execute_script(PAINT))
                words = driver.find_element("id", "proof-result").text
                print(f"first paint {paint.get('first-contentful-paint', 0):.0f} ms, charts {times['charts']:.0f} ms, "
                      f"proof {times['proof']:.0f} ms; load {os.getloadavg()[0]:.1f}; {words[:70]}")
            finally:
                driver.quit()


if __name__ == "__main__":
    browser.require()
    main()
