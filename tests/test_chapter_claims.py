"""Lo que cada capítulo afirma se sostiene con otras semillas, con el código que enseña la página.

Las celdas con la etiqueta «receta» se ejecutan tal cual y sus funciones entrenan aquí.
"""

import nbformat
import pytest

from tests.conftest import CHAPTER_TABLE, ROOT

pytestmark = pytest.mark.lento
SEEDS = range(5)


def recipe(path):
    """Espacio de nombres que dejan las celdas «receta» de un cuaderno."""
    notebook = nbformat.read(ROOT / "chapters" / path, as_version=4)
    cells = [c for c in notebook.cells if "receta" in c.metadata.get("tags", [])]
    assert cells, f"{path} no tiene celdas con la etiqueta «receta»"
    names = {}
    for cell in cells:
        exec(compile(cell.source, str(path), "exec"), names)
    return names


@pytest.fixture(scope="module")
def seq2seq():
    return recipe("1_recurrencia/03_secuencia_a_secuencia.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_dates_are_solved_and_the_year_is_read_where_it_is(seq2seq, seed):
    train_model, batches = seq2seq["train_model"], seq2seq["date_batches"]
    model, _ = train_model("bahdanau", batches, seq2seq["date_vocabularies"], steps=200, seed=seed)
    accuracy, mass = seq2seq["score_dates"](model)["aciertos"], seq2seq["year_mass"](model)
    CHAPTER_TABLE.append(f"03, semilla {seed}: fechas {accuracy:.1%}, masa en el año {mass:.1%}")
    assert accuracy >= 0.99 and mass >= 0.90


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_holds_where_the_fixed_context_collapses(seq2seq, seed):
    scores = {}
    for name in ("bahdanau", "fijo"):
        batches = seq2seq["encode_lists"](seq2seq["lists_train"])
        vocabularies = (seq2seq["english"], seq2seq["spanish"])
        model, _ = seq2seq["train_model"](name, batches, vocabularies, steps=250, seed=seed)
        lists = [seq2seq["lists_test"][n] for n in range(1, 5)]
        scores[name] = [seq2seq["score_list"](model, pairs) for pairs in lists]
        row = " ".join(f"{score:.1%}" for score in scores[name])
        CHAPTER_TABLE.append(f"03, semilla {seed}: listas de 1 a 4, {name}: {row}")
    collapsed = [n for n, score in enumerate(scores["fijo"]) if score < 0.5]
    assert collapsed, "el contexto fijo no cae: la comparación no dice nada"
    assert all(scores["bahdanau"][n] >= 0.95 for n in collapsed)
