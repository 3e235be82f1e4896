"""Secuencia a secuencia: la atención resuelve las fechas, y no cae donde el contexto fijo sí."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def seq2seq():
    return recipe("1_recurrencia/secuencia_a_secuencia.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_dates_are_solved_and_the_year_is_read_where_it_is(seq2seq, seed):
    train_model, batches = seq2seq["train_model"], seq2seq["date_batches"]
    model, _ = train_model("bahdanau", batches, seq2seq["date_vocabularies"], steps=240, seed=seed)
    accuracy, mass = seq2seq["score_dates"](model)["aciertos"], seq2seq["year_mass"](model)
    report(seed, f"fechas {accuracy:.1%}, masa en el año {mass:.1%}")
    assert accuracy >= 0.99 and mass >= 0.90


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_holds_where_the_fixed_context_collapses(seq2seq, seed):
    scores = {}
    for name in ("bahdanau", "fijo"):
        batches = seq2seq["encode_lists"](seq2seq["lists_train"])
        vocabularies = (seq2seq["english"], seq2seq["spanish"])
        model, _ = seq2seq["train_model"](name, batches, vocabularies, steps=300, seed=seed)
        lists = [seq2seq["lists_test"][n] for n in range(1, 5)]
        scores[name] = [seq2seq["score_list"](model, pairs) for pairs in lists]
        row = " ".join(f"{score:.1%}" for score in scores[name])
        report(seed, f"listas de 1 a 4, {name}: {row}")
    collapsed = [n for n, score in enumerate(scores["fijo"]) if score < 0.5]
    assert collapsed, "el contexto fijo no cae: la comparación no dice nada"
    assert all(scores["bahdanau"][n] >= 0.95 for n in collapsed)
