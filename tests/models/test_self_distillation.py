"""Alumno y maestro: quién aprende, quién sigue a quién, y los registros como en `transformers`."""

import pytest
import torch
import transformers as library

from tests.official.reference_models import noise, shaken
from tfcourse.models.self_distillation import (
    Observer,
    PrototypeHead,
    SelfDistiller,
    moved_towards,
)
from tfcourse.models.vit import ViTConfig
from tfcourse.models.vit_published import RegisteredEncoder, ViTEncoder
from tfcourse.official.conversion import convert
from tfcourse.official.vit_encoders import DINOV2

SMALL = ViTConfig(1, image_size=4, d_model=16, n_heads=2, n_layers=2, d_hidden=24)


def pair(momentum=0.9, center_momentum=0.75, n_registers=0):
    torch.manual_seed(0)
    encoder = RegisteredEncoder(SMALL, n_registers)
    return SelfDistiller(
        Observer(encoder, PrototypeHead(16, 20, 8, 5)), momentum, center_momentum
    ).double()


def views(n=3):
    return torch.rand(n, 2, 1, 4, 4, generator=torch.Generator().manual_seed(1)).double()


def whole(module):
    return torch.cat([value.detach().flatten() for value in module.parameters()])


def test_a_prototype_is_a_direction():
    head = PrototypeHead(6, 8, 4, 5)
    said = head(torch.randn(7, 6))
    assert said.shape == (7, 5) and said.abs().max() <= 1 + 1e-6
    with torch.no_grad():
        some = torch.randn(3, 6)
        before = head(some)
        head.prototypes *= 3
        torch.testing.assert_close(head(some), before)


def test_the_batch_norm_hears_what_is_different():
    """Lo que tienen en común todas las imágenes no llega a los prototipos."""
    x, head = torch.randn(9, 6), PrototypeHead(6, 8, 4, 5)
    torch.testing.assert_close(head(1e-1 * x + 7), head(x), atol=1e-2, rtol=0)
    plain = PrototypeHead(6, 8, 4, 5, batch_norm=False)
    assert (plain(1e-3 * x + 7).std(0) < 1e-2).all() and head(1e-1 * x + 7).std(0).min() > 1e-2
    assert len(plain.layers) == 3 and not list(head.layers[0].parameters())


def test_the_teacher_starts_as_the_student_and_gets_no_gradient():
    both = pair().eval()
    seen = both(views())
    assert seen.student.shape == (3, 2, 5)
    torch.testing.assert_close(seen.student, seen.teacher)
    assert not seen.teacher.requires_grad
    seen.student.square().sum().backward()
    assert all(value.grad is None for value in both.teacher.parameters())
    assert whole(both.student).shape == whole(both.teacher).shape


def test_the_teacher_follows_by_the_formula():
    both = pair(momentum=0.9)
    with torch.no_grad():
        for value in both.student.parameters():
            value += torch.randn_like(value)
    before, student = whole(both.teacher), whole(both.student)
    both.train()(views())
    torch.testing.assert_close(whole(both.teacher), 0.9 * before + 0.1 * student)
    frozen = whole(both.teacher)
    both.eval()(views())
    assert whole(both.teacher).equal(frozen)


def test_the_center_is_the_moving_mean_of_the_teacher():
    both = pair(center_momentum=0.75).train()
    first = both(views())
    assert not first.center.any()
    torch.testing.assert_close(both.center, 0.25 * first.teacher.flatten(0, 1).mean(0))
    second, before = both(views()), both.center
    torch.testing.assert_close(second.center, 0.25 * first.teacher.flatten(0, 1).mean(0))
    both.eval()(views())
    assert both.center.equal(before)


def test_moving_keeps_its_part():
    found = moved_towards(torch.tensor(2.0), torch.tensor(10.0), 0.75)
    assert float(found) == 4.0
    assert float(moved_towards(torch.tensor(2.0), torch.tensor(10.0), 0.0)) == 10.0


def test_without_registers_it_is_the_plain_encoder():
    torch.manual_seed(0)
    plain = ViTEncoder(SMALL).eval()
    other = RegisteredEncoder(SMALL, 0).eval()
    other.load_state_dict(plain.state_dict(), strict=False)
    images = torch.rand(2, 1, 4, 4)
    torch.testing.assert_close(other(images), plain(images))


def test_registers_sit_between_the_class_and_the_patches():
    encoder = RegisteredEncoder(SMALL, 3).eval()
    images = torch.rand(2, 1, 4, 4)
    tokens = encoder.tokens(images)
    assert tokens.shape == (2, 1 + 3 + 4, 16)
    torch.testing.assert_close(tokens[0, 1:4], encoder.registers)
    assert encoder.patches_of(encoder(images)).shape == (2, 4, 16)
    assert encoder.attention_maps(images)[0].shape == (2, 2, 8, 8)


def test_registers_are_those_of_the_library():
    theirs = shaken(library.Dinov2WithRegistersModel(library.Dinov2WithRegistersConfig(
        image_size=32, patch_size=8, mlp_ratio=2, hidden_size=16, num_hidden_layers=2,
        num_attention_heads=2, num_register_tokens=3,
    )))  # fmt: skip
    with torch.no_grad():  # nuestro codificador no escala lo que suma cada subcapa
        for layer in theirs.encoder.layer:
            layer.layer_scale1.lambda1.fill_(1.0)
            layer.layer_scale2.lambda1.fill_(1.0)
    config = ViTConfig(
        1, image_size=32, patch_size=8, channels=3, d_model=16, n_heads=2, n_layers=2, d_hidden=32
    )
    ours = RegisteredEncoder(config, 3).double().eval()
    state = theirs.state_dict()
    registers = state.pop("embeddings.register_tokens")
    converted = convert(state, DINOV2.table) | {"registers": registers[0]}
    ours.load_state_dict({name: v for name, v in converted.items() if not name.endswith(".scale")})
    images = noise(2, 3, 32, 32)
    with torch.no_grad():
        wanted = theirs(images).last_hidden_state
        torch.testing.assert_close(ours(images), wanted, atol=1e-9, rtol=0)


def test_impossible_parts_are_explained():
    with pytest.raises(ValueError, match=r"momentum=1\.5: es la parte que se conserva"):
        pair(momentum=1.5)
    with pytest.raises(ValueError, match=r"center_momentum=-1: es la parte"):
        pair(center_momentum=-1)
    with pytest.raises(ValueError, match="n_registers=-1"):
        RegisteredEncoder(SMALL, -1)
