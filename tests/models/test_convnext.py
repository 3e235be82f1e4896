"""ConvNeXt: paridad con torchvision, bloque a bloque y entero, tamaños publicados y errores."""

import pytest
import torch
from torch import nn

from tfcourse.models.convnext import VARIANTS, ConvNeXt, ConvNeXtBlock, ConvNeXtConfig

library = pytest.importorskip("torchvision.models.convnext")


def shaken(module):
    """En float64 y con pesos al azar: que nada valga 0 ni 1."""
    torch.manual_seed(2)
    with torch.no_grad():
        for parameter in module.parameters():
            nn.init.normal_(parameter, std=0.3)
    return module.double().eval()


def copy_in_order(mine, theirs):
    """Los dos apuntan sus parámetros en el mismo orden dentro de cada capa."""
    ours, others = list(mine), list(theirs)
    assert len(ours) == len(others)
    with torch.no_grad():
        for one, other in zip(ours, others, strict=True):
            one.copy_(other.reshape(one.shape))


def test_block_same_as_torchvision_with_its_weights():
    theirs = shaken(library.CNBlock(6, 0.5, 0.0))
    mine = ConvNeXtBlock(6, layer_scale=0.5).double()
    copy_in_order([*mine.layers.parameters(), mine.scale],
                  [*theirs.block.parameters(), theirs.layer_scale])  # fmt: skip
    x = torch.randn(2, 9, 8, 6, dtype=torch.double)
    expected = theirs(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
    torch.testing.assert_close(mine(x), expected, atol=1e-10, rtol=0)


def test_whole_model_same_as_torchvision_with_its_weights():
    stages = [library.CNBlockConfig(8, 16, 2), library.CNBlockConfig(16, None, 1)]
    theirs = shaken(library.ConvNeXt(stages, layer_scale=0.7, num_classes=5))
    mine = ConvNeXt(ConvNeXtConfig(5, 3, 4, 8, (2, 1), layer_scale=0.7)).double().eval()
    stem, first, down, second = theirs.features
    copy_in_order(mine.reductions[0].parameters(), stem.parameters())
    copy_in_order(mine.reductions[1].parameters(), down.parameters())
    for stage, blocks in zip(mine.stages, (first, second), strict=True):
        for block, other in zip(stage, blocks, strict=True):
            copy_in_order([*block.layers.parameters(), block.scale],
                          [*other.block.parameters(), other.layer_scale])  # fmt: skip
    copy_in_order([*mine.norm.parameters(), *mine.head.parameters()],
                  theirs.classifier.parameters())  # fmt: skip
    images = torch.rand(2, 3, 16, 24, dtype=torch.double)
    with torch.no_grad():
        torch.testing.assert_close(mine(images), theirs(images), atol=1e-9, rtol=0)


@pytest.mark.parametrize(
    ("name", "builder"),
    [("ConvNeXt-T", "convnext_tiny"), ("ConvNeXt-S", "convnext_small"),
     ("ConvNeXt-B", "convnext_base")],
)  # fmt: skip
def test_published_sizes(name, builder):
    with torch.device("meta"):
        mine, theirs = ConvNeXt(ConvNeXtConfig(**VARIANTS[name])), getattr(library, builder)()
    assert sum(p.numel() for p in mine.parameters()) == sum(p.numel() for p in theirs.parameters())


def test_maps_and_errors():
    model = ConvNeXt(ConvNeXtConfig(10))
    assert [tuple(m.shape) for m in model.maps(torch.rand(2, 1, 32, 24))] == [
        (2, 8, 6, 38), (2, 4, 3, 76)]  # fmt: skip
    with pytest.raises(ValueError, match="lados múltiplos de 8"):
        model(torch.rand(1, 1, 20, 32))
    with pytest.raises(ValueError, match="el modelo lee 1 canales"):
        model(torch.rand(1, 3, 32, 32))
    with pytest.raises(ValueError, match="un lado impar"):
        ConvNeXtConfig(10, kernel=4)
    with pytest.raises(ValueError, match="al menos 1"):
        ConvNeXtConfig(10, n_layers=())
