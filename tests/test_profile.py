"""Perfil, hilos, medidas y progreso."""

import pytest
import torch

import tfcourse
from tfcourse.metrics import attended_mass, exact_match
from tfcourse.notebook import threads
from tfcourse.progress import progress


def test_profile_comes_from_the_environment(monkeypatch):
    monkeypatch.delenv("TFCOURSE_PERFIL", raising=False)
    assert tfcourse.profile() == "rapido"
    monkeypatch.setenv("TFCOURSE_PERFIL", "completo")
    assert tfcourse.by_profile(rapido=1, completo=2) == 2


def test_unknown_profile(monkeypatch):
    monkeypatch.setenv("TFCOURSE_PERFIL", "turbo")
    with pytest.raises(
        ValueError, match="perfil desconocido.*'turbo'; usa uno de estos: rapido, completo"
    ):
        tfcourse.profile()


def test_threads(monkeypatch):
    monkeypatch.setenv("TFCOURSE_HILOS", "2")
    assert threads() == 2
    for wrong in ("0", "dos", "-1"):
        monkeypatch.setenv("TFCOURSE_HILOS", wrong)
        with pytest.raises(ValueError, match="TFCOURSE_HILOS=.*número entero positivo"):
            threads()


def test_start_notebook_says_where_it_runs(capsys):
    hilos = torch.get_num_threads()
    tfcourse.start_notebook(seed=7)
    first = torch.rand(3)
    tfcourse.start_notebook(seed=7)
    assert torch.equal(first, torch.rand(3))
    assert "perfil «rapido»" in capsys.readouterr().out
    torch.set_num_threads(hilos)


def test_exact_match():
    assert exact_match([["a"], ["b"]], [["a"], ["c"]]) == 0.5
    with pytest.raises(ValueError, match="hay 1 predicciones y 0 respuestas"):
        exact_match(["a"], [])


def test_attended_mass_counts_only_rows_with_a_region():
    weights = torch.tensor([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])
    region = torch.tensor([[False, True], [False, False], [True, False]])
    assert attended_mass(weights, region) == pytest.approx(0.85)
    with pytest.raises(ValueError, match="la región está vacía"):
        attended_mass(weights, torch.zeros(3, 2, dtype=torch.bool))


def test_progress_in_a_log_writes_a_few_lines(monkeypatch, capsys):
    monkeypatch.delenv("TFCOURSE_PROGRESO", raising=False)
    assert list(progress(range(100), total=100, description="Leyendo")) == list(range(100))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10 and lines[-1] == "Leyendo: 100/100"
    monkeypatch.setenv("TFCOURSE_PROGRESO", "no")
    assert list(progress(range(3), total=3, description="Leyendo")) == [0, 1, 2]
    assert capsys.readouterr().err == ""
