"""DETR con anclas: el sesgo se centra donde dice la caja, y cada capa corrige a la anterior."""

import pytest
import torch
import torch.nn.functional as F

from tests.models.looking import check_the_maps_are_the_ones_used
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, make_scenes
from tfcourse.layers.image.anchors import GaussianBias, SpatialBias, inverse_sigmoid
from tfcourse.layers.image.coordinate_waves import cell_centers, coordinate_waves
from tfcourse.layers.image.detection_blocks import SeparatedDecoderBlock
from tfcourse.models.anchored_detr import AnchoredConfig, AnchoredDETR
from tfcourse.vision.detection.losses import YES_OR_NO_LOSS
from tfcourse.vision.detection.recipe import RECIPES, build

SMALL = {"n_queries": 5, "d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 2}
STEPS = [(False, False), (True, False), (False, True), (True, True)]


def tiny(gaussian=True, two_stage=True, seed=0, **options):
    torch.manual_seed(seed)
    options = {"gaussian": gaussian, "two_stage": two_stage} | options
    config = AnchoredConfig(4, d_hidden=32, **options, **SMALL)
    return AnchoredDETR(config).eval()


@pytest.mark.parametrize(("gaussian", "two_stage"), STEPS)
def test_shapes_of_every_step(gaussian, two_stage):
    model, images = tiny(gaussian, two_stage), torch.rand(3, 3, 64, 64)
    layers = model(images)
    assert len(layers) == 2 + two_stage
    assert [found.logits.shape[1] for found in layers][-2:] == [5, 5]
    assert layers[-1].logits.shape == (3, 5, 4) and layers[-1].boxes.shape == (3, 5, 4)
    if two_stage:
        assert layers[0].boxes.shape == (3, 64, 4)  # una propuesta por casilla
    assert [layer.shape for layer in model.attention_maps(images).cross] == [(3, 2, 5, 64)] * 2


def test_inverse_of_the_sigmoid():
    x = torch.linspace(0.01, 0.99, 50, dtype=torch.float64)
    torch.testing.assert_close(inverse_sigmoid(x).sigmoid(), x)
    assert torch.isfinite(inverse_sigmoid(torch.tensor([0.0, 1.0]))).all()


def test_gaussian_by_hand():
    """Sin desplazamiento, −β por la distancia al centro medida en lados de la caja."""
    bias = GaussianBias(8, 2).double()
    anchor = torch.tensor([[[0.5, 0.25, 0.2, 0.4]]], dtype=torch.float64)
    cells = torch.tensor([[0.5, 0.25], [0.7, 0.25], [0.5, 0.65]], dtype=torch.float64)
    found = bias(torch.zeros(1, 1, 8, dtype=torch.float64), anchor, cells)
    beta = F.softplus(bias.sharpness[0]).item()
    assert found.shape == (1, 2, 1, 3)
    assert found[0, 0, 0].tolist() == pytest.approx([0.0, -beta, -beta])


def test_gaussian_moves_by_sides_of_its_box():
    """Cada cabeza se aparta del centro en lados de la caja, no en partes de la imagen."""
    bias = GaussianBias(8, 2).double()
    with torch.no_grad():
        bias.offset.bias.copy_(torch.tensor([1.0, -0.5, 0.0, 0.0]))
    anchor = torch.tensor([[[0.5, 0.25, 0.2, 0.4]]], dtype=torch.float64)
    cells = torch.tensor([[0.7, 0.05], [0.5, 0.25]], dtype=torch.float64)
    found = bias(torch.zeros(1, 1, 8, dtype=torch.float64), anchor, cells)
    beta = F.softplus(bias.sharpness[0]).item()
    assert found[0, 0, 0].tolist() == pytest.approx([0.0, -1.25 * beta])  # 1² + 0,5²
    assert found[0, 1, 0].tolist() == pytest.approx([-1.25 * beta, 0.0])


def test_gaussian_of_a_tiny_box_still_sees_the_next_cell():
    bias, cells = GaussianBias(8, 1).double(), cell_centers(8, 8).double()
    x = torch.zeros(1, 2, 8, dtype=torch.float64)
    anchors = torch.tensor([[[0.5, 0.5, 1e-4, 1e-4], [0.5, 0.5, 0.05, 0.05]]]).double()
    found = bias(x, anchors, cells)
    torch.testing.assert_close(found[:, :, 0], found[:, :, 1])


def test_gaussian_follows_the_anchor_and_its_size():
    bias, cells = GaussianBias(8, 1), cell_centers(8, 8)
    x = torch.zeros(1, 2, 8)
    anchors = torch.tensor([[[0.2, 0.8, 0.1, 0.1], [0.2, 0.8, 0.6, 0.6]]])
    weights = bias(x, anchors, cells).softmax(-1)[0, 0]
    center = (weights[..., None] * cells).sum(1)
    # La pequeña mira cerca de su centro; la grande, a más casillas.
    torch.testing.assert_close(center[0], anchors[0, 0, :2], atol=0.05, rtol=0)
    assert weights[0].max() > 3 * weights[1].max()


def test_conditional_attention_is_the_concatenated_product():
    """Sumar los dos productos es lo mismo que pegar contenido y posición (Meng et al., 2021)."""
    torch.manual_seed(0)
    spatial = SpatialBias(16, 2).double()
    x, cells = torch.rand(1, 3, 16).double(), cell_centers(4, 4).double()
    anchors = torch.rand(1, 3, 4).double()
    content_q, content_k = torch.rand(1, 2, 3, 8).double(), torch.rand(1, 2, 16, 8).double()
    q = spatial.q_proj(coordinate_waves(anchors[..., :2], 8, 20.0) * spatial.scale(x))
    k = spatial.k_proj(coordinate_waves(cells, 8, 20.0))
    q, k = q.view(1, 3, 2, 8).transpose(1, 2), k.view(16, 2, 8).transpose(0, 1)[None]
    glued = torch.cat([content_q, q], -1) @ torch.cat([content_k, k], -1).mT / 8**0.5
    apart = content_q @ content_k.mT / 8**0.5 + spatial(x, anchors, cells)
    torch.testing.assert_close(glued, apart)


def test_first_boxes_are_the_anchors():
    """La cabeza empieza en cero: antes de aprender, cada consulta devuelve su ancla."""
    model = tiny(two_stage=False)
    boxes = model(torch.rand(2, 3, 64, 64))[0].boxes
    torch.testing.assert_close(boxes, model.start.anchors.sigmoid().expand(2, -1, -1))


def test_two_stages_pick_the_best_cells():
    model, images = tiny(), torch.rand(2, 3, 64, 64)
    torch.nn.init.normal_(model.box_head[-1].weight, std=0.1)
    torch.nn.init.normal_(model.norm.bias)  # para que se note quién la ha pasado
    proposals = model(images)[0]
    best = proposals.logits.amax(-1).topk(5, dim=-1).indices
    memory, grid = model.encoder(images)
    content, anchors, _ = model._best_cells(memory, cell_centers(*grid))
    torch.testing.assert_close(
        anchors, proposals.boxes.gather(1, best[..., None].expand(-1, -1, 4))
    )
    state = model.norm(memory)
    torch.testing.assert_close(model.class_head(state), proposals.logits)
    for image in range(2):
        torch.testing.assert_close(content[image], state[image, best[image]])
    # Lo que se elige es un punto de partida: por ahí no vuelve el gradiente al codificador.
    assert not content.requires_grad and not anchors.requires_grad


def test_first_proposals_are_a_box_on_every_cell():
    model = tiny()
    proposals = model(torch.rand(1, 3, 64, 64))[0]
    centers, sides = proposals.boxes[0].split(2, dim=-1)
    torch.testing.assert_close(centers, cell_centers(8, 8))
    torch.testing.assert_close(sides, torch.full((64, 2), 0.25))
    # Y casi nadie dice que hay un objeto.
    torch.testing.assert_close(model.class_head.bias.sigmoid(), torch.full((4,), 0.05))


def test_each_layer_corrects_the_box_of_the_one_before():
    """Una cabeza que siempre corrige lo mismo: la capa k suma k veces antes de la sigmoide."""
    model = tiny(two_stage=False)
    moved = torch.tensor([0.1, -0.2, 0.3, 0.05])
    with torch.no_grad():
        model.box_head[-1].bias.copy_(moved)
    layers = model(torch.rand(1, 3, 64, 64))
    for number, found in enumerate(layers, start=1):
        wanted = (model.start.anchors + number * moved).sigmoid()
        torch.testing.assert_close(found.boxes[0], wanted)
    # Y cada una aprende de su corrección, no de las anteriores.
    (gradient,) = torch.autograd.grad(layers[1].boxes.sum(), model.start.anchors, allow_unused=True)
    assert gradient is None or not gradient.any()


@pytest.mark.parametrize("gaussian", [False, True])
def test_the_look_adds_up_both_biases(gaussian):
    model, seen = tiny(gaussian, two_stage=False), []
    model.decoder[0].register_forward_pre_hook(
        lambda block, args, options: seen.append((*args, options["bias"])), with_kwargs=True
    )
    model(torch.rand(2, 3, 64, 64))
    x, bias = seen[0]
    anchors, cells = model.start.anchors.sigmoid().expand(2, -1, -1), cell_centers(8, 8)
    wanted = model.spatial[0](x, anchors, cells)
    if gaussian:
        wanted = wanted + model.gaussian[0](x, anchors, cells)
    torch.testing.assert_close(bias, wanted)


def test_attention_maps_are_the_ones_used():
    check_the_maps_are_the_ones_used(tiny().double(), torch.rand(2, 3, 64, 64, dtype=torch.float64))


def test_without_refining_every_layer_answers_from_the_first_anchor():
    """Y el ancla, como cualquier peso, aprende de lo que responde cada capa."""
    model = tiny(gaussian=False, two_stage=False, refined=False)
    moved = torch.tensor([0.1, -0.2, 0.3, 0.05])
    with torch.no_grad():
        model.box_head[-1].bias.copy_(moved)
    layers = model(torch.rand(1, 3, 64, 64))
    for found in layers:
        torch.testing.assert_close(found.boxes[0], (model.start.anchors + moved).sigmoid())
    assert torch.autograd.grad(layers[-1].boxes.sum(), model.start.anchors)[0].any()


def test_learned_anchors_start_without_content():
    """Como en DETR: lo único que distingue a una consulta de otra es su posición."""
    content, _, proposals = tiny(two_stage=False).start(torch.rand(3, 64, 16), cell_centers(8, 8))
    assert content.shape == (3, 5, 16) and not content.any() and proposals == []


def test_with_or_without_a_class_for_nothing():
    images = torch.rand(1, 3, 64, 64)
    plain = tiny(two_stage=False, yes_or_no=False)
    assert plain(images)[-1].logits.shape == (1, 5, 5)
    assert tiny(two_stage=False)(images)[-1].logits.shape == (1, 5, 4)


def test_separating_only_changes_what_is_compared():
    """Mismos pesos y mismo producto entre posiciones; sin separar, otra mirada."""
    images = torch.rand(2, 3, 64, 64)
    apart, summed = (tiny(two_stage=False, separated=separated) for separated in (True, False))
    summed.load_state_dict(apart.state_dict())
    looks = [model.attention_maps(images).cross[0] for model in (apart, summed)]
    assert (looks[0] - looks[1]).abs().max() > 1e-3
    assert isinstance(apart.decoder[0], SeparatedDecoderBlock)


def test_what_one_thing_needs_of_another_is_told():
    with pytest.raises(ValueError, match="pon yes_or_no=True"):
        AnchoredConfig(4, yes_or_no=False)
    with pytest.raises(ValueError, match="pon spatial=True"):
        AnchoredConfig(4, spatial=False)


@pytest.mark.parametrize("name", [name for name in RECIPES if RECIPES[name].anchored])
def test_every_parameter_learns(name):
    torch.manual_seed(0)
    model = build(RECIPES[name], 4, d_hidden=32, **SMALL).train()
    batch = make_scenes(4, torch.Generator().manual_seed(0), SHAPE_SCENES)
    RECIPES[name].loss(model, batch).backward()
    idle = [name for name, p in model.named_parameters() if p.grad is None]
    assert idle == []


@pytest.mark.lento
def test_it_memorises_one_batch():
    torch.manual_seed(0)
    model = AnchoredDETR(
        AnchoredConfig(4, n_queries=5, d_model=32, n_heads=4, n_encoder=1, n_decoder=1)
    )
    batch = make_scenes(2, torch.Generator().manual_seed(1), SHAPE_SCENES)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(150):
        loss = YES_OR_NO_LOSS(model, batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.35 * losses[0]
