"""Modelos de pose: el codificador es el de PyTorch, un token por articulación, y aprenden."""

import pytest
import torch
from torch import nn

from tests.layers.torch_blocks import copy_attention
from tfcourse.datasets.scenes.figures import CROWD, FigureConfig, make_figures
from tfcourse.layers.image.coordinate_waves import grid_waves
from tfcourse.models.bottom_up import PER_CELL, RARE, BottomUpConfig, BottomUpPose
from tfcourse.models.pose import HEADS, VARIANTS, KeypointTransformer, PoseConfig
from tfcourse.training.muon import Muon, split_parameters
from tfcourse.vision.pose.grouping import bottom_up_loss
from tfcourse.vision.pose.recipe import pose_loss, single_batches

SMALL = {"d_model": 32, "n_heads": 4, "n_layers": 2, "d_hidden": 48}


def small(**options):
    torch.manual_seed(0)
    return KeypointTransformer(PoseConfig(**SMALL | options)).double().eval()


def images(n=2, side=64):
    return torch.rand(n, 3, side, side, generator=torch.Generator().manual_seed(1)).double()


@torch.no_grad()
def test_parity_with_pytorch():
    """Articulaciones y casillas por el codificador de PyTorch, con los mismos pesos."""
    model = small()
    layer = nn.TransformerEncoderLayer(
        32, 4, 48, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
    )
    theirs = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).double().eval()
    for their, our in zip(theirs.layers, model.blocks, strict=True):
        copy_attention(their.self_attn, our.attention)
        their.linear1.load_state_dict(our.feed_forward.hidden.state_dict())
        their.linear2.load_state_dict(our.feed_forward.output.state_dict())
        their.norm1.load_state_dict(our.around_attention.norm.state_dict())
        their.norm2.load_state_dict(our.around_feed_forward.norm.state_dict())
    cells = model.backbone(images()).flatten(2).transpose(1, 2)
    x = torch.cat([model.keypoints.expand(2, -1, -1), cells + grid_waves(8, 8, 32).double()], 1)
    expected = model.head(model.norm(theirs(x)[:, :13]))
    torch.testing.assert_close(model(images()), expected, atol=1e-10, rtol=0)


@torch.no_grad()
def test_maps_are_those_of_the_blocks():
    model = small()
    maps = model.attention_maps(images())
    assert len(maps) == 2 and maps[0].shape == (2, 4, 13 + 64, 13 + 64)
    torch.testing.assert_close(maps[1].sum(-1), torch.ones(2, 4, 77, dtype=torch.double))
    x = model.tokens(images())
    torch.testing.assert_close(maps[1], model.blocks[1].attention_maps(model.blocks[0](x)))


@torch.no_grad()
def test_joints_are_told_apart_only_by_their_token():
    """Dos tokens iguales contestan lo mismo, y permutarlos permuta las respuestas."""
    model = small(head="regresión")
    before = model(images())
    order = torch.randperm(13, generator=torch.Generator().manual_seed(0))
    model.keypoints.copy_(model.keypoints[order].clone())
    torch.testing.assert_close(model(images()), before[:, order])
    model.keypoints[3] = model.keypoints[4]
    answers = model(images())
    torch.testing.assert_close(answers[:, 3], answers[:, 4])


@pytest.mark.lento
@pytest.mark.parametrize("head", HEADS)
def test_one_batch_is_memorised(head):
    torch.manual_seed(0)
    model = KeypointTransformer(PoseConfig(**SMALL | {"head": head})).train()
    batch = next(single_batches(4, 0))
    optimizer = Muon(*split_parameters(model), lr=0.02, adam_lr=3e-3)
    losses = []
    for _ in range(120):
        loss = pose_loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    # La entropía cruzada de SimCC no baja de la de su campana: se mira el sitio, no la pérdida.
    found, _ = model.head.decode(model(batch[0]).detach())
    assert losses[-1] < losses[0] and (found - batch[1]).norm(dim=-1).mean() < 0.08


