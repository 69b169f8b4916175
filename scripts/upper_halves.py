"""Fails if a function of a program uses registers of 256 or 512 bits and never clears their upper halves.

    upper_halves.py PROGRAM

Until a vzeroupper every scalar instruction of code compiled for less, libm's exp among it, waits for the whole register: a branch
and bound lost half its time so. GCC sees to it, but forgot it where a function of a wide clone called a helper that was not inlined.
"""

import re
import subprocess
import sys

WIDE = re.compile(r"%[yz]mm(?:[0-9]|1[0-5])\b")
HEAD = re.compile(r"^[0-9a-f]+ <(.*)>:$")


def left_in_use(lines):
    """The functions, in the order of the listing, that use wide registers and clear none."""
    found, name, wide, cleared = [], None, False, False
    for line in lines:
        if line.endswith(">:"):
            if wide and not cleared:
                found.append(name)
            name, wide, cleared = HEAD.match(line).group(1), False, False
        elif "vzeroupper" in line:
            cleared = True
        elif not wide and "mm" in line:
            wide = WIDE.search(line) is not None
    if wide and not cleared:
        found.append(name)
    return found


if __name__ == "__main__":
    with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", sys.argv[1]], stdout=subprocess.PIPE, text=True) as objdump:
        names = left_in_use(line.rstrip() for line in objdump.stdout)
    if objdump.returncode != 0:
        sys.exit(f"{sys.argv[1]}: objdump cannot read it")
    if names:
        plain = subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True).stdout
        for name in plain.splitlines():
            print(f"upper halves of registers are left in use by {name}", file=sys.stderr)
    sys.exit(1 if names else 0)
