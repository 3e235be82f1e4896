"""Dibujos y descripciones: reproducibles, concordantes y fieles al dibujo."""

import pytest
import torch

from tfcourse.datasets.pictures.captions import HELD_OUT, KINDS, caption, drawings


def test_agreement():
    assert " ".join(caption("cruz", "rojo", "arriba", "derecha")) == (
        "una cruz roja arriba a la derecha"
    )
    assert caption("cruz", "verde", "abajo", "izquierda")[2] == "verde"
    assert " ".join(caption("círculo", "amarillo", "abajo", "izquierda")) == (
        "un círculo amarillo abajo a la izquierda"
    )


def test_the_drawing_is_where_and_as_it_says():
    for kind in KINDS:
        image = drawings(1, (kind,), seed=3).images[0]
        rows, columns = image.sum(0).sum(1), image.sum(0).sum(0)
        assert (rows[:8].sum() > rows[8:].sum()) == (kind[2] == "arriba")
        assert (columns[:8].sum() > columns[8:].sum()) == (kind[3] == "izquierda")
        lit = (image.amax(dim=(1, 2)) > 0.8).tolist()
        assert (
            lit
            == {
                "rojo": [True, False, False],
                "verde": [False, True, False],
                "azul": [False, False, True],
                "amarillo": [True, True, False],
            }[kind[1]]
        )


def test_every_word_of_what_is_held_out_is_seen():
    seen = [kind for kind in KINDS if kind not in HELD_OUT]
    assert len(HELD_OUT) == 8 and len(seen) == 56
    assert {w for k in HELD_OUT for w in caption(*k)} <= {w for k in seen for w in caption(*k)}


def test_one_seed_one_set():
    first, again, other = (drawings(20, seed=seed) for seed in (4, 4, 5))
    assert torch.equal(first.images, again.images) and first.captions == again.captions
    assert not torch.equal(first.images, other.images)
    assert first.images.shape == (20, 3, 16, 16) and len(first) == 20


def test_nothing_to_draw_is_refused():
    with pytest.raises(ValueError, match="hace falta al menos uno"):
        drawings(0)
