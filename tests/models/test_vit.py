"""ViT: paridad con torchvision, tamaños publicados, permutaciones y otras imágenes."""

import pytest
import torch
from torch import nn

from tfcourse.models.vit import VARIANTS, ViT, ViTConfig, resized
from tfcourse.vision.classification.pretrained import vit_state_from_torchvision

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 2, "d_hidden": 24}


def small(**options):
    torch.manual_seed(0)
    model = ViT(ViTConfig(5, **SMALL | options)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    return model


def images(*shape, seed=1):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.double)


def torchvision_vit(**options):
    library = pytest.importorskip("torchvision.models.vision_transformer")
    torch.manual_seed(2)
    model = library.VisionTransformer(
        image_size=12, patch_size=4, num_layers=2, num_heads=4, hidden_dim=16, mlp_dim=24,
        num_classes=5, **options,
    )  # fmt: skip
    with torch.no_grad():
        for parameter in model.parameters():
            nn.init.normal_(parameter, std=0.3)
    return model.double().eval()


def test_same_as_torchvision_with_its_weights():
    theirs = torchvision_vit()
    ours = small(image_size=12, patch_size=4, channels=3)
    ours.load_state_dict(vit_state_from_torchvision(theirs.state_dict()))
    batch = images(3, 3, 12, 12)
    with torch.no_grad():
        torch.testing.assert_close(ours(batch), theirs(batch), atol=1e-10, rtol=0)
        # Y lo que lee el codificador, no solo la respuesta.
        patches = theirs._process_input(batch)
        torch.testing.assert_close(ours.embedding(batch), patches, atol=1e-12, rtol=0)


def test_maps_are_those_of_torchvision():
    theirs = torchvision_vit()
    ours = small(image_size=12, patch_size=4, channels=3)
    ours.load_state_dict(vit_state_from_torchvision(theirs.state_dict()))
    batch, seen = images(2, 3, 12, 12), []
    with torch.no_grad():
        x = ours.tokens(batch)
        for layer in theirs.encoder.layers:
            y = layer.ln_1(x)
            seen.append(layer.self_attention(y, y, y, average_attn_weights=False)[1])
            x = layer(x)
    for mine, other in zip(ours.attention_maps(batch), seen, strict=True):
        torch.testing.assert_close(mine, other, atol=1e-12, rtol=0)


@pytest.mark.parametrize(
    ("name", "builder", "millions"),
    [("ViT-B/16", "vit_b_16", 86), ("ViT-B/32", "vit_b_32", 88), ("ViT-L/16", "vit_l_16", 304),
     ("ViT-L/32", "vit_l_32", 307),
     ("ViT-H/14", "vit_h_14", 632)],
)  # fmt: skip
def test_published_sizes(name, builder, millions):
    library = pytest.importorskip("torchvision.models")
    with torch.device("meta"):
        ours, theirs = ViT(ViTConfig(**VARIANTS[name])), getattr(library, builder)()
    count = sum(p.numel() for p in ours.parameters())
    assert count == sum(p.numel() for p in theirs.parameters())
    assert abs(count / 1e6 - millions) < 1


@pytest.mark.parametrize("pool", ["clase", "media"])
def test_without_positions_the_order_of_the_patches_does_not_matter(pool):
    model = small(positions="ninguna", pool=pool)
    batch = images(2, 1, 8, 8)
    turned = batch.roll((2, 4), dims=(-2, -1))  # múltiplos del parche: solo cambia el orden
    torch.testing.assert_close(model(turned), model(batch), atol=1e-12, rtol=0)
    learned = small(positions="aprendidas", pool=pool)
    assert (learned(turned) - learned(batch)).abs().max() > 1e-3
    fixed = small(positions="senos 2D", pool=pool)
    assert (fixed(turned) - fixed(batch)).abs().max() > 1e-3


def test_the_summary_is_the_class_token_or_the_mean():
    batch = images(2, 1, 8, 8)
    for pool, expected in (("clase", lambda s: s[:, 0]), ("media", lambda s: s.mean(1))):
        model = small(pool=pool)
        states = model.encode(batch)
        assert states.shape[1] == model.config.length == (17 if pool == "clase" else 16)
        torch.testing.assert_close(model(batch), model.head(expected(states)))


def test_maps_are_shares_for_each_layer_and_head():
    model = small(stem="convolución")
    maps = model.attention_maps(images(3, 1, 8, 8))
    assert [tuple(m.shape) for m in maps] == [(3, 4, 17, 17)] * 2
    assert not maps[0].requires_grad
    torch.testing.assert_close(maps[1].sum(-1), torch.ones(3, 4, 17, dtype=torch.double))


def test_any_image_size_and_channels():
    model = small(image_size=(6, 12), patch_size=3, channels=4)
    assert model.config.grid == (2, 4) and model(images(2, 4, 6, 12)).shape == (2, 5)


@pytest.mark.parametrize("positions", ["aprendidas", "senos 2D", "ninguna"])
def test_resized_is_exact_for_the_same_size(positions):
    model, batch = small(positions=positions), images(2, 1, 8, 8)
    same = resized(model, 8)
    assert same is not model
    torch.testing.assert_close(same(batch), model(batch), atol=0, rtol=0)
    wide = resized(model, (8, 12))
    assert wide.config.grid == (4, 6) and wide(images(1, 1, 8, 12)).shape == (1, 5)
    assert wide.head.weight.dtype == torch.double and not wide.training


@pytest.mark.lento
@pytest.mark.parametrize("stem", ["parches", "convolución"])
def test_one_batch_is_memorized(stem):
    torch.manual_seed(0)
    model, labels = ViT(ViTConfig(5, **SMALL, stem=stem)), torch.randint(5, (12,))
    batch = torch.rand(12, 1, 8, 8)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(150):
        loss = nn.functional.cross_entropy(model(batch), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.05


def test_bad_configurations_are_explained():
    with pytest.raises(ValueError, match="n_layers=0: tiene que ser al menos 1"):
        ViTConfig(10, n_layers=0)
    with pytest.raises(ValueError, match="pool='cls': usa clase o media"):
        ViTConfig(10, pool="cls")
    with pytest.raises(ValueError, match="stem='conv': usa parches o convolución"):
        ViTConfig(10, stem="conv")
    with pytest.raises(ValueError, match="positions='2d': usa aprendidas o senos 2D o ninguna"):
        ViTConfig(10, positions="2d")
    with pytest.raises(ValueError, match="10 × 10 no se reparte en parches de 4 × 4"):
        ViTConfig(10, image_size=10, patch_size=4)
    with pytest.raises(ValueError, match=r"llegaron imágenes de forma \(3, 8, 8\).*\(1, 8, 8\)"):
        small()(images(1, 3, 8, 8))
    with pytest.raises(ValueError, match="9 × 9 no se reparte"):
        resized(small(), 9)
