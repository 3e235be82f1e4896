"""Red convolucional: formas, traslaciones, tamaños y errores de uso."""

import pytest
import torch
from torch import nn

from tfcourse.models.cnn import CnnConfig, SmallCnn


def small(**options):
    torch.manual_seed(0)
    return SmallCnn(CnnConfig(5, **{"widths": (4, 6)} | options)).double().eval()


def test_same_as_its_layers_one_by_one():
    model = small()
    batch = torch.rand(2, 1, 9, 12, dtype=torch.double)
    x = batch
    with torch.no_grad():
        for layer in model.layers:
            if isinstance(layer, nn.Conv2d):
                x = nn.functional.conv2d(x, layer.weight, padding=1)
            elif isinstance(layer, nn.BatchNorm2d):
                scale = layer.weight / (layer.running_var + layer.eps).sqrt()
                shift = layer.bias - layer.running_mean * scale
                x = x * scale[:, None, None] + shift[:, None, None]
            else:
                x = layer(x)
        expected = x.flatten(2).mean(-1) @ model.head.weight.T + model.head.bias
        torch.testing.assert_close(model(batch), expected, atol=1e-10, rtol=0)
    assert model.features(batch).shape == (2, 6, 4, 6)
    kinds = [type(layer).__name__ for layer in model.layers]
    assert kinds == ["Conv2d", "BatchNorm2d", "ReLU"] * 2 + ["MaxPool2d"] + kinds[7:]


def test_what_moves_moves_its_map():
    model = small()
    image = torch.zeros(1, 1, 24, 24, dtype=torch.double)
    image[..., 8:12, 8:12] = 1
    moved = image.roll(2 * model.config.stride, dims=-1)
    here, there = model.features(image), model.features(moved)
    inner = slice(4, 8)
    torch.testing.assert_close(there[..., inner, 6:8], here[..., inner, 4:6])


def test_the_stride_is_that_of_the_map():
    for widths in ((4,), (4, 4), (4, 4, 4)):
        model = small(widths=widths)
        assert (
            model.features(torch.zeros(1, 1, 16, 16).double()).shape[-1] * model.config.stride == 16
        )


def test_bad_input_is_explained():
    with pytest.raises(ValueError, match=r"widths=\(\).*hace falta una etapa"):
        CnnConfig(10, widths=())
    with pytest.raises(ValueError, match=r"llegaron imágenes de forma \(3, 8, 8\).*1 canales"):
        small()(torch.zeros(1, 3, 8, 8).double())
    with pytest.raises(ValueError, match="al menos 4 píxeles"):
        small(widths=(2, 2, 2))(torch.zeros(1, 1, 3, 8).double())
