"""La máquina de cuadernos: guarda limpio, de una vez, y se queja a tiempo."""

import io
from base64 import b64encode

import nbformat
import numpy as np
import pytest
from PIL import Image

from tfcourse import links, notebooks

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
    figure = "import matplotlib.pyplot as plt\nplt.plot([1, 2]);"
    widget = (
        "from tfcourse.widgets import AlignmentExample, AlignmentWidget\n"
        "AlignmentWidget([AlignmentExample(['a'], ['b'], [[1.0]], title='uno')])"
    )
    path = write(tmp_path, source, figure, widget)
    measure = notebooks.execute(path)
    first = path.read_bytes()
    assert outputs(path)[0].text == "['uno.ipynb'] rapido\n"
    assert measure.seconds > 0 and measure.megabytes > 30 and measure.within(1)
    notebooks.execute(path)
    assert path.read_bytes() == first
    stored = nbformat.read(path, as_version=4)
    assert "figura-1" in str(stored.metadata.widgets) and "execution" not in str(stored.cells)


@pytest.mark.lento
def test_failed_or_interrupted_run_keeps_the_previous_file(tmp_path, monkeypatch):
    path = write(tmp_path, "1 / 0")
    before = path.read_bytes()
    with pytest.raises(Exception, match="ZeroDivisionError"):
        notebooks.execute(path)
    assert path.read_bytes() == before

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(notebooks, "_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        notebooks.execute(path)
    assert path.read_bytes() == before and not list(tmp_path.glob("*.parcial"))


def test_error_output_is_refused():
    cell = nbformat.v4.new_code_cell("x")
    cell.outputs = [nbformat.v4.new_output("stream", name="stderr", text="cuidado")]
    with pytest.raises(ValueError, match="la celda 1 escribe por la salida de errores:\ncuidado"):
        notebooks.clean(nbformat.v4.new_notebook(cells=[cell]))


def test_heavy_notebook_is_refused():
    cell = nbformat.v4.new_code_cell("x")
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text="x" * 1_100_000)]
    with pytest.raises(ValueError, match=r"pesa 1.1 MB y el máximo es 1 MB"):
        notebooks.clean(nbformat.v4.new_notebook(cells=[cell]))


def noise_png(side):
    pixels = np.random.default_rng(0).integers(0, 255, (side, side, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def test_pictures_are_made_small_or_refused():
    assert len(notebooks.shrink_png(noise_png(300))) <= notebooks.MAX_PICTURE
    with pytest.raises(ValueError, match="simplifícala"):
        notebooks.shrink_png(noise_png(900))


def test_cleaning_forgets_times_and_joins_streams():
    cell = nbformat.v4.new_code_cell("x", metadata={"execution": {"iopub.status": "12:00"}})
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=t) for t in ("a\n", "b\n")]
    picture = nbformat.v4.new_output(
        "display_data", data={"image/png": b64encode(noise_png(20)).decode()}
    )
    cell.outputs.append(picture)
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"papermill": {"duration": 3}})
    notebooks.clean(notebook)
    assert notebook.cells[0].outputs[0].text == "a\nb\n" and len(notebook.cells[0].outputs) == 2
    assert "papermill" not in notebook.metadata and "execution" not in notebook.cells[0].metadata


@pytest.mark.parametrize(("seconds", "megabytes"), [(121, 10), (1, 6001)])
def test_over_twice_the_budget_is_a_failure(tmp_path, seconds, megabytes):
    path = tmp_path / "lento.ipynb"
    notebooks.Measure(path, 119, 5999, 1).check()
    with pytest.raises(ValueError, match="el doble ya es un fallo"):
        notebooks.Measure(path, seconds, megabytes, 1).check()
    assert "por encima del presupuesto" in notebooks.Measure(path, 61, 10, 1).row()


@pytest.fixture
def course(tmp_path):
    """Curso diminuto con la dirección escrita en cuatro sitios."""
    url = "https://github.com/tfcourse/tfcourse"
    (tmp_path / "pyproject.toml").write_text(f'[project.urls]\nRepositorio = "{url}"\n')
    (tmp_path / "_config.yml").write_text(f"repository:\n  url: {url}\n")
    (tmp_path / "README.md").write_text(
        "[Colab](https://colab.research.google.com/github/tfcourse/tfcourse/blob/main/a.ipynb)\n"
    )
    folder = tmp_path / "chapters" / "1"
    folder.mkdir(parents=True)
    first = FIRST.copy()
    first.source = links.first_cell(tmp_path)
    nbformat.write(nbformat.v4.new_notebook(cells=[first]), folder / "a.ipynb")
    return tmp_path


def test_address_stands_in_one_place(course):
    assert links.check_links(course) == []
    pyproject = course / "pyproject.toml"
    pyproject.write_text(pyproject.read_text().replace("tfcourse/tfcourse", "profe/tfcourse"))
    problems = links.check_links(course)
    assert len(problems) == 3 and "make enlaces" in problems[0]
    assert len(links.write_links(course)) == 3 and links.check_links(course) == []
    assert "git+https://github.com/profe/tfcourse" in (course / "chapters/1/a.ipynb").read_text()
    assert "github/profe/tfcourse/blob/main" in (course / "README.md").read_text()
    assert "url: https://github.com/profe/tfcourse" in (course / "_config.yml").read_text()
