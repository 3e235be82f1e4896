"""Cada cuaderno corre a solas en una carpeta vacía, con el paquete instalado como rueda.

Es lo que hace Colab: solo está el .ipynb y lo que instaló pip. nbval compara las salidas
guardadas, y de paso se mide cuánto tiempo y memoria cuesta cada uno.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from tests.conftest import CHAPTER_TABLE, ROOT
from tfcourse.notebooks import Measure, book_notebooks, is_exercises
from tfcourse.profile import profile
from tfcourse.training import default_device

pytestmark = pytest.mark.lento
NOTEBOOKS = book_notebooks(ROOT)


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
    sanitize = ROOT / "tests" / "nbval.cfg"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval"]
    command += ["--nbval-cell-timeout=600", f"--nbval-sanitize-with={sanitize}", copy.name]
    # Las salidas guardadas son las del perfil rapido en CPU: fuera de ahí solo se exige que corra.
    if profile() == "completo" or default_device() != "cpu":
        command[command.index("--nbval")] = "--nbval-lax"
    environment = os.environ | {
        "PYTHONPATH": str(site),
        "TFCOURSE_PROGRESO": "no",
        "PYTHONWARNINGS": "ignore",
    }
    started = time.perf_counter()
    with (folder / "salida.txt").open("w+") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        log.seek(0)
        output = log.read()
    seconds, megabytes = time.perf_counter() - started, usage.ru_maxrss / 1000
    measure = Measure(notebook, seconds, megabytes, notebook.stat().st_size)
    return measure, output if os.waitstatus_to_exitcode(status) else ""


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
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
        cells[1].outputs = [output] if stored else []
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


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_notebook_is_clean(notebook):
    stored = nbformat.read(notebook, as_version=4)
    code = [cell for cell in stored.cells if cell.cell_type == "code"]
    outputs = [output for cell in code for output in cell.outputs]
    assert "preparacion" in code[0].metadata.tags and code[0].source.startswith("# Preparación")
    assert notebook.stat().st_size < 1_000_000
    assert not any(output.output_type == "error" for output in outputs)
    if not is_exercises(notebook):
        assert outputs, "el cuaderno no guarda ninguna salida: ejecuta «make ejecutar»"
    for output in outputs:
        assert len(output.get("data", {}).get("image/png", "")) < 100_000 * 4 / 3 + 4
