"""Cada experimento de `completo`, ensayado de principio a fin con el formato de sus datos."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest
import torch

from tests.conftest import ROOT
from tfcourse.stored import full
from tfcourse.stored.full import run_full, show_full, stored_rows
from tfcourse.stored.results import load_results
from workshop.notebooks import book_notebooks
from workshop.rehearsal.registry import (
    cells_of_runs,
    every_full_run,
    makers,
    rehearsal_environment,
)

RUNS = every_full_run()
CELLS = cells_of_runs(book_notebooks(ROOT))


@pytest.fixture
def rehearsal(monkeypatch, tmp_path):
    """Prepara el ensayo de un experimento y dice dónde deja sus resultados."""

    def prepare(run, folder="ensayo"):
        # Una celda puede enseñar varios, y todos necesitan sus datos.
        for shown in (other for other in RUNS.values() if CELLS[other.name] == CELLS[run.name]):
            for variable, value in rehearsal_environment(shown, tmp_path / folder):
                monkeypatch.setenv(variable, value)
        monkeypatch.setenv("TFCOURSE_LECTORES", "0")
        return full.output_folder()

    return prepare


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_cell_of_the_page_runs_to_its_end(run, rehearsal, capsys):
    """La celda del capítulo, sola: entrena, evalúa, guarda su tabla y la escribe."""
    ((_, source),) = CELLS[run.name]
    output = rehearsal(run)
    exec(compile(source, run.name, "exec"), {})
    rows = load_results(run.name, json.loads(json.dumps(asdict(run.rehearsal))), output)
    shown = capsys.readouterr().out
    assert run.title in shown and all(name in shown for name in rows[0])
    assert any(isinstance(value, float) for row in rows for value in row.values())
    assert not list(output.rglob("*.safetensors")), "los puntos de control ya no hacen falta"


class Killed(BaseException):
    """Como si alguien apagara la máquina."""


def killed_after(monkeypatch, n_steps):
    """El optimizador da `n_steps` pasos y se apaga la máquina."""
    left = [n_steps]
    step = torch.optim.Optimizer.zero_grad

    def counted(self, *args, **kwargs):
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return step(self, *args, **kwargs)

    patch = pytest.MonkeyPatch()
    patch.setattr(torch.optim.Optimizer, "zero_grad", counted)
    return patch, left


@pytest.mark.parametrize(
    "run", [run for run in RUNS.values() if run.trains], ids=lambda run: run.name
)
def test_killed_midway_and_resumed_gives_the_same_table(run, rehearsal, monkeypatch):
    rehearsal(run, "entero")
    patch, left = killed_after(monkeypatch, 10**9)
    whole = run_full(run)
    patch.undo()
    n_steps = 10**9 - left[0]
    output = rehearsal(run, "cortado")
    patch, _ = killed_after(monkeypatch, max(1, n_steps // 2))
    with pytest.raises(Killed):
        run_full(run)
    patch.undo()
    assert list((output / run.name).glob("*.safetensors")), "no había guardado nada"
    assert not list(output.glob("*.json")), "una tabla a medias no es una tabla"
    patch, left = killed_after(monkeypatch, 10**9)
    assert run_full(run) == whole
    patch.undo()
    assert 10**9 - left[0] < n_steps, "no ha seguido: ha vuelto a empezar"


def test_every_run_has_its_cell_and_every_cell_its_run():
    assert sorted(CELLS) == sorted(RUNS)
    assert all(len(found) == 1 for found in CELLS.values())


def test_every_source_can_be_rehearsed():
    assert {source.name for run in RUNS.values() for source in run.sources} <= set(makers())


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_what_is_not_measured_is_not_claimed(run, monkeypatch, tmp_path, capsys):
    """Sin tabla, la página dice que está sin medir y qué pide; una tabla de otra receta no vale."""
    monkeypatch.setenv("TFCOURSE_PERFIL", "rapido")
    monkeypatch.setenv("TFCOURSE_SALIDA", str(tmp_path))
    monkeypatch.setattr(full, "STORED", tmp_path / "nada")
    show_full(run)
    shown = capsys.readouterr().out
    assert "sin medir" in shown and all(source.name in shown for source in run.sources)
    full.save_results(run.name, asdict(run.rehearsal), [{"acierto": 0.5}], tmp_path)
    with pytest.raises(ValueError, match="se midió con otra receta"):
        stored_rows(run)
    full.save_results(run.name, asdict(run.settings), [{"acierto": 0.5}], tmp_path)
    assert stored_rows(run) == [{"acierto": 0.5}]
    show_full(run)
    assert "0,5" in capsys.readouterr().out


@pytest.mark.parametrize(
    "run", [r for r in RUNS.values() if any(s.variable for s in r.sources)], ids=lambda r: r.name
)
def test_a_missing_folder_is_told_and_a_wrong_one_is_an_error(run, monkeypatch, tmp_path, capsys):
    source = next(source for source in run.sources if source.variable)
    monkeypatch.setenv("TFCOURSE_PERFIL", "completo")
    monkeypatch.setenv("TFCOURSE_ENSAYO", "1")
    monkeypatch.setenv("TFCOURSE_SALIDA", str(tmp_path / "salida"))
    monkeypatch.delenv(source.variable, raising=False)
    show_full(run)
    assert f"falta {source.name}" in capsys.readouterr().out
    monkeypatch.setenv(source.variable, str(tmp_path / "no está"))
    with pytest.raises(FileNotFoundError, match=f"tiene que ser la de {re.escape(source.name)}"):
        source.folder()
    empty = tmp_path / "vacía"
    empty.mkdir()
    monkeypatch.setenv(source.variable, str(empty))
    with pytest.raises((FileNotFoundError, ValueError), match="[a-záéíóúñ]{4,}"):
        run_full(run)
    assert not list(Path(tmp_path).rglob("*.json"))
