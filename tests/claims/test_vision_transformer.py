"""El Vision Transformer lee cifras reales, y los parches y las posiciones hacen lo que se dice."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/vision_transformer.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_reads_digits_and_the_convolution_wins_with_less(chapter, seed):
    models, accuracy = chapter["contest"](seed)
    vit = models["ViT"]
    _, kept, random = chapter["larger_images"](vit)
    convolution = chapter["image_accuracy"](models["CNN"], chapter["enlarged"](chapter["test"], 12))
    found = chapter["rankings"](vit)
    last, chance = (
        chapter["erased_accuracy"](vit, found[n], 2) for n in ("última capa", "al azar")
    )
    rollout, ink = (
        chapter["erased_accuracy"](vit, found[n], 2) for n in ("despliegue", "más tinta")
    )
    shares = ", ".join(f"{name} {share:.1%}" for name, share in accuracy.items())
    report(
        seed,
        f"{shares}; a 12 × 12, {kept:.1%} (posiciones al azar {random:.1%}, convolución "
        f"{convolution:.1%}); sin dos parches, última capa {last:.1%}, despliegue {rollout:.1%}, "
        f"tinta {ink:.1%}, al azar {chance:.1%}",
    )  # fmt: skip
    assert accuracy["ViT"] > 0.97 and accuracy["ViT con tallo"] > 0.975
    assert accuracy["CNN"] > 0.975
    assert kept > random + 0.15 and last < chance - 0.05
    assert last - 0.1 < rollout < chance and ink < last + 0.1  # contar tinta no señala peor
    assert kept < accuracy["ViT"] - 0.05  # al ampliar se pierde bastante
    assert convolution < accuracy["CNN"] - 0.3  # y quien no tiene posiciones, más
