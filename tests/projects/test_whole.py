"""Los proyectos del traductor y de Whisper, resueltos y enteros: se prueba lo que aprenden.

En el acelerador se recortan sus entrenamientos y de lo que aprenden no se mira nada.
"""

import contextlib
import io
import linecache
from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest

from tests.conftest import ROOT
from tests.projects.test_steps import run
from tfcourse.exercises.markers import BEGIN_SOLUTION, solved
from tfcourse.sound.transcription.recipe import word_error

TRANSLATOR = ROOT / "chapters/1_recurrencia/maestros/proyecto_traductor.ipynb"
WHISPER = ROOT / "chapters/5_audio/maestros/proyecto_whisper.ipynb"


def solved_project(master: Path) -> Iterator[tuple[dict[str, str], dict]]:
    """Lo que dice cada celda, y los nombres que quedan al final."""
    names, found = {"__name__": "__main__"}, {}
    for cell in nbformat.read(master, as_version=4).cells:
        if cell.cell_type != "code" or cell.id == "preparacion" or cell.id.endswith("-prueba"):
            continue
        source = solved(cell.source) if BEGIN_SOLUTION in cell.source else cell.source
        with contextlib.redirect_stdout(io.StringIO()) as said:
            run(source, names)
        found[cell.id] = said.getvalue()
    plt.close("all")
    yield found, names
    linecache.clearcache()


@pytest.fixture(scope="module")
def told():
    """El proyecto del traductor."""
    yield from solved_project(TRANSLATOR)


@pytest.fixture(scope="module")
def dictated():
    """El proyecto de Whisper."""
    yield from solved_project(WHISPER)


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


@pytest.mark.lento
def test_it_is_the_whisper_of_the_course_floor_by_floor(dictated):
    lines = dictated[0]["resultado-cotejo"].splitlines()
    assert len(lines) == 1 + 2 + 1 + 2 + 1  # entrada, al oír, lo oído, al escribir y los logits


@pytest.mark.lento
def test_it_takes_dictation_as_the_whisper_of_the_course(dictated):
    names = dictated[1]
    own = names["word_error_rate"](names["written"], names["said"])
    assert abs(own - word_error(names["course"], names["test"])) < 0.01
    assert own < 0.1 < names["deaf"](names["said"])


@pytest.mark.lento
def test_the_cache_writes_the_same_with_fewer_products(dictated):
    names = dictated[1]
    again, memory, cache = names["products"].values()
    assert again > memory > cache and names["rows"][0] == names["rows"][2]


@pytest.mark.lento
def test_it_looks_at_each_word_while_it_sounds(dictated):
    """Lo que enseña el mapa: cada palabra se elige mirando, sobre todo, a cuando suena."""
    names = dictated[1]
    for row, word in zip(names["looked"], names["phrase"].words, strict=True):
        inside = (names["times"] >= word.start) & (names["times"] < word.end)
        assert row[inside].sum() > 0.5


@pytest.mark.lento
def test_its_own_whisper_hears_voices_it_has_not_heard(dictated):
    """Con las frases que sabe, mucho mejor que sin oír; con las de tres cifras, peor."""
    names = dictated[1]
    errors = {}
    for name, phrases in names["exams"].items():
        wanted = names["said_in"](phrases)
        found = names["dictation"](names["small"], phrases)
        errors[name] = names["word_error_rate"](found, wanted)
        assert names["deaf"](wanted) > 0.7
    known, longer = errors.values()
    assert known < 0.2 and longer > known + 0.1
    voices = {phrase.voice for phrases in names["exams"].values() for phrase in phrases}
    assert not voices & {speaker.voice for speaker in names["train_speakers"](2)}
