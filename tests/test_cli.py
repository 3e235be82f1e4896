"""Órdenes de terminal: en español, hasta en los errores."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tfcourse.spanish_cli import translate_error

ENGLISH = ("Usage", "Options", "Show this", "Commands", "Error:  No such", "Missing", "required")


def run(*words, package="tfcourse"):
    command = [sys.executable, "-m", package, *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.mark.parametrize(
    ("package", "order"),
    [
        ("tfcourse", ()),
        ("tfcourse", ("info",)),
        ("tfcourse", ("pesos",)),
        ("workshop", ()),
        ("workshop", ("espejo",)),
        ("workshop", ("ejecutar",)),
        ("workshop", ("cualquier-cpu",)),
        ("workshop", ("enlaces",)),
        ("workshop", ("ejercicios",)),
        ("workshop", ("capitulo",)),
        ("benchmarks", ()),
    ],
)
def test_help_is_in_spanish(package, order):
    result = run(*order, "--ayuda", package=package)
    assert result.returncode == 0 and result.stdout.startswith("Uso: ")
    assert "Muestra esta ayuda y termina." in result.stdout
    assert not [word for word in ENGLISH if word in result.stdout]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("bailar",), "Error: no existe la orden «bailar»; mira --ayuda"),
        (("info", "--rapido"), "Error: no existe la opción «--rapido»; mira --ayuda"),
        (("info", "sobra"), "Error: sobra «sobra»; mira --ayuda"),
    ],
)
def test_errors_are_one_spanish_line(words, expected):
    result = run(*words)
    assert result.returncode and result.stderr.strip() == expected


def test_a_chapter_that_does_not_exist_is_told():
    result = run("ejecutar", "99", "dert", package="workshop")
    assert result.stderr.strip() == "Error: ningún capítulo es 99, dert: mira _toc.yml"


def test_info_names_versions_and_device():
    result = run("info")
    assert "perfil «rapido»" in result.stdout and "torchaudio" in result.stdout


def test_unknown_profile_is_explained(monkeypatch):
    monkeypatch.setenv("TFCOURSE_PERFIL", "turbo")
    assert "Error: perfil desconocido" in run("info").stderr


def test_errors_of_other_versions_are_translated():
    assert translate_error("Missing argument 'X'.") == "falta el argumento «X»"
    assert translate_error("algo nuevo") == "algo nuevo"
