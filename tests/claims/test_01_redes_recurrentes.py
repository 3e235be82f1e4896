"""Capítulo 1: cada conexión recuerda lo suyo, la red gana al trigrama y leer después ayuda."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("1_recurrencia/01_redes_recurrentes.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_returns_decides_what_is_remembered(chapter, seed):
    parity, echo = (chapter["compare_wirings"](task, seed) for task in ("paridad", "eco"))
    forgetful = echo["vuelve la salida", 100]
    report("01", seed, f"paridad {min(parity.values()):.1%}; eco sin estado {forgetful:.1%}")
    assert min(parity.values()) > 0.95
    assert echo["vuelve el estado", 100] > 0.95 and forgetful < 0.60


@pytest.mark.parametrize("seed", SEEDS)
def test_drawings_are_described(chapter, seed):
    model = chapter["train_captioner"](seed)
    scores = [
        chapter["exact_match"](chapter["describe"](model, part.images), part.captions)
        for part in (chapter["new_drawings"], chapter["new_kinds"])
    ]
    report("01", seed, f"dibujos nuevos {scores[0]:.1%}, combinaciones nuevas {scores[1]:.1%}")
    assert scores[0] > 0.90


@pytest.mark.parametrize("seed", SEEDS)
def test_the_network_beats_the_trigram(chapter, seed):
    model, _ = chapter["train_language_model"](seed)
    bits, counts = chapter["bits_of_model"](model), chapter["count_bits"]
    table = ", ".join(f"{order}-grama {value:.3f}" for order, value in counts.items())
    report("01", seed, f"bits por carácter: red {bits:.3f}; {table}")
    assert bits < counts[2] - 0.9 and bits < counts[3] - 0.4


@pytest.mark.parametrize("seed", SEEDS)
def test_reading_after_the_gap_helps(chapter, seed):
    accuracy = {}
    for design in chapter["DESIGNS"]:  # con menos pasos que en la página: ya se ve
        filler = chapter["train_gap_filler"](design, seed, steps=300)
        accuracy[design] = chapter["gap_hits"](filler).float().mean().item()
    majority = chapter["majority"]
    row = ", ".join(f"{design} {value:.1%}" for design, value in accuracy.items())
    report("01", seed, f"huecos: {row}; la más frecuente {majority:.1%}")
    assert accuracy["causal"] > majority + 0.05
    assert accuracy["bidireccional"] > accuracy["causal"] + 0.07


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hundred_steps_ago_is_forgotten(chapter, seed):
    near, far = (chapter["remembered"](delay, seed) for delay in (5, 100))
    report("01", seed, f"recordar tras 5 pasos {near:.1%}; tras 100, {far:.1%}")
    assert near > 0.95 and far < 0.25
