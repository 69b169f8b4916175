"""Says how many tests of the Python package ran: `count.py FOLDER` adds up the results that pytest wrote there."""
import pathlib
import sys
import xml.etree.ElementTree

total = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
for path in pathlib.Path(sys.argv[1]).glob("*.xml"):
    for suite in xml.etree.ElementTree.parse(path).iter("testsuite"):
        for key in total:
            total[key] += int(suite.get(key, 0))
bad = total["failures"] + total["errors"]
print(f"Python: {total['tests'] - bad - total['skipped']} tests passed, {bad} failed, {total['skipped']} skipped")
sys.exit(1 if bad or total["tests"] == 0 else 0)
