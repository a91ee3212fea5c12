"""check.py SCHEMA KIND < LINES: every line has to be what the interface calls KIND. Prints no text of a line."""
import json
import sys

try:
    import jsonschema
except ImportError:
    print("SKIPPED: python3-jsonschema is not installed (scripts/deps test)")
    sys.exit(77)

schema = json.load(open(sys.argv[1]))
schema["$ref"] = "#/definitions/" + sys.argv[2]
validator = jsonschema.Draft7Validator(schema)
count = bad = 0
for number, line in enumerate(sys.stdin, 1):
    count += 1
    for error in validator.iter_errors(json.loads(line)):
        bad += 1
        where = "/".join(str(part) for part in error.absolute_path)
        print(f"line {number}: {sys.argv[2]}: {where or 'the whole'}: against {'/'.join(map(str, error.schema_path))}")
if count == 0:
    print(f"no {sys.argv[2]} to look at")
    sys.exit(1)
print(f"{sys.argv[2]}: {count} lines, {bad} errors")
sys.exit(1 if bad else 0)
