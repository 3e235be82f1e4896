"""Preparar el entorno: lo que falta en el equipo se dice en español y con su remedio."""

import ast
import importlib.util
import os
import subprocess
from collections import namedtuple

import pytest

from tests.conftest import ROOT

SCRIPT = ROOT / ".ci" / "preparar.py"


@pytest.fixture
def setup():
    spec = importlib.util.spec_from_file_location("preparar", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_old_python_is_named(setup, monkeypatch):
    monkeypatch.setattr(setup.sys, "version_info", (3, 9, 1))
    with pytest.raises(SystemExit, match=r"el 3\.9 y el curso necesita el 3\.11 .*PYTHON=python3"):
        setup.check_python()


def test_script_is_understood_by_an_old_python():
    """Quien tiene un Python viejo debe leer el mensaje, no un error de sintaxis."""
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 7))


def test_full_disk_is_named(setup, monkeypatch, tmp_path):
    usage = namedtuple("usage", "free")(2.5e9)
    monkeypatch.setattr(setup.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(SystemExit, match=r"quedan 2\.5 GB de disco y hacen falta 9"):
        setup.check_disk(str(tmp_path / "no-esta"))
    setup.check_disk(str(tmp_path))  # ya instalado: no hace falta más sitio


def test_missing_venv_module_is_named(setup, monkeypatch, tmp_path):
    failed = subprocess.CompletedProcess([], 1, "", "No module named ensurepip")
    monkeypatch.setattr(setup, "run", lambda _: failed)
    with pytest.raises(SystemExit, match="paquete «python3-venv»"):
        setup.create(str(tmp_path / "entorno"))


def test_existing_environment_is_kept(setup, tmp_path, monkeypatch):
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    monkeypatch.setattr(setup, "run", lambda _: subprocess.CompletedProcess([], 0, "", ""))
    assert setup.create(str(tmp_path)) == str(python)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("OSError: [Errno 28] No space left on device", "se ha acabado el disco"),
        ("NewConnectionError: Temporary failure in name resolution", "no hay conexión"),
        ("ReadTimeoutError: Read timed out.", "la red es demasiado lenta"),
        ("ERROR: No matching distribution found for torch", "no hay versión de algún paquete"),
        ("algo raro", "mira el mensaje de arriba"),
    ],
)
def test_failed_installation_is_explained(setup, written, reason):
    assert reason in setup.explain(written)


def make(*words):
    environment = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    return subprocess.run(
        ["make", "-C", str(ROOT), *words], capture_output=True, text=True, env=environment
    )


def test_make_lists_every_command_with_its_purpose():
    shown = make().stdout
    for command in ("libro", "prueba", "ver", "ejecutar", "cuaderno", "limpiar"):
        assert f"make {command} " in shown


def test_make_names_a_missing_python(tmp_path):
    result = make("preparar", "PYTHON=python-que-no-esta", f"LISTO={tmp_path}/listo")
    assert result.returncode and "no se encuentra «python-que-no-esta»" in result.stdout


def test_viewing_before_building_is_explained(tmp_path):
    result = make("ver", f"SITIO={tmp_path}")
    assert result.returncode and "ejecuta antes «make libro»" in result.stdout
