"""The package as a user meets it: installed, typed, documented."""
import doctest
import importlib
import os
import pathlib
import pkgutil
import shutil
import subprocess
import sys

import pytest

import surefield as sf

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = '''
import numpy as np
import surefield as sf
from surefield.estimators import Flid

model: sf.Model = sf.Flid([1.0, 2.0, 0.5], np.ones((3, 2)), labels=["a", "b", "c"])
result: sf.InferResult = sf.infer(model, beta=2.0, include=["a"])
low, high = result.log_z
marginal: float = float(result.marginals[0])
drawn = sf.sample(model, 10, seed=1).sets
estimator = Flid(dims=1, max_iter=2, random_state=1).fit(drawn)
print(low <= high, marginal, estimator.model_.labels)
'''


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The interpreter of a fresh environment into which the package is installed without a network."""
    build = os.environ.get("SUREFIELD_BUILD")
    if not build:
        pytest.skip("SUREFIELD_BUILD names no build folder to install from")
    place = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", place], check=True)
    python = place / "bin" / "python"
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    clean.update(SUREFIELD_BUILD=build, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1", PYTHONDONTWRITEBYTECODE="1")
    source = place / "source"  # a copy: building leaves files in the folder it builds from
    shutil.copytree(ROOT / "python", source / "python")
    for name in ("pyproject.toml", "setup.py", "README.md", "CMakeLists.txt"):
        shutil.copy(ROOT / name, source)
    done = subprocess.run(
        [python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--quiet", "."], cwd=source, env=clean,
        capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr

    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([python, *map(str, arguments)], cwd=place, env=clean, capture_output=True, text=True)

    return run


def test_the_install_line_works_offline(installed) -> None:
    said = installed("-c", "import surefield; print(surefield.__file__, surefield.__version__)")
    assert said.returncode == 0, said.stderr
    path, version = said.stdout.split()
    assert "venv" in path and version == sf.__version__
    assert installed("-m", "pip", "show", "surefield").stdout.startswith("Name: surefield")


def test_a_users_script_runs_and_passes_mypy_strict(installed, tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ran = installed(script)
    assert ran.returncode == 0 and ran.stdout.startswith("True "), ran.stderr
    typed = installed("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", script)
    assert typed.returncode == 0, typed.stdout
    script.write_text(SCRIPT.replace("beta=2.0", "beta='warm'"))
    typed = installed("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", script)
    assert typed.returncode == 1 and "beta" in typed.stdout


def test_the_package_itself_passes_mypy_strict(tmp_path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "--config-file", str(ROOT / "pyproject.toml")],
        cwd=ROOT, capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_build_takes_the_first_python_that_has_numpy_and_says_so_if_there_is_none(tmp_path) -> None:
    bare = tmp_path / "bin" / "python3"  # as a python of one's own may come first on the PATH
    bare.parent.mkdir()
    bare.write_text("#!/bin/sh\nexit 1\n")
    bare.chmod(0o755)
    script = tmp_path / "find.cmake"
    script.write_text(f'include("{ROOT}/cmake/python.cmake")\nsurefield_find_python()\nmessage("found ${{SUREFIELD_PYTHON}}")\n')

    def find(*options: str) -> str:
        path = os.pathsep.join([str(bare.parent), str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(["cmake", *options, "-P", str(script)], env=os.environ | {"PATH": path}, capture_output=True, text=True)
        return " ".join((done.stdout + done.stderr).split())

    assert find().startswith("found /") and str(bare) not in find()
    said = find(f"-DSUREFIELD_PYTHON={bare}")
    assert f"needs a python3 that has NumPy, and none of these has it: {bare}" in said and "found" not in said


def modules() -> list[str]:
    return [f"surefield.{found.name}" for found in pkgutil.iter_modules(sf.__path__) if found.name not in ("_core", "torch")]


@pytest.mark.parametrize("name", ["surefield", *modules()])
def test_examples_of_the_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page, examples", [("docs/python.md", 30), ("README.md", 5)])
def test_examples_of_the_documents(page: str, examples: int, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(ROOT / page), module_relative=False)
    assert found.failed == 0 and found.attempted >= examples


def test_every_public_name_has_a_docstring() -> None:
    for name in sf.__all__:
        if name != "__version__":
            assert getattr(sf, name).__doc__, name
    assert issubclass(sf.Error, ValueError)


def test_the_stubs_name_what_the_extension_has() -> None:
    import ast

    from surefield import _core

    tree = ast.parse((pathlib.Path(sf.__file__).parent / "_core.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    public = {name for name in dir(_core) if not name.startswith("_")}
    assert public - {"mean_field"} <= set(stubs) and set(stubs) <= public
    for name, node in stubs.items():
        if isinstance(node, ast.ClassDef) and not issubclass(getattr(_core, name), Exception):
            methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)} - {"__init__"}
            assert methods == {m for m in dir(getattr(_core, name)) if not m.startswith("_")}, name
