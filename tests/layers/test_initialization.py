"""Xavier y T-Fixup: cada matriz, con la escala de su artículo, y ninguna más."""

import pytest
import torch
from torch import nn

from tfcourse.layers.initialization import (
    remove_norms,
    scaled_matrices,
    t_fixup,
    xavier_initialization,
)
from tfcourse.layers.norms import LayerNorm
from tfcourse.models.transformer import Transformer, TransformerConfig

N = 3
CONFIG = TransformerConfig(50, 60, d_model=64, n_heads=4, n_layers=N, d_hidden=256)


def two_models():
    """El mismo azar, con Xavier y con T-Fixup: se comparan matriz a matriz."""
    models = []
    for initialise in (xavier_initialization, t_fixup):
        model = Transformer(CONFIG)
        torch.manual_seed(5)
        models.append(initialise(model))
    return models


def test_xavier_has_the_variance_of_the_paper():
    torch.manual_seed(0)
    model = xavier_initialization(nn.Sequential(nn.Linear(300, 500), nn.Linear(500, 200)))
    for layer in model:
        expected = 2 / (layer.in_features + layer.out_features)
        assert float(layer.weight.var()) == pytest.approx(expected, rel=0.03)
        assert not layer.bias.any()


def test_each_matrix_has_its_scale():
    plain, fixed = (dict(model.named_parameters()) for model in two_models())
    ratios = {"encoder": 0.67 * N ** (-1 / 4), "decoder": (9 * N) ** (-1 / 4)}
    scaled = 0
    for name, weight in plain.items():
        if "norm" in name or "table" in name or not name.endswith("weight"):
            continue
        shrinks = any(
            part in name for part in ("v_proj", "out_proj", "hidden", "feed_forward.output")
        )
        scaled += shrinks
        expected = ratios[name.split(".")[0]] if shrinks else 1.0
        torch.testing.assert_close(fixed[name], weight * expected, msg=name)
    assert scaled == N * 4 + N * 6  # dos atenciones en cada bloque del decodificador


def test_embeddings_are_small():
    model = t_fixup(Transformer(CONFIG))
    expected = 64**-0.5 * (9 * N) ** -0.25
    for table in (model.source.table, model.target.table):
        assert float(table.weight.detach().std()) == pytest.approx(expected, rel=0.05)


def test_no_norms_are_left_and_the_model_runs():
    model = t_fixup(Transformer(CONFIG))
    assert not any(isinstance(module, LayerNorm) for module in model.modules())
    tokens = torch.randint(3, 50, (2, 5))
    assert model(tokens, torch.tensor([5, 3]), tokens).isfinite().all()


def test_without_norms_pre_and_post_are_the_same_model():
    outputs = []
    for norm_first in (False, True):
        torch.manual_seed(1)
        config = TransformerConfig(20, 20, d_model=16, n_layers=2, norm_first=norm_first)
        model = remove_norms(Transformer(config))
        tokens = torch.arange(3, 9).view(1, 6)
        outputs.append(model(tokens, torch.tensor([6]), tokens))
    torch.testing.assert_close(*outputs)


def change_per_rate(model, lr=1e-6):
    """Cuánto cambia la salida tras un paso de gradiente, por unidad de ritmo."""
    torch.manual_seed(3)
    tokens, lengths = torch.randint(3, 20, (8, 6)), torch.full((8,), 6)
    before = model.double()(tokens, lengths, tokens)
    before.log_softmax(-1)[..., 5].mean().neg().backward()
    torch.optim.SGD(model.parameters(), lr=lr).step()
    with torch.no_grad():
        return float((model(tokens, lengths, tokens) - before).norm()) / lr


def test_a_gradient_step_does_not_grow_with_depth():
    """Lo que T-Fixup promete: el paso mueve la salida lo mismo con 2 bloques que con 24."""
    moved = {}
    for depth in (2, 24):
        torch.manual_seed(0)
        config = TransformerConfig(20, 20, d_model=32, n_layers=depth, d_hidden=64)
        moved[depth] = change_per_rate(t_fixup(Transformer(config)))
        moved["Xavier", depth] = change_per_rate(
            remove_norms(xavier_initialization(Transformer(config)))
        )
    assert 1 / 3 < moved[24] / moved[2] < 3
    assert moved["Xavier", 2] > 20 * moved[2]


def test_scaled_matrices_are_counted():
    model = Transformer(CONFIG)
    assert len(scaled_matrices(model.encoder)) == 4 * N
    assert len(scaled_matrices(model.decoder)) == 6 * N
