"""La máquina de cuadernos: guarda limpio, de una vez, y se queja a tiempo."""

import io
import os
import sys
import tempfile
from base64 import b64encode
from pathlib import Path

import nbformat
import numpy as np
import pytest
from PIL import Image

from tests.conftest import ROOT
from workshop import links, notebooks
from workshop.notebooks import cleaning, machine, process
from workshop.notebooks.budget import load_costs, save_costs

FIRST = nbformat.v4.new_code_cell(
    "# Preparación\nimport tfcourse", metadata={"tags": ["preparacion", "nbval-ignore-output"]}
)


def write(tmp_path, *sources, name="uno.ipynb"):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    path = tmp_path / name
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def outputs(path):
    return [o for cell in nbformat.read(path, as_version=4).cells for o in cell.get("outputs", [])]


@pytest.mark.lento
def test_execution_is_alone_measured_and_repeatable(tmp_path):
    (tmp_path / "vecino.txt").write_text("no se debe ver")
    source = "import os\nprint(sorted(os.listdir()), os.environ['TFCOURSE_PERFIL'])"
    heavy = "memory = b'x' * 400_000_000"
    figure = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    widget = (
        "from tfcourse.widgets import AlignmentExample, AlignmentWidget\n"
        "AlignmentWidget([AlignmentExample(['a'], ['b'], [[1.0]], title='uno')])"
    )
    path = write(tmp_path, source, heavy, figure, widget)
    measure = notebooks.execute(path)
    first = path.read_bytes()
    assert outputs(path)[0].text == "['uno.ipynb'] rapido\n"
    assert 400 < measure.megabytes < 3000
    assert measure.size == len(first.rstrip()) and "uno" in measure.row()
    notebooks.execute(path)
    assert path.read_bytes() == first
    assert "figura-1" in str(nbformat.read(path, as_version=4).metadata.widgets)


@pytest.mark.lento
def test_broken_notebook_keeps_its_outputs_and_the_rest_go_on(tmp_path, capsys):
    broken, sound = write(tmp_path, "1", "1 / 0"), write(tmp_path, "print(42)", name="dos.ipynb")
    before = broken.read_bytes()
    with pytest.raises(ValueError, match="1 de 2 cuadernos han fallado") as failure:
        notebooks.execute_all([broken, sound], "rapido")
    assert "uno.ipynb: la celda 2 falla: ZeroDivisionError" in str(failure.value)
    assert broken.read_bytes() == before and outputs(sound)[0].text == "42\n"
    assert load_costs(tmp_path).keys() == {"dos"}
    assert "[2/2] dos" in capsys.readouterr().out


def test_interrupted_run_keeps_finished_notebooks(tmp_path, monkeypatch):
    finished, unfinished = write(tmp_path, "1"), write(tmp_path, "2", name="dos.ipynb")
    before = unfinished.read_bytes()

    def run(copy, profile):
        if copy.name == "dos.ipynb":
            raise KeyboardInterrupt
        notebook = nbformat.read(copy, as_version=4)
        notebook.cells[0].outputs = [nbformat.v4.new_output("stream", name="stdout", text="1")]
        nbformat.write(notebook, copy)
        return process.Cost(1, 1, 0, "")

    monkeypatch.setattr(machine, "_run", run)
    with pytest.raises(KeyboardInterrupt):
        notebooks.execute_all([finished, unfinished], "rapido")
    assert outputs(finished)[0].text == "1" and unfinished.read_bytes() == before
    assert not list(tmp_path.glob("*.parcial"))


def test_over_budget_is_not_stored(tmp_path, monkeypatch):
    path = write(tmp_path, "1")
    before = path.read_bytes()
    monkeypatch.setattr(machine, "_run", lambda *_: process.Cost(1, 6001, 0, ""))
    with pytest.raises(ValueError, match="gasta 6001 MB"):
        notebooks.execute(path)
    assert path.read_bytes() == before
    notebooks.execute(path, "completo", tmp_path / "aparte" / "uno.ipynb")
    assert path.read_bytes() == before and (tmp_path / "aparte" / "uno.ipynb").exists()


def test_stuck_process_is_stopped_with_its_children(tmp_path):
    command = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '600'])"]
    with pytest.raises(TimeoutError, match="lleva más de 1 s sin terminar"):
        process.measured(command, folder=tmp_path, variables=dict(os.environ), limit=1)


