"""Análisis de sentimiento: con pocas etiquetas gana el léxico; con muchas, quien lee en orden."""

from statistics import mean

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.metrics.intervals import mean_interval
from tfcourse.stored.results import load_results
from tfcourse.text.sentiment.recipe import (
    ATTENTION,
    BERT,
    CONVOLUTION,
    LEXICON,
    MODELS,
    RECURRENT,
    SVM,
)

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]
READERS = (RECURRENT, CONVOLUTION, ATTENTION)


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/sentimiento.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_with_few_labels_the_lexicon_wins(chapter, seed):
    found, reviews = chapter["small_data"](seed)
    scores = {name: chapter["total"](outcome, reviews) for name, outcome in found.items()}
    report(seed, "300: " + "; ".join(f"{name} {v:.1%}" for name, v in scores.items()))
    lexicon = scores.pop(chapter["LEXICON"])
    assert lexicon >= max(scores.values()) + 0.03


@pytest.mark.parametrize("seed", SEEDS)
def test_with_many_labels_reading_in_order_pays_where_it_should(chapter, seed):
    names = chapter["SVM"], chapter["CONVOLUTION"]
    found, reviews = chapter["large_data"](seed, names)
    bag, conv = (chapter["hits_by_slice"](reviews, found[name].guesses) for name in names)
    report(seed, "4800: " + "; ".join(
        f"{name} {row['accuracy']:.1%} (contraste {row['contraste']:.1%})"
        for name, row in zip(names, (bag, conv), strict=True)
    ))  # fmt: skip
    assert conv["accuracy"] >= bag["accuracy"] + 0.03
    assert conv["contraste"] >= bag["contraste"] + 0.10


def column(model, size, key="accuracy", clean=True):
    rows = load_results("sentimiento_resenas")
    wanted = (model, size, clean)
    return [row[key] for row in rows if (row["model"], row["size"], row["clean"]) == wanted]


def film_column(model, size):
    rows = load_results("sentimiento_cine")
    return [row["accuracy"] for row in rows if (row["model"], row["size"]) == (model, size)]


def wins(first, second):
    """Si el primero saca al segundo, semilla a semilla, más que el radio de su intervalo."""
    gap, radius = mean_interval([a - b for a, b in zip(first, second, strict=True)])
    return gap > radius


def test_who_beats_whom_in_the_stored_reviews():
    """Lo que el texto dice de cada tamaño: el bloque gana a tres y pierde con dos."""
    block = column(ATTENTION, 4800)
    assert all(wins(block, column(name, 4800)) for name in (SVM, LEXICON, BERT))
    assert all(wins(column(name, 4800), block) for name in (RECURRENT, CONVOLUTION))
    assert not wins(column(CONVOLUTION, 4800), column(RECURRENT, 4800))
    assert not wins(column(RECURRENT, 4800), column(CONVOLUTION, 4800))
    assert all(wins(column(LEXICON, 300), column(name, 300)) for name in MODELS[1:])
    for name in (SVM, CONVOLUTION, ATTENTION):
        assert not wins(column(LEXICON, 1200), column(name, 1200))
    assert not wins(column(ATTENTION, 1200), column(SVM, 1200))
    assert not wins(column(ATTENTION, 300), column(SVM, 300))


def test_what_is_said_of_each_kind_of_review():
    contrast = {(name, size): mean(column(name, size, "contraste")) for name in MODELS
                for size in (300, 4800)}  # fmt: skip
    assert max(contrast[name, 300] for name in MODELS[1:]) < 0.5
    assert abs(contrast[SVM, 4800] - 0.5) < 0.05
    assert min(contrast[name, 4800] for name in READERS) > 0.6
    assert (
        contrast[ATTENTION, 4800] < min(contrast[n, 4800] for n in (RECURRENT, CONVOLUTION)) - 0.1
    )
    assert max(mean(column(LEXICON, 4800, kind)) for kind in ("ironía", "mixta")) < 0.2
    assert mean(column(SVM, 4800, "ironía")) > 0.8
    assert max(mean(column(name, 4800, "mixta")) for name in MODELS) < 0.7
    for name in (RECURRENT, CONVOLUTION):
        new, seen = (mean(column(name, 4800, key)) for key in ("palabra nueva", "palabras vistas"))
        assert new < seen - 0.1


