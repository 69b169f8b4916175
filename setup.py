"""The build step of the Python package: CMake builds the extension, setuptools packs it.

SUREFIELD_BUILD names a build folder that has been configured with SUREFIELD_BUILD_PYTHON=ON; its extension is brought up
to date and taken. Without it a folder of its own is configured and built.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version() -> str:
    """The one of the C++ project."""
    found = re.search(r"project\(surefield VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    if found is None:
        raise SystemExit("setup: CMakeLists.txt states no version of the project surefield")
    return found.group(1)


class BuildWithCMake(build_ext):
    def build_extension(self, extension: Extension) -> None:
        cmake = shutil.which("cmake", path=f"/usr/bin{os.pathsep}{os.environ['PATH']}")
        if cmake is None:
            raise SystemExit("setup: cmake is missing; scripts/setup.sh installs it")
        given = os.environ.get("SUREFIELD_BUILD")
        folder = pathlib.Path(given).resolve() if given else ROOT / "build" / "python"
        if given and not (folder / "CMakeCache.txt").exists():
            raise SystemExit(f"setup: SUREFIELD_BUILD is {given}, which is no folder that CMake has configured")
        if not given:
            ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
            subprocess.run(
                [cmake, "-S", str(ROOT), "-B", str(folder), *ninja, "-DCMAKE_BUILD_TYPE=Release", "-DSUREFIELD_GATHER=ON",
                 "-DSUREFIELD_BUILD_TESTS=OFF", "-DSUREFIELD_BUILD_PROGRAM=OFF", "-DSUREFIELD_BUILD_PYTHON=ON",
                 f"-DSUREFIELD_PYTHON={sys.executable}"], check=True)
        jobs = ["--parallel", str(os.cpu_count() or 1)]
        subprocess.run([cmake, "--build", str(folder), "--target", "surefield_python", *jobs], check=True)
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        built = sorted((folder / "python" / "surefield").glob("_core*.so"))
        if not built:
            raise SystemExit(f"setup: {folder} holds no extension; was it configured with SUREFIELD_BUILD_PYTHON=ON?")
        shutil.copy2(built[-1], target)
        self.copy_page(folder, target.parent)

    @staticmethod
    def copy_page(folder: pathlib.Path, package: pathlib.Path) -> None:
        """The template of the report page is bundled by npm: it is taken where a build has made it already."""
        for build in (folder, ROOT / "build" / "release", ROOT / "build" / "dev"):
            template = build / "page" / "page_template.html"
            if template.exists():
                shutil.copy2(template, package / template.name)
                return


setup(version=version(), ext_modules=[Extension("surefield._core", sources=[])], cmdclass={"build_ext": BuildWithCMake})
