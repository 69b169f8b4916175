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


def functions(lines):
    """The name of every function with its instructions."""
    name, body = None, []
    for line in lines:
        head = HEAD.match(line)
        if not head:
            body.append(line)
            continue
        if name:
            yield name, body
        name, body = head.group(1), []
    if name:
        yield name, body


def left_in_use(lines):
    return [
        name
        for name, body in functions(lines)
        if any(WIDE.search(line) for line in body) and not any("vzeroupper" in line for line in body)
    ]


if __name__ == "__main__":
    listing = subprocess.run(
        ["objdump", "-dC", "--no-show-raw-insn", sys.argv[1]], check=True, capture_output=True, text=True
    )
    names = left_in_use(listing.stdout.splitlines())
    for name in names:
        print(f"upper halves of registers are left in use by {name}", file=sys.stderr)
    sys.exit(1 if names else 0)
