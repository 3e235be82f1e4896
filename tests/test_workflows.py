"""Los flujos de integración continua: bien escritos y con órdenes que existen."""

import re
import subprocess
import sys

import pytest
import yaml

from tests.conftest import ROOT

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