def test_of_all_the_cleanings_only_one_pays():
    sizes = (300, 1200, 4800)
    paid = [(n, s) for n in MODELS for s in sizes if wins(column(n, s), column(n, s, clean=False))]
    lost = [(n, s) for n in MODELS for s in sizes if wins(column(n, s, clean=False), column(n, s))]
    assert (paid, lost) == ([(SVM, 4800)], [])


def test_who_beats_whom_in_the_films():
    svm, vader = {size: film_column(SVM, size) for size in (1000, 4000)}, film_column("VADER", 0)
    assert all(wins(svm[1000], film_column(name, 1000)) for name in READERS)
    assert all(wins(svm[4000], film_column(name, 4000)) for name in (RECURRENT, CONVOLUTION))
    block = film_column(ATTENTION, 4000)
    assert not wins(svm[4000], block) and mean(svm[4000]) > mean(block)
    for name in (RECURRENT, CONVOLUTION):
        assert not wins(block, film_column(name, 4000))
    assert mean(vader) > mean(film_column(RECURRENT, 1000)) + 0.03
    assert not wins(svm[1000], vader) and not wins(vader, film_column(ATTENTION, 1000))
    assert not wins(film_column(ATTENTION, 1000), vader)


def frozen_column(size, key="accuracy", texts="reseñas"):
    rows = load_results("sentimiento_publicado")
    return [row[key] for row in rows if (row["texts"], row["size"]) == (texts, size)]


def test_who_beats_whom_when_e5_is_not_tuned():
    """Con 300, a todos menos al léxico; con 1200, a todos; con 4800 pierde con dos."""
    few = frozen_column(300)
    assert all(wins(few, column(name, 300)) for name in MODELS if name != LEXICON)
    assert not wins(few, column(LEXICON, 300)) and not wins(column(LEXICON, 300), few)
    assert all(wins(frozen_column(1200), column(name, 1200)) for name in MODELS)
    many = frozen_column(4800)
    assert all(wins(column(name, 4800), many) for name in (RECURRENT, CONVOLUTION))
    assert all(wins(many, column(name, 4800)) for name in (LEXICON, SVM, ATTENTION, BERT))


def test_what_is_said_of_e5_by_kind_and_in_the_films():
    means = {
        kind: {name: mean(column(name, 4800, kind)) for name in MODELS} | {
            "E5": mean(frozen_column(4800, kind))
        }
        for kind in ("negación", "contraste", "mixta", "palabra nueva")
    }  # fmt: skip
    for kind in ("negación", "contraste"):
        assert means[kind]["E5"] < min(means[kind][name] for name in (RECURRENT, CONVOLUTION))
    assert means["contraste"]["E5"] < means["contraste"][LEXICON]
    for kind in ("mixta", "palabra nueva"):
        assert max(means[kind], key=means[kind].get) == "E5"
    for name in (RECURRENT, CONVOLUTION):
        new = frozen_column(4800, "palabra nueva"), column(name, 4800, "palabra nueva")
        assert not wins(*new) and not wins(*reversed(new))
    for size in (1000, 4000):
        films = frozen_column(size, texts="críticas")
        assert wins(films, film_column("VADER", 0))
        assert all(wins(films, film_column(name, size)) for name in (SVM, *READERS))
    assert wins(frozen_column(1000, texts="críticas"), film_column(SVM, 4000))


def test_what_erasing_says():
    """Los gradientes señalan mucho mejor que el azar, y la integral, lo mismo que la tangente."""

    def drops(model, part, pointer):
        rows = load_results("sentimiento_borrado")
        wanted = (model, part, pointer)
        return [
            row["drop"] for row in rows if (row["model"], row["part"], row["pointer"]) == wanted
        ]

    for model in (CONVOLUTION, ATTENTION):
        for part in ("aciertos", "errores"):
            integral, tangent, chance = (
                drops(model, part, name)
                for name in ("gradientes integrados", "gradiente por entrada", "al azar")
            )
            assert len(integral) == 5 and max(chance) < 0.1
            assert min(integral) > 0.25 and min(tangent) > 0.25
            assert abs(mean(integral) - mean(tangent)) < 0.01
    received = drops(ATTENTION, "todas", "atención recibida")
    assert wins(drops(ATTENTION, "todas", "gradientes integrados"), received)
    assert min(received) > 0.2
