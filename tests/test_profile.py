"""Perfil, hilos y comienzo de un cuaderno."""

import pytest
import torch

import tfcourse
from tfcourse.notebook import threads


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
