"""Every header compiles alone, and all of them together: nothing is defined twice, nothing is missing.

Usage: check_headers.py COMPILER SOURCE_DIR [FLAG ...]
One translation unit includes all installed headers (cli, experiments and studio are not installed); a second one includes them
in the opposite order, so that a header that leans on what came before it is found out.
"""
import pathlib
import subprocess
import sys
import tempfile

compiler, source, *flags = sys.argv[1:]
root = pathlib.Path(source)
headers = sorted(str(path.relative_to(root)) for path in (root / "surefield").rglob("*.hpp")
                 if path.relative_to(root).parts[1] not in ("cli", "experiments", "studio"))
missing = [h for h in headers if "#pragma once" not in (root / h).read_text()]
if missing:
    sys.exit("no #pragma once: " + ", ".join(missing))
with tempfile.TemporaryDirectory() as folder:
    for name, order in (("forward", headers), ("backward", headers[::-1])):
        unit = pathlib.Path(folder) / f"{name}.cpp"
        unit.write_text("".join(f'#include "{header}"\n' for header in order) + "int main() {}\n")
        command = [compiler, "-std=c++20", "-fsyntax-only", "-I", source, *flags, str(unit)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{name}: {done.stderr[:4000]}")
print(f"{len(headers)} headers, in either order")
