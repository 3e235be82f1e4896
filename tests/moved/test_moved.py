"""Un cuaderno con los nombres de antes sigue corriendo, y se le dice en una línea dónde están."""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tfcourse.moved import NAMES

# Nombres de antes que también son de otros: un dato de la configuración de ModernBERT.
ALSO_OTHERS = {"local_attention"}
OLD = json.loads(Path(NAMES).read_text(encoding="utf-8"))


@pytest.mark.parametrize("old", sorted(name for name, new in OLD.items() if "tfcourse." in new))
def test_every_old_name_leads_to_a_module(old):
    assert importlib.util.find_spec(OLD[old]), f"{old} lleva a {OLD[old]}, que no existe"
    assert not (ROOT / f"{old.replace('.', '/')}.py").exists()


def run(source: str):
    order = [sys.executable, "-c", source]
    return subprocess.run(order, capture_output=True, text=True, cwd=ROOT, check=False)


def test_an_old_import_works_and_says_in_one_line_where_it_moved():
    result = run("from tfcourse.audio_plots import plot_wave; print(plot_wave.__module__)")
    assert result.stdout.strip() == "tfcourse.plots.waves", result.stderr
    assert "«tfcourse.audio_plots» está ahora en «tfcourse.plots.waves»" in result.stderr


def test_what_left_the_package_is_told():
    result = run("import tfcourse.detection_table")
    assert "«tfcourse.detection_table» ya no viene con el paquete" in result.stderr
    assert "benchmarks.detection" in result.stderr


def test_a_name_that_never_was_is_the_usual_error():
    result = run("import tfcourse.nunca_existio")
    assert "No module named 'tfcourse.nunca_existio'" in result.stderr


TEXT = {".py", ".md", ".ipynb", ".yml", ".toml", ".json", ".txt", ".js", ".css", ".cff", ""}


def written_files():
    """Los archivos de texto del repositorio, menos la lista de nombres y la historia."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    skipped = ("tfcourse/moved/", "tests/moved/", "CHANGELOG.md")
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if not name.startswith(skipped) and path.suffix in TEXT and path.is_file():
            yield name, path.read_text(encoding="utf-8")


DOTTED = re.compile(r"(?<![\w.])\w+(?:\.\w+)*")


def names_in(text: str) -> set[str]:
    """Los nombres con puntos de un texto, y cada uno de sus principios: `a.b.c`, `a.b` y `a`."""
    parts = (name.split(".") for name in set(DOTTED.findall(text)))
    return {".".join(some[:end]) for some in parts for end in range(1, len(some) + 1)}


def test_no_file_uses_an_old_name():
    """Ni el nombre entero, ni el del archivo suelto (`detection_recipes`) si no hay otro así."""
    kept = {path.stem for path in ROOT.glob("*/**/*.py")} | ALSO_OTHERS
    gone = {name for name in OLD if not (ROOT / name.replace(".", "/")).exists()}
    leaves = {name.rpartition(".")[2] for name in gone} - kept
    forbidden = gone | {leaf for leaf in leaves if "_" in leaf}
    found = {
        f"{name}: {old}" for name, text in written_files() for old in names_in(text) & forbidden
    }
    assert not found, "\n".join(sorted(found))