def test_variables_of_the_caller_do_not_reach_the_notebook(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x")
    monkeypatch.setenv("PYTHONPATH", "/otra")
    variables = process.environment("rapido", tmp_path)
    assert "PYTEST_ADDOPTS" not in variables and variables["PYTHONPATH"] == str(tmp_path)


def with_output(*found, source="x", metadata=None):
    cell = nbformat.v4.new_code_cell(source, metadata=metadata or {})
    cell.outputs = list(found)
    return nbformat.v4.new_notebook(cells=[cell])


def stream(text, name="stdout"):
    return nbformat.v4.new_output("stream", name=name, text=text)


def test_error_output_is_refused():
    with pytest.raises(ValueError, match="la celda 1 escribe por la salida de errores:\ncuidado"):
        notebooks.clean(with_output(stream("cuidado", "stderr")))


def test_folders_of_this_machine_are_refused(tmp_path):
    with pytest.raises(ValueError, match="la celda 1 escribe una carpeta de este equipo"):
        notebooks.clean(with_output(stream(f"guardado en {tempfile.gettempdir()}/x")))


def test_traceback_keeps_only_the_message():
    error = nbformat.v4.new_output(
        "error", ename="ValueError", evalue="mal", traceback=["Traceback (most recent call last)"]
    )
    notebook = with_output(error)
    notebooks.clean(notebook)
    assert notebook.cells[0].outputs[0].traceback == ["ValueError: mal"]


def test_final_semicolon_is_refused():
    with pytest.raises(ValueError, match=r"acaba en «;», que nbval no entiende"):
        notebooks.clean(with_output(source="axes.legend();\n"))


def test_heavy_notebook_is_refused():
    with pytest.raises(ValueError, match=r"pesa 1.1 MB y el máximo es 1 MB"):
        notebooks.clean(with_output(stream("x" * 1_100_000)))


def noise_png(side):
    pixels = np.random.default_rng(0).integers(0, 255, (side, side, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def test_pictures_are_made_small_or_refused():
    assert len(cleaning.shrink_png(noise_png(300))) <= cleaning.MAX_PICTURE
    with pytest.raises(ValueError, match="simplifícala"):
        cleaning.shrink_png(noise_png(900))


def test_small_picture_keeps_its_pixels_on_white_paper():
    picture = Image.new("RGBA", (2, 1), (0, 0, 0, 0))
    picture.putpixel((1, 0), (10, 20, 30, 255))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    small = Image.open(io.BytesIO(cleaning.shrink_png(buffer.getvalue())))
    assert list(small.convert("RGB").getdata()) == [(255, 255, 255), (10, 20, 30)]


def test_cleaning_forgets_times_and_joins_streams():
    picture = nbformat.v4.new_output(
        "display_data", data={"image/png": b64encode(noise_png(20)).decode()}
    )
    metadata = {"execution": {"iopub.status": "12:00"}, "tags": ["hide-input"]}
    notebook = with_output(stream("a\n"), stream("b\n"), picture, metadata=metadata)
    notebook.metadata["papermill"] = {"duration": 3}
    notebooks.clean(notebook)
    (cell,) = notebook.cells
    assert cell.outputs[0].text == "a\nb\n" and len(cell.outputs) == 2
    assert "papermill" not in notebook.metadata and cell.metadata == {"tags": ["hide-input"]}


def test_first_cell_is_written_by_the_machine():
    notebook = with_output(source="import tfcourse", metadata={"tags": ["preparacion"]})
    notebooks.clean(notebook)
    assert notebook.cells[0].source == links.first_cell()
    assert notebook.cells[0].metadata.tags == ["nbval-ignore-output", "preparacion"]


def test_book_lists_its_notebooks_in_order(tmp_path):
    (tmp_path / "_toc.yml").write_text(
        "root: chapters/intro\nparts:\n- chapters:\n  - file: b\n    sections:\n"
        "    - file: b_ejercicios.ipynb\n  - file: a\n  - file: solo_texto\n"
    )
    for name in ("a", "b", "b_ejercicios"):
        (tmp_path / f"{name}.ipynb").touch()
    found = notebooks.book_notebooks(tmp_path)
    assert [path.stem for path in found] == ["b", "b_ejercicios", "a"]
    assert [notebooks.is_exercises(path) for path in found] == [False, True, False]
    with pytest.raises(ValueError, match="ejecuta la orden desde la carpeta del curso"):
        notebooks.book_notebooks(tmp_path / "otra")


def toc(folder: Path, *names: str) -> Path:
    """Una carpeta con un `_toc.yml` que nombra esos capítulos, cada uno con sus ejercicios."""
    text = "root: chapters/intro\nparts:\n- chapters:\n"
    for name in names:
        page = f"chapters/{name}"
        text += f"  - file: {page}\n    sections:\n    - file: {page}_ejercicios\n"
    folder.mkdir(exist_ok=True)
    (folder / "_toc.yml").write_text(text + "- chapters:\n  - file: chapters/glosario\n")
    return folder


def test_chapters_are_numbered_by_their_place(tmp_path):
    book = notebooks.book_chapters(toc(tmp_path / "a", "1_uno/a", "1_uno/b", "2_dos/c"))
    assert [(c.number, c.slug) for c in book] == [(1, "a"), (2, "b"), (3, "c")]
    assert (book[2].page, book[2].exercises) == ("chapters/2_dos/c", "chapters/2_dos/c_ejercicios")
    more = notebooks.book_chapters(toc(tmp_path / "b", "1_uno/a", "1_uno/z", "1_uno/b", "2_dos/c"))
    assert [(c.number, c.slug) for c in more] == [(1, "a"), (2, "z"), (3, "b"), (4, "c")]
    for wanted in ("2", "02", "z"):
        assert notebooks.find_chapter(wanted, more).slug == "z"
    for wanted in ("", "5", "0", "dos", "z_ejercicios", "²"):
        assert notebooks.find_chapter(wanted, more) is None, wanted


def test_costs_are_written_beside_the_notebooks(tmp_path):
    save_costs([notebooks.Measure(tmp_path / "b.ipynb", 53.6, 1234, 1)])
    save_costs([notebooks.Measure(tmp_path / "a.ipynb", 1, 2000, 1)])
    save_costs([notebooks.Measure(tmp_path / "b.ipynb", 54.6, 1234, 1)])
    assert list(load_costs(tmp_path)) == ["a", "b"]
    assert load_costs(tmp_path)["b"] == {"segundos": 55, "megabytes": 1230}
    assert not list(tmp_path.glob("*.parcial"))


def test_over_twice_the_memory_is_a_failure_and_the_time_is_told(tmp_path):
    path = tmp_path / "lento.ipynb"
    notebooks.Measure(path, 600, 5999, 1).check()
    with pytest.raises(ValueError, match="gasta 6001 MB.*el doble ya es un fallo"):
        notebooks.Measure(path, 1, 6001, 1).check()
    for seconds, megabytes, is_told in ((60, 3000, False), (61, 10, True), (1, 3001, True)):
        row = notebooks.Measure(path, seconds, megabytes, 1).row()
        assert ("por encima del presupuesto" in row) == is_told


def test_stored_notebooks_fit_the_budget():
    """Lo que costaron cuando se guardaron sus salidas: no depende del equipo que lo comprueba."""
    stored = [load_costs(folder) for folder in sorted((ROOT / "chapters").iterdir())]
    costs = {name: cost for part in stored for name, cost in part.items()}
    assert len(costs) >= 25
    for name, cost in costs.items():
        row = notebooks.Measure(Path(name), cost["segundos"], cost["megabytes"], 1)
        assert row.within_budget, row.row()


def test_figure_cells_give_one_picture_and_a_name_of_their_own():
    """Con dos salidas o con un nombre repetido, el libro no se construye, y tarda en decirlo."""
    owners: dict[str, str] = {}
    for path in notebooks.book_notebooks(ROOT):
        for cell in nbformat.read(path, as_version=4).cells:
            figure = cell.metadata.get("mystnb", {}).get("figure")
            if figure is None:
                continue
            shown = [output for output in cell.outputs if output.output_type != "stream"]
            place = f"{path.stem}, {figure['name']}"
            assert len(shown) == 1, f"{place}: {len(shown)} salidas además de lo impreso"
            assert figure["name"] not in owners, f"{place}: lo usa {owners[figure['name']]}"
            owners[figure["name"]] = place
    assert owners


CHAPTERS = [path for path in notebooks.book_notebooks(ROOT) if not notebooks.is_exercises(path)]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_is_short_and_has_a_panel(path):
    cells = nbformat.read(path, as_version=4).cells
    assert len(cells) <= 80
    panels = ["panel" in cell.metadata.get("tags", []) for cell in cells]
    assert panels == ["Panel(" in cell.source for cell in cells]
    assert sum(panels) == 1


def test_memory_of_whoever_measures_does_not_count(tmp_path):
    ballast = np.ones(60_000_000)  # 480 MB
    command = [sys.executable, "-c", "print('hola')"]
    cost = process.measured(command, folder=tmp_path, variables=dict(os.environ), limit=60)
    assert cost.megabytes < 100 < ballast.nbytes / 1e6
    assert (cost.code, cost.output) == (0, "hola\n")
