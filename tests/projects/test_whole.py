"""El proyecto del traductor, resuelto y con todos sus pasos: se prueba lo que llega a aprender.

En el acelerador se recorta su entrenamiento y de lo que aprende no se mira nada.
"""

import contextlib
import io
import linecache

import matplotlib.pyplot as plt
import nbformat
import pytest

from tests.conftest import ROOT
from tests.projects.test_steps import run
from tfcourse.exercises.markers import BEGIN_SOLUTION, solved

MASTER = ROOT / "chapters/1_recurrencia/maestros/proyecto_traductor.ipynb"


@pytest.fixture(scope="module")
def told():
    """Lo que dice cada celda, y los nombres que quedan al final."""
    names, found = {"__name__": "__main__"}, {}
    for cell in nbformat.read(MASTER, as_version=4).cells:
        if cell.cell_type != "code" or cell.id == "preparacion" or cell.id.endswith("-prueba"):
            continue
        source = solved(cell.source) if BEGIN_SOLUTION in cell.source else cell.source
        with contextlib.redirect_stdout(io.StringIO()) as said:
            run(source, names)
        found[cell.id] = said.getvalue()
    plt.close("all")
    yield found, names
    linecache.clearcache()


@pytest.mark.lento
def test_it_is_the_model_of_the_course_step_by_step(told):
    lines = told[0]["resultado-cotejo"].splitlines()
    assert len(lines) == 2 + 11  # lo leído, el estado inicial y los diez símbolos con su fin


@pytest.mark.lento
def test_it_writes_dates_and_looks_where_it_copies_from(told):
    lines = told[0]["resultado-traducir"].splitlines()
    assert len(lines) == 6
    for date, iso in (("marzo de 1987", "1987-03-05"), ("9-11-2031", "2031-11-09")):
        (line,) = (line for line in lines if date in line)
        assert line.count(iso) == 2, line  # la voraz y el haz
    assert "Al escribir el año" in told[0]["resultado-mapa"]


@pytest.mark.lento
def test_it_learns_to_translate_lists_it_has_not_read(told):
    names = told[1]
    assert names["exact"] / len(names["written"]) >= 0.9
    assert max(names["sizes"]) > names["limit"]  # la línea de la figura se cruza
    assert not {pair.source for pair in names["known"]} & {pair.source for pair in names["new"][2]}


@pytest.mark.lento
def test_each_adjective_looks_at_its_own(told):
    """Lo que enseña el último mapa: al escribir un adjetivo se mira al suyo, que va cruzado."""
    names = told[1]
    looked, pair = names["looked"], names["pair"]
    turned = [t for t, i in enumerate(pair.alignment[1:], start=1) if i < pair.alignment[t - 1]]
    assert turned and all(looked[t].argmax() == pair.alignment[t] for t in turned)
