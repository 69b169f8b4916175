"""Every header compiles alone, and all of them together: nothing is defined twice, nothing is missing.

Usage: check_headers.py [--alone] COMPILER SOURCE_DIR [FLAG ...]
One translation unit includes all installed headers (cli, experiments and studio are not installed); a second one includes them
in the opposite order, so that most headers that lean on what came before them are found out. With --alone each has a unit of its own,
which finds all of them and takes minutes (make headers).
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

arguments = sys.argv[1:]
alone = arguments[:1] == ["--alone"]
compiler, source, *flags = arguments[alone:]
root = pathlib.Path(source)
headers = sorted(str(path.relative_to(root)) for path in (root / "surefield").rglob("*.hpp")
                 if path.relative_to(root).parts[1] not in ("cli", "experiments", "studio"))
missing = [h for h in headers if "#pragma once" not in (root / h).read_text()]
if missing:
    sys.exit("no #pragma once: " + ", ".join(missing))
units = {header: [header] for header in headers} if alone else {"forward": headers, "backward": headers[::-1]}


def errors_of(name):
    text = "".join(f'#include "{header}"\n' for header in units[name]) + "int main() {}\n"
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as unit:
        unit.write(text)
        unit.flush()
        command = [compiler, "-std=c++20", "-fsyntax-only", "-I", source, *flags, unit.name]
        done = subprocess.run(command, capture_output=True, text=True)
    return f"{name}: {done.stderr[:4000]}" if done.returncode != 0 else None


with concurrent.futures.ThreadPoolExecutor(os.cpu_count() if alone else 1) as pool:
    bad = [errors for errors in pool.map(errors_of, units) if errors]
if bad:
    sys.exit("\n".join(bad))
print(f"{len(headers)} headers, {'each alone' if alone else 'in either order'}")