def test_unmarked_joints_do_not_count():
    model = small()
    pictures, points, marked = next(single_batches(2, 0))
    pictures, points = pictures.double(), points.double()
    marked[:, 5] = False
    moved = points.clone()
    moved[:, 5] = 0.9
    with torch.no_grad():
        first = pose_loss(model, (pictures, points, marked))
        assert first == pose_loss(model, (pictures, moved, marked))
        assert first != pose_loss(model, (pictures, moved, torch.ones_like(marked)))


def test_published_sizes():
    published = VARIANTS["TokenPose-B"]
    assert (published["d_model"], published["n_layers"], published["n_heads"]) == (192, 12, 8)
    sizes = {"n_keypoints": 17, "image_size": 64} | published
    assert sum(p.numel() for p in KeypointTransformer(PoseConfig(**sizes)).parameters()) > 4e6


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"head": "caja"}, "head='caja': usa SimCC, mapa de calor, regresión"),
        ({"image_size": 60}, "un lado múltiplo de 8"),
    ],
)
def test_impossible_models_are_explained(options, message):
    with pytest.raises(ValueError, match=message):
        PoseConfig(**options)


def test_other_images_are_explained():
    with pytest.raises(ValueError, match=r"forma \(3, 96, 96\) y el modelo espera \(3, 64, 64\)"):
        small()(images(side=96))


@torch.no_grad()
def test_each_cell_answers_for_its_own_points():
    """Cambiar lo que dice una casilla solo cambia sus 4 × 4 puntos, y por filas."""
    torch.manual_seed(0)
    model = BottomUpPose(BottomUpConfig(n_keypoints=2, d_model=16, n_heads=2, n_layers=0)).eval()
    model.norm = nn.Identity()
    features = torch.zeros(1, 16, 3, 5)
    model.backbone.forward = lambda images: features
    pictures = torch.zeros(1, 3, 24, 40)
    plain = model(pictures).heat
    features[0, :, 1, 4] = 5.0
    changed = (model(pictures).heat != plain).any(dim=(0, 1))
    assert changed.shape == (3 * PER_CELL, 5 * PER_CELL)
    rows, columns = changed.nonzero().T
    assert set(rows.tolist()) == set(range(4, 8)) and set(columns.tolist()) == set(range(16, 20))


@torch.no_grad()
def test_maps_start_cold():
    model = BottomUpPose(BottomUpConfig()).eval()
    maps = model(torch.rand(1, 3, 96, 96))
    assert maps.heat.shape == maps.tags.shape == (1, 13, 48, 48)
    assert abs(float(maps.heat.mean()) - RARE) < 1


@pytest.mark.lento
def test_bottom_up_memorises_a_batch():
    torch.manual_seed(0)
    model = BottomUpPose(BottomUpConfig(d_model=32, d_hidden=48, n_layers=1)).train()
    config = FigureConfig(64, 2, 2, sides=(24.0, 30.0))
    batch = tuple(make_figures(2, torch.Generator().manual_seed(0), config))
    optimizer = Muon(*split_parameters(model), lr=0.02, adam_lr=3e-3)
    losses = []
    for _ in range(40):
        loss = bottom_up_loss(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.5 * losses[0]


def test_bottom_up_without_figures():
    """Una imagen vacía también es una imagen: la pérdida sigue siendo un número."""
    empty = FigureConfig(96, 0, 3, sides=CROWD.sides)
    batch = make_figures(3, torch.Generator().manual_seed(0), empty)
    batch = tuple(batch._replace(counts=torch.zeros(3, dtype=torch.long)))
    loss = bottom_up_loss(BottomUpPose(BottomUpConfig()), batch)
    assert torch.isfinite(loss)
    loss.backward()
    with pytest.raises(ValueError, match="hace falta una articulación"):
        BottomUpConfig(n_keypoints=0)


@torch.no_grad()
def test_bins_are_half_a_pixel_and_maps_half_a_side():
    for side in (32, 64):
        sizes = {"image_size": side}
        assert small(**sizes)(images(side=side)).shape == (2, 13, 2, 2 * side)
        maps = small(head="mapa de calor", **sizes)(images(side=side))
        assert maps.shape == (2, 13, side // 2, side // 2)
