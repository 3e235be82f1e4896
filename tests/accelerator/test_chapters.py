"""Cada capítulo y cada cuaderno de ejercicios, de principio a fin en el acelerador.

Los entrenamientos son de dos pasos, así que lo aprendido no se mira: una celda que falla igual en
la CPU con el mismo recorte no dice nada del dispositivo y no cuenta. Lo demás, sí.
"""

import pytest

from tests.accelerator.notebooks import OWN_LOOP, OWN_READS, cells, only_there, run_notebook
from tests.conftest import ROOT
from tfcourse.exercises.masters import masters, project_masters
from workshop.notebooks import book_notebooks, is_exercises

MASTERS = [*masters(ROOT), *project_masters(ROOT)]
NOTEBOOKS = [path for path in book_notebooks(ROOT) if not is_exercises(path)] + MASTERS
# Como en `completo`: en float32 no falla nada que no falle también así.
PRECISION = "bf16"


@pytest.mark.lento
@pytest.mark.larga
@pytest.mark.por_turnos(por="caso", otro=True)
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_whole_on_the_device(notebook, tmp_path):
    there = run_notebook(notebook, tmp_path, device="acelerador", precision=PRECISION)
    assert not there.panels, "\n".join([f"{notebook.stem}, sus paneles:", *there.panels])
    if there.failures:
        here = run_notebook(notebook, tmp_path, device="cpu")
        found = only_there(there.failures, here.failures)
        assert not found, "\n".join([f"{notebook.stem}, {len(found)} celdas:", *map(str, found)])


def test_every_chapter_and_its_exercises_are_here():
    names = {path.stem for path in NOTEBOOKS}
    assert names == {path.stem for path in book_notebooks(ROOT)}


def test_what_a_chapter_does_step_by_step_on_its_own_is_cut():
    page = next(path for path in NOTEBOOKS if path.stem == "redes_recurrentes")
    sources = "\n".join(source for _, source, _ in cells(page))
    assert OWN_LOOP not in sources and "range(min(50, steps))" in sources
    assert not OWN_READS.search(sources.replace(":1_000]", "")) and "_ids[:1_000]" in sources


def test_exercises_run_with_their_solutions():
    sources = [source for path in MASTERS for _, source, _ in cells(path)]
    assert any("comprobar(" in source for source in sources)
    assert not any("INICIO SOLUCIÓN" in source for source in sources)
