"""Recurrencia: cada conexión recuerda lo suyo, la red iguala al 4-grama y leer después ayuda."""

import re
from statistics import mean, median

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.metrics.multiplications import n_parameters

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("1_recurrencia/redes_recurrentes.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_returns_decides_what_is_remembered(chapter, seed):
    parity, echo = (chapter["compare_wirings"](task, seed) for task in ("paridad", "eco"))
    forgetful = [echo["vuelve la salida", length] for length in (12, 100)]
    report(
        seed,
        f"paridad {min(parity.values()):.1%}; eco sin estado {max(forgetful):.1%}",
    )
    assert min(parity.values()) > 0.95
    # Desde la tercera respuesta: las dos primeras son constantes y no cuentan como azar.
    assert echo["vuelve el estado", 100] > 0.95 and all(0.45 < hits < 0.55 for hits in forgetful)


@pytest.mark.parametrize("seed", SEEDS)
def test_drawings_are_described(chapter, seed):
    model = chapter["train_captioner"](seed)
    drawings, kinds = chapter["new_drawings"], chapter["new_kinds"]
    written = [chapter["describe"](model, part.images) for part in (drawings, kinds)]
    scores = [
        chapter["exact_match"](sentences, part.captions)
        for sentences, part in zip(written, (drawings, kinds), strict=True)
    ]
    mistakes = [w for w, c in zip(written[1], kinds.captions, strict=True) if w != c]
    known = chapter["share_known"](mistakes)
    report(
        seed,
        f"dibujos nuevos {scores[0]:.1%}, combinaciones nuevas {scores[1]:.1%}; "
        f"de las mal descritas, {known:.1%} como una conocida",
    )
    assert scores[0] > 0.90 and scores[1] < 0.80
    assert known > 0.80


@pytest.mark.parametrize("seed", SEEDS)
def test_the_network_beats_the_trigram_and_ties_with_the_fourgram(chapter, seed):
    model, _ = chapter["train_language_model"](seed)
    bits, counts = chapter["bits_of_model"](model), chapter["count_bits"]
    table = ", ".join(f"{order}-grama {value:.3f}" for order, value in counts.items())
    report(seed, f"bits por carácter: red {bits:.3f}; {table}")
    assert bits < counts[2] - 0.9 and bits < counts[3] - 0.4
    assert bits == pytest.approx(counts[4], abs=0.04) and bits > counts[5] + 0.2
    sizes = chapter["count_sizes"]  # el precio: tantas cuentas como parámetros
    assert sizes[4] == pytest.approx(n_parameters(model), rel=0.05)
    assert sizes[5] > 2.5 * sizes[4]


def test_parentheses_are_short_and_rare(chapter):
    for text in (chapter["train_text"], chapter["test_text"]):
        inside = [len(found) - 2 for found in re.findall(r"\([^()\n]*\)", text)]
        assert median(inside) < 10 and mean(length >= 20 for length in inside) < 0.05
        assert sum(inside) < 0.01 * len(text)


@pytest.mark.parametrize("seed", SEEDS)
def test_reading_after_the_gap_helps(chapter, seed):
    accuracy = {}
    for design in chapter["DESIGNS"]:  # con menos pasos que en la página: ya se ve
        filler = chapter["train_gap_filler"](design, seed, steps=300)
        accuracy[design] = chapter["gap_hits"](filler).float().mean().item()
    majority = chapter["majority"]
    row = ", ".join(f"{design} {value:.1%}" for design, value in accuracy.items())
    report(seed, f"huecos: {row}; la más frecuente {majority:.1%}")
    assert accuracy["causal"] > majority + 0.05
    assert accuracy["bidireccional"] > accuracy["causal"] + 0.07


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hundred_steps_ago_is_forgotten(chapter, seed):
    near, far = (chapter["remembered"](delay, seed) for delay in (5, 100))
    report(seed, f"recordar tras 5 pasos {near:.1%}; tras 100, {far:.1%}")
    assert near > 0.95 and far < 0.25
