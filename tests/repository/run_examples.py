"""Runs what the documents show: every command of a ```sh block, in order, and every native JSON model, through the program.

usage: run_examples.py PROGRAM ROOT
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What is shown with mpirun is run where surefield-mpi was built, on however few cores.
OVER_RANKS = (pathlib.Path(sys.argv[1]).resolve().parent / "surefield-mpi").exists()
RANKS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run(command, folder, environment):
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    return "" if done.returncode == 0 else f"exit {done.returncode}\n{done.stderr}"


def examples(page):
    """(language, text) of the blocks that can be run: shell commands of the program, and native models."""
    for language, text in BLOCK.findall(page.read_text()):
        if language == "sh" and "surefield " in text:
            for line in text.strip().splitlines():
                if line.startswith("surefield ") or (line.startswith("mpirun ") and OVER_RANKS):
                    yield "command", line
        elif language == "cpp" and "int main" in text:
            yield "program", text
        elif language == "json" and '"kind"' in text and "..." not in text:
            yield "model", text


def main():
    program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    environment = dict(os.environ, **RANKS, PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    count, failed = 0, []
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        with tempfile.TemporaryDirectory() as folder:
            for kind, text in examples(page):
                count += 1
                if kind == "program":  # compiled and run as one of examples/, by a test of its own
                    if not any(text in example.read_text() for example in (root / "examples").glob("*.cpp")):
                        failed.append(f"{page.relative_to(root)}: the C++ shown is none of examples/")
                    continue
                if kind == "model":
                    (pathlib.Path(folder) / "example.json").write_text(text)
                    text = "surefield infer example.json"
                problem = run(text, folder, environment)
                if problem:
                    failed.append(f"{page.relative_to(root)}: {text}\n{problem}")
    print("\n".join(failed))
    print(f"{count} examples run, {len(failed)} failed")
    return 1 if failed or count < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
