"""The notebooks of python/examples run from top to bottom, say what they claim, and draw a picture."""
import json
import pathlib
import warnings

import pytest

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("Agg")

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[2] / "python" / "examples").glob("*.ipynb"))


def run(notebook: pathlib.Path) -> int:
    """All code cells in one namespace; how many pictures there are afterwards. Assertions are in the cells."""
    import matplotlib.pyplot as plt

    plt.close("all")
    names: dict[str, object] = {}
    for number, cell in enumerate(json.loads(notebook.read_text())["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{notebook.name}, cell {number}", "exec"), names)
    pictures = len(plt.get_fignums())
    plt.close("all")
    return pictures


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_draws(notebook: pathlib.Path) -> None:
    if "surefield.torch" in notebook.read_text():
        pytest.importorskip("torch", reason="PyTorch is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run(notebook) >= 1


@pytest.mark.parametrize("name", ["01_baskets", "07_table1"])
def test_runs_without_the_public_data(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREFIELD_DATA", "/nowhere")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run(next(path for path in NOTEBOOKS if path.stem == name)) >= 1


def test_every_notebook_asks_a_question_and_is_kept_without_outputs() -> None:
    assert len(NOTEBOOKS) == 7
    for notebook in NOTEBOOKS:
        cells = json.loads(notebook.read_text())["cells"]
        assert cells[0]["cell_type"] == "markdown" and "".join(cells[0]["source"]).startswith("# ")
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert "assert " in "".join(code[-1]["source"])
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
