"""Tests of the Python package, run on the one of the build folder (PYTHONPATH) by ctest; see CONTRIBUTING.md."""
