"""Buscador de agujas: formas, y de qué depende cada respuesta según el núcleo."""

import pytest
import torch

from tfcourse.datasets.puzzles.needles import make_needles
from tfcourse.layers.kernels import KERNELS
from tfcourse.models.needles import NeedleConfig, NeedleFinder


def finder(kernel, length=128, budget=8):
    torch.manual_seed(0)
    return NeedleFinder(NeedleConfig(length, kernel, budget=budget)).eval()


def inputs(length=128):
    return make_needles(3, length, generator=torch.Generator().manual_seed(0)).inputs


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_answer_per_question(kernel):
    model = finder(kernel)
    assert model(*inputs()).shape == (3, 8, 10)
    assert model.kind.num_embeddings == len(inputs()[0].unique())


@pytest.mark.parametrize(
    "kernel, reaches",
    [("ventana", False), ("segmentos", False), ("Longformer", True), ("FNet", True)],
)
def test_what_each_kernel_can_know_of_the_beginning(kernel, reaches):
    model, (kinds, letters, digits) = finder(kernel), inputs()
    moved = digits.clone()
    moved[:, :20] = (moved[:, :20] + 1) % 10
    changed = not torch.equal(model(kinds, letters, digits), model(kinds, letters, moved))
    assert changed == reaches
