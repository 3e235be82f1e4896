"""Ver sin etiquetas: lo que se entrena en la página, con otras semillas."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.stored.results import load_results

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/autosupervision.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_paints_better_than_who_does_not_look(chapter, seed):
    mine, blind = chapter["short_training"](seed)
    report(seed, f"error al pintar {mine:.3f}, y sin mirar {blind:.3f}")
    assert mine < 0.9 * blind


@pytest.mark.parametrize("seed", SEEDS)
def test_it_collapses_without_the_center_and_not_with_both(chapter, seed):
    both, uncentred = (
        chapter["information_of"](seed, **changes) for changes in ({}, {"balance": "nada"})
    )
    report(seed, f"información {both:.2f} con los dos y {uncentred:.2f} sin centrar")
    assert both > 0.08 > uncentred


def column(table, **wanted):
    """Los aciertos de una tabla, semilla a semilla."""
    rows = load_results(table)
    return [
        row["accuracy"] for row in rows if all(row.get(k) == v for k, v in wanted.items())
    ]  # fmt: skip


def always(first, second):
    """Si el primero acierta más que el segundo en las tres semillas."""
    assert len(first) == len(second) == 3
    return all(a > b for a, b in zip(first, second, strict=True))


def digits(name, how, per_class, place):
    return column("autosupervision", name=name, how=how, per_class=per_class, place=place)


def scenes(name, how, question, per_class):
    return column("autosupervision_escenas", name=name, how=how, question=question,
                  per_class=per_class)  # fmt: skip


def test_what_is_said_of_the_floors_with_the_digits():
    for n in (1, 5, 20, 100):
        pixels = [digits("píxeles", "vecinos", n, place) for place in ("en su sitio", "movidas")]
        still, moved = (digits("maestro", "vecinos", n, p) for p in ("en su sitio", "movidas"))
        assert always(moved, pixels[1]) and always(moved, digits("MAE", "vecinos", n, "movidas"))
        assert always(pixels[0], still) == (n >= 20)
        assert not always(still, pixels[0])


def test_what_is_said_of_the_rivals_with_the_digits():
    for place in ("en su sitio", "movidas"):
        quiet = {n: digits("maestro", "vecinos", n, place) for n in (1, 5, 20, 100)}
        assert always(quiet[1], digits("ViT", "de cero", 1, place))
        assert all(always(digits("ViT", "de cero", n, place), quiet[n]) for n in (20, 100))
        assert all(always(digits("CNN", "de cero", n, place), quiet[n]) for n in (5, 20, 100))
        assert not always(quiet[1], digits("CNN", "de cero", 1, place))
        patient = {n: digits("ViT", "con paciencia", n, place) for n in quiet}
        assert always(quiet[1], patient[1])
        assert not always(quiet[5], patient[5]) and not always(patient[5], quiet[5])
        assert all(always(patient[n], quiet[n]) for n in (20, 100))
        hasty, patient = (
            {n: digits("CNN", how, n, place) for n in quiet} for how in ("de cero", "con paciencia")
        )
        assert all(always(patient[n], quiet[n]) for n in (5, 20, 100))
        gains = {n: [a - b for a, b in zip(patient[n], hasty[n], strict=True)] for n in quiet}
        if place == "movidas":
            assert max(gains[5]) < 0 < min(gains[20] + gains[100])
        else:
            assert max(map(abs, sum(gains.values(), []))) < 0.02
    assert always(
        digits("maestro", "vecinos", 5, "movidas"), digits("ViT", "de cero", 5, "movidas")
    )
    for how in ("de cero", "con paciencia"):
        still, moved = (digits("ViT", how, 1, place) for place in ("en su sitio", "movidas"))
        assert always(digits("píxeles", "vecinos", 1, "en su sitio"), still)
        assert not always(digits("maestro", "sonda", 1, "movidas"), moved)


def test_what_is_said_of_the_scenes():
    for n in (20, 100):
        names = ("píxeles", "al azar", "MAE", "maestro")
        colour, figure = (
            {name: scenes(name, "sonda", question, n) for name in names}
            for question in ("color", "figura")
        )
        assert always(colour["maestro"], colour["al azar"])
        assert always(colour["MAE"], colour["al azar"]) == (n == 100)
        assert all(always(colour["píxeles"], colour[name]) for name in ("MAE", "maestro"))
        assert all(always(figure["al azar"], figure[name]) for name in ("MAE", "maestro"))


def drawings(name, how, per_class):
    return column("autosupervision_dibujos", name=name, how=how, per_class=per_class)


def test_what_is_said_of_the_drawings():
    probes = {
        n: {name: drawings(name, "sonda", n) for name in ("píxeles", "al azar", "MAE", "maestro")}
        for n in (5, 20, 60)
    }
    for n, probe in probes.items():
        assert always(probe["maestro"], probe["al azar"])
        assert always(probe["píxeles"], probe["maestro"]) == (n < 60)
    wins = [a > b for a, b in zip(probes[60]["píxeles"], probes[60]["maestro"], strict=True)]
    assert sum(wins) == 2
    for n in (20, 60):
        assert all(a >= b for a, b in zip(probes[n]["píxeles"], probes[n]["MAE"], strict=True))
        vit, cnn = (drawings(name, "de cero", n) for name in ("ViT", "CNN"))
        assert always(vit, cnn)
        beats = [a > b for a, b in zip(vit, probes[n]["maestro"], strict=True)]
        assert sum(beats) == {20: 3, 60: 2}[n]
        beats = [a > b for a, b in zip(vit, drawings("maestro", "vecinos", n), strict=True)]
        assert sum(beats) == {20: 2, 60: 3}[n]
        assert not always(probes[n]["maestro"], cnn) and not always(cnn, probes[n]["maestro"])
