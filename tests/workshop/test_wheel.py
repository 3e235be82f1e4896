"""La rueda: lo que se instala es el paquete entero, y nada de lo que lo mantiene."""

import subprocess
import zipfile

import pytest

from tests.conftest import ROOT

OUTSIDE = ("tests", "workshop", "benchmarks", "chapters", "data")
# Lo que no es código y haría falta al abrir un cuaderno en Colab.
NEEDED = (
    "tfcourse/bank/registry.py",
    "tfcourse/bank/detection/costs.py",
    "tfcourse/moved/names.json",
    "tfcourse/quiz/quiz.js",
    "tfcourse/stored/deteccion.json",
    "tfcourse/teaching/create.py",
    "tfcourse/weights/gpt_espanol.json",
    "tfcourse/weights/gpt_espanol.safetensors",
    "tfcourse/widgets/heads.js",
)


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """Los archivos que lleva la rueda."""
    wheel = pytest.importorskip(
        "hatchling.builders.wheel", reason="falta hatchling (extra «prueba»)"
    )
    folder = tmp_path_factory.mktemp("rueda")
    (path,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_it_holds_only_the_package(names):
    folders = {name.partition("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"tfcourse"}
    assert not folders & set(OUTSIDE)
    parts = {part for name in names for part in name.split("/")}
    assert not parts & {"tests", "workshop", "benchmarks", "__pycache__"}


def test_it_holds_the_whole_package(names):
    order = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "tfcourse"]
    listed = subprocess.run(order, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {name for name in listed.splitlines() if (ROOT / name).exists()}
    assert len(tracked) > 500 and tracked <= names


@pytest.mark.parametrize("name", NEEDED)
def test_it_holds_what_a_notebook_needs(names, name):
    assert name in names


def test_the_order_is_installed_and_the_workshop_is_not(names):
    assert "tfcourse/__main__.py" in names
    assert any(name.endswith("entry_points.txt") for name in names)
