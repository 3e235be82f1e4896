"""Cada cuaderno corre a solas en una carpeta vacía, con el paquete instalado como rueda.

Es lo que hace Colab: solo está el .ipynb y lo que instaló pip. nbval compara las salidas
guardadas, y de paso se mide cuánto tiempo y memoria cuesta cada uno.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.conftest import CHAPTER_TABLE, ROOT
from tfcourse.notebook import first_cell
from tfcourse.profile import profile
from tfcourse.training import default_device
from workshop.notebooks import Measure, book_notebooks, clean, is_exercises
from workshop.notebooks.comparison import run_nbval
from workshop.notebooks.process import NOTEBOOK_TIMEOUT, environment

pytestmark = pytest.mark.lento
NOTEBOOKS = book_notebooks(ROOT)
# El de ejercicios va en un turno: lo suyo, que es corregir, ya lo mira `tests/exercises` siempre.
# Un capítulo, en los dos de al lado del turno en que corre entero en el acelerador.
EXERCISES, CHAPTER = (pytest.mark.por_turnos(por="caso", otro=c, al_lado=c) for c in (False, True))
CASES = [
    pytest.param(path, id=path.stem, marks=EXERCISES if is_exercises(path) else CHAPTER)
    for path in NOTEBOOKS
]


@pytest.fixture(scope="session")
def wheel_site(tmp_path_factory):
    """Carpeta con el paquete instalado desde su rueda, y nada más."""
    folder = tmp_path_factory.mktemp("rueda")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True)
    return site


def run_alone(notebook: Path, folder: Path, site: Path) -> tuple[Measure, str]:
    """Ejecuta nbval sobre una copia del cuaderno en una carpeta vacía, con la rueda."""
    copy = Path(shutil.copy(notebook, folder))
    # Las salidas guardadas son las del perfil rapido en CPU: fuera de ahí solo se exige que corra.
    exact = profile() == "rapido" and default_device() == "cpu"
    variables = environment(profile(), site)
    cost = run_nbval(copy, variables, NOTEBOOK_TIMEOUT[profile()], exact)
    measure = Measure(notebook, cost.seconds, cost.megabytes, notebook.stat().st_size)
    return measure, cost.output if cost.code else ""


@pytest.mark.larga
@pytest.mark.parametrize("notebook", CASES)
def test_chapter_runs_alone_and_says_what_it_said(notebook, tmp_path, wheel_site):
    measure, failure = run_alone(notebook, tmp_path, wheel_site)
    CHAPTER_TABLE.append(measure.row())
    assert not failure, failure
    if profile() == "rapido":
        measure.check()


def test_there_are_chapters():
    assert NOTEBOOKS, "_toc.yml no nombra ningún cuaderno"


@pytest.fixture
def tiny(tmp_path, wheel_site):
    """Cuaderno diminuto que dice de dónde viene el paquete y un número guardado."""

    def run(stored: str, source: str = "print(6 * 7)"):
        where = "import tfcourse\nassert 'rueda' in tfcourse.__file__, tfcourse.__file__"
        output = nbformat.v4.new_output("stream", name="stdout", text=stored)
        cells = [nbformat.v4.new_code_cell(where), nbformat.v4.new_code_cell(source)]
        cells[1].outputs, cells[1].execution_count = ([output], 2) if stored else ([], None)
        path = tmp_path / "diminuto.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        folder = tmp_path / "vacia"
        folder.mkdir()
        return run_alone(path, folder, wheel_site)[1]

    return run


def test_stored_number_that_holds_passes_with_the_wheel(tiny):
    assert tiny("42\n") == ""


def test_changed_number_fails(tiny):
    assert "43" in tiny("43\n")


def test_cell_that_raises_fails(tiny):
    assert "ZeroDivisionError" in tiny("", "1 / 0")


def without_pictures(notebook) -> str:
    """El cuaderno escrito, menos los bytes de sus figuras, que cambian con cada biblioteca."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("image/png", None)
    return nbformat.writes(notebook)


OUTSIDE = re.compile(r"^\s*(from|import) (workshop|benchmarks|tests)\b", re.MULTILINE)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_imports_only_what_is_installed(notebook):
    """Quien lo abre en Colab no tiene el repositorio, solo el paquete."""
    cells = nbformat.read(notebook, as_version=4).cells
    for cell in cells:
        assert cell.cell_type != "code" or not OUTSIDE.search(cell.source), cell.source[:300]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_notebook_is_clean(notebook):
    stored, cleaned = (nbformat.read(notebook, as_version=4) for _ in range(2))
    clean(cleaned)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    outputs = [output for cell in code for output in cell.outputs]
    assert code[0].source == first_cell() and "preparacion" in code[0].metadata.tags
    assert not [cell.id for cell in code if cell.outputs and cell.execution_count is None]
    for output in outputs:
        assert len(output.get("data", {}).get("image/png", "")) < 100_000 * 4 / 3 + 4
    if is_exercises(notebook):
        assert not outputs, "un cuaderno de ejercicios se entrega sin salidas"
    else:
        assert outputs, "el cuaderno no guarda ninguna salida: ejecuta «make ejecutar»"
        assert without_pictures(stored) == without_pictures(cleaned), "ejecuta «make ejecutar»"
