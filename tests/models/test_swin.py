"""Swin: paridad con torchvision, bloque a bloque y entero, tamaños publicados y errores."""

import pytest
import torch
from torch import nn

from tfcourse.models.swin import VARIANTS, PatchMerging, Swin, SwinBlock, SwinConfig
from tfcourse.vision.hierarchy.pretrained import swin_block_state, swin_state_from_torchvision

library = pytest.importorskip("torchvision.models.swin_transformer")


def shaken(module):
    """En float64 y con pesos al azar: que nada valga 0 ni 1."""
    torch.manual_seed(2)
    with torch.no_grad():
        for parameter in module.parameters():
            nn.init.normal_(parameter, std=0.3)
    return module.double().eval()


def torchvision_swin(**options):
    sizes = {"patch_size": [2, 2], "embed_dim": 8, "depths": [2, 3], "num_heads": [2, 4],
             "window_size": [4, 4], "mlp_ratio": 2.0, "num_classes": 5}  # fmt: skip
    return shaken(library.SwinTransformer(**sizes | options))


def ours(**options):
    sizes = {"channels": 3, "patch_size": 2, "window": 4, "d_model": 8, "n_layers": (2, 3),
             "n_heads": (2, 4), "expansion": 2}  # fmt: skip
    return Swin(SwinConfig(5, **sizes | options)).double().eval()


@pytest.mark.parametrize("shift", [0, 1, 2])
@pytest.mark.parametrize("grid", [(8, 8), (8, 12), (4, 12), (4, 4), (7, 9), (3, 10)])
def test_block_same_as_torchvision_with_its_weights(grid, shift):
    theirs = shaken(library.SwinTransformerBlock(8, 2, [4, 4], [shift, shift], mlp_ratio=2.0))
    mine = SwinBlock(8, 2, 16, window=4, shift=shift).double()
    mine.load_state_dict(swin_block_state(theirs.state_dict()))
    x = torch.randn(3, *grid, 8, dtype=torch.double)
    torch.testing.assert_close(mine(x), theirs(x), atol=1e-10, rtol=0)


@pytest.mark.parametrize("grid", [(4, 6), (5, 7)])
def test_merging_same_as_torchvision_with_its_weights(grid):
    theirs, mine = shaken(library.PatchMerging(6)), PatchMerging(6).double()
    state = theirs.state_dict()
    mine.load_state_dict({"norm.gain": state["norm.weight"], "norm.bias": state["norm.bias"],
                          "projection.weight": state["reduction.weight"]})  # fmt: skip
    x = torch.randn(2, *grid, 6, dtype=torch.double)
    torch.testing.assert_close(mine(x), theirs(x), atol=1e-12, rtol=0)


@pytest.mark.parametrize("sides", [(16, 16), (16, 24), (20, 20)])
def test_whole_model_same_as_torchvision_with_its_weights(sides):
    theirs, mine = torchvision_swin(), ours()
    mine.load_state_dict(swin_state_from_torchvision(theirs.state_dict()))
    images = torch.rand(2, 3, *sides, dtype=torch.double)
    with torch.no_grad():
        torch.testing.assert_close(mine(images), theirs(images), atol=1e-9, rtol=0)


@pytest.mark.parametrize(
    ("name", "builder", "millions"),
    [("Swin-T", "swin_t", 28), ("Swin-S", "swin_s", 50), ("Swin-B", "swin_b", 88)],
)
def test_published_sizes(name, builder, millions):
    with torch.device("meta"):
        mine, theirs = Swin(SwinConfig(**VARIANTS[name])), getattr(library, builder)()
    count = sum(p.numel() for p in mine.parameters())
    assert count == sum(p.numel() for p in theirs.parameters())
    assert abs(count / 1e6 - millions) < 0.6


def test_each_stage_has_half_the_side_and_twice_the_width():
    model = ours()
    shapes = [tuple(m.shape) for m in model.maps(torch.rand(1, 3, 32, 16, dtype=torch.double))]
    assert shapes == [(1, 16, 8, 8), (1, 8, 4, 16)]
    assert [block.attention.shift for block in model.stages[1]] == [0, 2, 0]
    still = ours(shifted=False)
    assert {block.attention.shift for stage in still.stages for block in stage} == {0}


def test_bad_input_is_explained():
    with pytest.raises(ValueError, match="hace falta un número de cada por etapa"):
        SwinConfig(5, n_layers=(2, 2), n_heads=(2,))
    with pytest.raises(ValueError, match="tienen que ser al menos 1"):
        SwinConfig(5, window=0)
    with pytest.raises(ValueError, match="llegaron imágenes de 1 canales y el modelo lee 3"):
        ours()(torch.rand(1, 1, 16, 16, dtype=torch.double))
    with pytest.raises(ValueError, match="no se reparte en parches de 2 × 2"):
        ours()(torch.rand(1, 3, 15, 16, dtype=torch.double))
