"""Folders are layers: fails on any include that goes against the order stated in ARCHITECTURE.md."""
import pathlib
import re
import sys

ALLOWED = {
    "core": set(),
    "models": {"core"},
    "objectives": {"core"},
    "algorithms": {"core"},
    "bounds": {"core", "models", "objectives", "algorithms"},
    "learn": {"core", "models", "objectives", "algorithms", "bounds"},
    "io": {"core", "models"},
    "api": {"core", "models", "objectives", "algorithms", "bounds", "learn", "io"},
    "report": {"core", "learn", "api"},
    "experiments": {"core", "learn", "api", "io", "report"},
    "studio": {"core", "models", "api", "io", "report"},
    "cli": {"core", "api", "io", "report", "experiments", "studio"},
    "distributed": {"core", "models", "objectives", "algorithms", "bounds", "io", "api"},
    "mpi": {"cli", "distributed"},
}
INCLUDE = re.compile(r'^\s*#include\s+"surefield/(\w+)/', re.MULTILINE)


def offences(root):
    for path in sorted(root.rglob("*.?pp")):
        parts = path.relative_to(root).parts
        if len(parts) == 1:  # surefield.hpp, the stable headers in one
            continue
        layer = parts[0]
        if layer not in ALLOWED:
            yield f"{path}: {layer} is not a layer; known are {', '.join(ALLOWED)}"
            continue
        for used in INCLUDE.findall(path.read_text()):
            if used != layer and used not in ALLOWED[layer]:
                yield f"{path}: {layer} must not include {used}"


if __name__ == "__main__":
    found = list(offences(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "every include goes down the layers")
    sys.exit(1 if found else 0)
