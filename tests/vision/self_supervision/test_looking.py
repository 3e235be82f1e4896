"""A dónde mira un codificador y si algún parche se le dispara."""

import pytest
import torch

from tfcourse.models.vit import ViTConfig
from tfcourse.models.vit_published import RegisteredEncoder
from tfcourse.vision.self_supervision.looking import class_looks, largest_norm

CONFIG = ViTConfig(1, image_size=4, d_model=16, n_heads=2, n_layers=1, d_hidden=16)


@pytest.mark.parametrize("n_registers", [0, 2])
def test_looks_are_the_part_of_each_patch(n_registers):
    torch.manual_seed(0)
    encoder, images = RegisteredEncoder(CONFIG, n_registers), torch.rand(3, 1, 4, 4)
    looks = class_looks(encoder, images)
    whole = encoder.attention_maps(images)[-1].mean(1)[:, 0]
    assert looks.shape == (3, 2, 2)
    torch.testing.assert_close(looks.flatten(1), whole[:, 1 + n_registers :])
    rest = whole[:, : 1 + n_registers].sum(1)
    torch.testing.assert_close(looks.sum((1, 2)) + rest, torch.ones(3))


def test_norms_are_of_patches_and_not_of_registers():
    torch.manual_seed(0)
    encoder, images = RegisteredEncoder(CONFIG, 2), torch.rand(3, 1, 4, 4)
    for block in encoder.blocks:  # los bloques, sin sumar nada
        for parameter in block.parameters():
            parameter.data.zero_()
    norms = encoder.patches_of(encoder.tokens(images)).norm(dim=-1).detach()
    wanted = float(norms.max() / norms.median())
    assert largest_norm(encoder, images) == pytest.approx(wanted, rel=1e-5)
    with torch.no_grad():
        encoder.registers.mul_(1e4)  # los registros no cuentan
    assert largest_norm(encoder, images) == pytest.approx(wanted, rel=1e-5)
