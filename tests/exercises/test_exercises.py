"""Cada ejercicio: su solución pasa, su hueco falla y cada error típico recibe su diagnóstico."""

import re

import nbformat
import pytest
import torch

from tests.conftest import ROOT
from tests.exercises.wrong_answers import collect
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises import RespuestaIncorrecta, comprobar
from tfcourse.exercises.markers import blanked, solved
from tfcourse.exercises.masters import masters

WRONG = collect()
ALL_WRONG = [
    pytest.param(name, wrong, id=f"{name}/{position}-{wrong.key}")
    for name, answers in WRONG.items()
    for position, wrong in enumerate(answers)
]
TRACEBACK_ENGLISH = re.compile(
    r"Traceback|most recent call|File \"|<module>|<lambda>|ipykernel|\bError\b|Exception|\bline \d"
)


def answer_cells():
    return {
        cell.id.removesuffix("-respuesta"): cell.source
        for master in masters(ROOT)
        for cell in nbformat.read(master, as_version=4).cells
        if cell.id.endswith("-respuesta")
    }


CELLS = answer_cells()


def run_cell(source):
    """Lo que define una celda, con los nombres que el cuaderno ya ha importado."""
    namespace = {"torch": torch}
    exec(compile(source, "<celda>", "exec"), namespace)
    return namespace


def complaint(name, answer):
    """Diagnóstico y mensaje que recibe una respuesta equivocada."""
    with pytest.raises(RespuestaIncorrecta) as caught:
        comprobar(name, answer)
    message = "\n".join(caught.value._render_traceback_())
    assert message == str(caught.value)
    ours = message.split("Mensaje original de Python:")[0]
    assert not TRACEBACK_ENGLISH.search(ours), ours
    assert message.startswith("✗ ") and "pista(1)" in message
    return caught.value.diagnosis, message


def test_every_exercise_has_a_cell_and_wrong_answers():
    assert CELLS.keys() == EXERCISES.keys() == WRONG.keys()


@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_passes_and_the_notebook_seed_is_left_alone(name, capsys):
    answer = run_cell(solved(CELLS[name]))[EXERCISES[name].task.function]
    before = torch.get_rng_state()
    comprobar(name, answer)
    assert capsys.readouterr().out.startswith(f"✓ {EXERCISES[name].card.title} · correcto")
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_blank_says_that_there_is_no_answer_yet(name):
    answer = run_cell(blanked(CELLS[name]))[EXERCISES[name].task.function]
    diagnosis, message = complaint(name, answer)
    assert diagnosis.key == "sin-escribir"
    assert "falta tu respuesta" in message and "todavía no has escrito tu respuesta" in message
    assert "Mensaje original" not in message


@pytest.mark.parametrize(("name", "wrong"), ALL_WRONG)
def test_each_typical_mistake_gets_its_own_diagnosis(name, wrong):
    diagnosis, message = complaint(name, wrong.answer)
    assert diagnosis.key == wrong.key, message
    assert wrong.fragment in diagnosis.likely


@pytest.mark.parametrize("name", EXERCISES)
def test_every_mistake_the_checker_knows_is_made_by_somebody(name):
    from tests.exercises.test_known_slips import WRONG as SLIPS

    known = [mistake.key for mistake in EXERCISES[name].task.mistakes]
    assert len(known) == len(set(known)) >= 3
    made = {key for slip, _, key in SLIPS if slip == name}
    assert set(known) <= made | {wrong.key for wrong in WRONG[name]}


@pytest.mark.parametrize("name", EXERCISES)
def test_mistakes_do_not_share_their_text(name):
    texts = [mistake.message for mistake in EXERCISES[name].task.mistakes]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("name", ["memoria", "a-mano"])
def test_what_is_done_by_hand_is_not_revealed(name):
    """El mensaje no dice los números buscados: serían la solución."""
    for wrong in WRONG[name]:
        _, message = complaint(name, wrong.answer)
        assert "Se esperaba:" not in message


def test_the_message_shows_what_was_expected_and_what_came():
    diagnosis, message = complaint("contexto", lambda alpha, h: h.sum(1))
    assert "Caso de prueba: un lote de 3 frases de 5 palabras" in message
    assert "Se esperaba: tensor de forma (3, 4) y tipo float32, cuya primera fila es [" in message
    assert "Ha llegado: tensor de forma (3, 4)" in message
    assert diagnosis.expected != diagnosis.received


def test_what_the_notebook_has_switched_off_does_not_matter():
    """Ni el dispositivo por omisión ni un `no_grad` olvidado cambian el veredicto."""
    answer = run_cell(solved(CELLS["luong"]))["luong_step"]
    torch.set_default_device("meta")
    try:
        with torch.no_grad():
            comprobar("luong", answer)
    finally:
        torch.set_default_device(None)
