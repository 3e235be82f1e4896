"""Híbrido: los tokens son las casillas de la red convolucional."""

import pytest
import torch

from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.hybrid import FeatureTokens, Hybrid
from tfcourse.models.vit import ViTConfig

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 1, "d_hidden": 24}


def backbone():
    torch.manual_seed(0)
    return SmallCnn(CnnConfig(5, widths=(8, 16))).eval()


def test_a_token_is_a_cell_of_the_map():
    net = backbone()
    tokens = FeatureTokens(net, 12)
    images = torch.rand(2, 1, 8, 12)
    found, cells = tokens(images), net.features(images)
    assert found.shape == (2, 4 * 6, 12)
    torch.testing.assert_close(found[:, 7], tokens.projection(cells[:, :, 1, 1]))


def test_a_patch_of_another_size_is_refused():
    with pytest.raises(ValueError, match="mide 2 píxeles y patch_size=4: usa patch_size=2"):
        Hybrid(ViTConfig(10, patch_size=4, **SMALL), backbone())
