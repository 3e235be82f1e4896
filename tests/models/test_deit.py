"""DeiT: dos tokens, cada uno con su salida, y la media de las dos probabilidades."""

import pytest
import torch

from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.models.vit import ViT, ViTConfig

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 2, "d_hidden": 24}


def small(**options):
    torch.manual_seed(0)
    model = DeiT(DeiTConfig(5, **SMALL | options)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    return model


def images(seed=1):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(3, 1, 8, 8, generator=generator, dtype=torch.double)


def test_without_its_token_it_is_the_vit():
    """Con las filas del token de destilación fuera y nadie que lo mire, es el ViT de siempre."""
    model = small(n_layers=1)
    vit = ViT(ViTConfig(5, **SMALL | {"n_layers": 1})).double()
    state = {n: w for n, w in model.state_dict().items()
             if not n.startswith(("distillation_token", "teacher_head"))}  # fmt: skip
    state["positions.table.weight"] = state["positions.table.weight"][
        [0, *range(2, model.config.length)]
    ]
    vit.load_state_dict(state)
    batch = images()
    kept = [0, *range(2, model.config.length)]
    torch.testing.assert_close(model.tokens(batch)[:, kept], vit.tokens(batch))
    blocks = model.blocks[0]
    alone = blocks(model.tokens(batch)[:, kept])
    torch.testing.assert_close(model.norm(alone), vit.encode(batch))


def test_two_tokens_with_their_own_heads():
    model, batch = small(), images()
    states = model.encode(batch)
    assert model.config.length == states.shape[1] == 18
    by_class, by_teacher = model.both(batch)
    torch.testing.assert_close(by_class, model.head(states[:, 0]))
    torch.testing.assert_close(by_teacher, model.teacher_head(states[:, 1]))
    assert (by_class - by_teacher).abs().max() > 1e-3
    mean = (by_class.softmax(-1) + by_teacher.softmax(-1)) / 2
    torch.testing.assert_close(model(batch).exp(), mean)


def test_the_two_tokens_are_not_born_equal():
    torch.manual_seed(0)
    model = DeiT(DeiTConfig(5, **SMALL))
    assert (model.class_token - model.distillation_token).abs().max() > 1e-3


def test_the_mean_as_summary_is_refused():
    with pytest.raises(ValueError, match="pool='media'.*usa pool='clase'"):
        DeiTConfig(5, pool="media")
