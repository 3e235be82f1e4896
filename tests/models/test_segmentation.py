"""SETR, MaskFormer y Mask2Former: formas, lo que cada uno puede decir, y memorizar un lote."""

import pytest
import torch
from torch import nn

from tfcourse.datasets.scenes.scenes import CROWDED_SCENES, make_scenes
from tfcourse.datasets.scenes.segments import with_background
from tfcourse.layers.image.coordinate_waves import grid_waves
from tfcourse.layers.masks import foreground_mask
from tfcourse.models.segmentation import Mask2Former, MaskFormer, MaskFormerConfig
from tfcourse.models.setr import SETR, SETRConfig
from tfcourse.training.muon import Muon, split_parameters
from tfcourse.vision.segmentation.decoding import enlarge, semantic_answer
from tfcourse.vision.segmentation.losses import MaskLoss, pixel_loss
from tfcourse.vision.segmentation.metrics import mean_iou

SMALL = {"n_queries": 6, "d_model": 32, "n_heads": 2, "n_encoder": 1, "n_decoder": 2,
         "d_hidden": 32, "norm_first": True, "place_content": True, "d_pixel": 16}  # fmt: skip
KINDS = {
    "maskformer": (MaskFormer, {"masked": False, "seeded": False}),
    "aprendidas": (Mask2Former, {"seeded": False}),
    "sembradas": (Mask2Former, {}),
}


def tiny(kind, seed=0, **changes):
    torch.manual_seed(seed)
    model, options = KINDS[kind]
    return model(MaskFormerConfig(5, **SMALL | options | changes))


@pytest.mark.parametrize(("kind", "first"), [("maskformer", []), ("aprendidas", [6]),
                                             ("sembradas", [64])])  # fmt: skip
def test_shapes(kind, first):
    layers = tiny(kind)(torch.rand(2, 3, 64, 64))
    assert [layer.logits.shape[1] for layer in layers] == [*first, 6, 6]
    for layer in layers:
        n = layer.logits.shape[1]
        assert layer.logits.shape == (2, n, 5) and layer.masks.shape == (2, n, 32, 32)


def test_a_mask_is_a_dot_product_at_each_point():
    model = tiny("maskformer")
    x, pixels = torch.randn(2, 6, 32), torch.randn(2, 16, 8, 8)
    found = model.segments(x, pixels)
    vectors = model.mask_head(model.norm(x))
    for i, n, row, column in ((0, 3, 2, 7), (1, 5, 0, 0)):
        wanted = vectors[i, n] @ pixels[i, :, row, column]
        torch.testing.assert_close(found.masks[i, n, row, column], wanted)


def test_permuting_queries_permutes_segments():
    model = tiny("maskformer").double().eval()
    images = torch.rand(2, 3, 64, 64, dtype=torch.float64)
    order = torch.tensor([2, 4, 0, 5, 3, 1])
    with torch.no_grad():
        before = model(images)[-1]
        model.queries.weight.copy_(model.queries.weight[order])
        after = model(images)[-1]
    torch.testing.assert_close(after.masks, before.masks[:, order])
    torch.testing.assert_close(after.logits, before.logits[:, order])


def test_the_mask_decides_what_is_seen():
    """Con y sin atención enmascarada, los mismos pesos no dicen lo mismo."""
    masked, free = tiny("sembradas").eval(), tiny("sembradas", masked=False).eval()
    free.load_state_dict(masked.state_dict())
    images = torch.rand(1, 3, 64, 64)
    with torch.no_grad():
        assert torch.equal(masked(images)[0].masks, free(images)[0].masks)
        assert not torch.allclose(masked(images)[-1].masks, free(images)[-1].masks)


def test_seeds_come_from_the_best_cells():
    model = tiny("sembradas").double().train()
    images = torch.rand(2, 3, 64, 64, dtype=torch.float64)
    memory, levels = model.reader(images)
    x, positions, shown, (found,) = model._best_cells(memory, (8, 8), levels[-1])
    top = found.logits.amax(-1)
    waves = grid_waves(8, 8, 32).double()
    for image in range(2):
        best = top[image].argsort(descending=True)[:6]
        torch.testing.assert_close(x[image], memory[image, best].detach())
        torch.testing.assert_close(shown.masks[image], found.masks[image, best])
        torch.testing.assert_close(shown.places[image], found.places[image, best])
        torch.testing.assert_close(positions[image], waves[best])
    assert not x.requires_grad


def scenes(n):
    return with_background(make_scenes(n, torch.Generator().manual_seed(0), CROWDED_SCENES))


@pytest.mark.lento
@pytest.mark.parametrize("kind", [*KINDS, "setr"])
def test_it_memorises_one_image(kind):
    """Ochenta pasos con una sola escena: acaba contestándola casi entera."""
    torch.manual_seed(0)
    if kind == "setr":
        sizes = {"d_model": 32, "n_heads": 2, "n_encoder": 1, "d_hidden": 32}
        model, loss = SETR(SETRConfig(5, **sizes)), pixel_loss
    else:
        model, loss = tiny(kind), MaskLoss()
    batch = scenes(1)
    optimizer = Muon(*split_parameters(model), lr=0.02, adam_lr=4e-3, betas=(0.9, 0.98))
    for _ in range(80):
        optimizer.zero_grad()
        loss(model, batch).backward()
        optimizer.step()
    with torch.no_grad():
        found = model(batch.images)
    if kind == "setr":
        answer = found.argmax(1)
    else:
        answer = semantic_answer(found[-1].logits.sigmoid(), enlarge(found[-1], (64, 64)))
    assert mean_iou(answer, batch.semantic, 5) > 0.8


def test_every_parameter_learns():
    for kind in KINDS:
        model = tiny(kind)
        MaskLoss()(model, scenes(2)).backward()
        silent = [name for name, p in model.named_parameters() if p.grad is None]
        assert not silent, (kind, silent)


def test_setr_answers_at_every_point():
    model = SETR(SETRConfig(5, patch=8)).eval()
    assert model(torch.rand(2, 3, 32, 64)).shape == (2, 5, 32, 64)


def test_setr_uses_positions():
    """Dos imágenes con los mismos parches en otro sitio no dan la misma respuesta, movida."""
    torch.manual_seed(0)
    model = SETR(SETRConfig(3)).eval().double()
    image = torch.rand(1, 3, 32, 32, dtype=torch.float64)
    moved = model(image.roll(8, dims=-1))[..., 12:20, 20:28]
    assert not torch.allclose(model(image)[..., 12:20, 12:20], moved)


def test_bad_sizes_are_explained():
    with pytest.raises(ValueError, match="n_classes=1: segmentar es repartir puntos"):
        SETRConfig(1)
    with pytest.raises(ValueError, match="patch=6 no es una potencia de dos"):
        SETRConfig(5, patch=6)
    with pytest.raises(ValueError, match="no se reparte en parches"):
        SETR(SETRConfig(5))(torch.rand(1, 3, 30, 30))


def test_both_heads_read_a_normalised_state():
    """A una normalización de capa le da igual la escala y el desplazamiento de lo que entra."""
    model = tiny("maskformer").double()
    x = torch.randn(2, 6, 32, dtype=torch.float64)
    pixels = torch.randn(2, 16, 8, 8, dtype=torch.float64)
    found, other = model.segments(x, pixels), model.segments(100 * x + 7, pixels)
    torch.testing.assert_close(other.logits, found.logits, atol=1e-3, rtol=0)
    torch.testing.assert_close(other.masks, found.masks, atol=1e-3, rtol=0)


@pytest.mark.parametrize("kind", KINDS)
def test_at_first_almost_no_query_has_a_segment(kind):
    chances = tiny(kind).class_head.bias.sigmoid()
    torch.testing.assert_close(chances, torch.full((5,), 0.05))


def test_the_pyramid_starts_from_the_cells_by_rows():
    """La casilla de la fila y, columna x es el vector y · columnas + x; la imagen es ancha."""
    reader = tiny("maskformer").reader.eval()
    reader.pixel_decoder = nn.Identity()
    memory, (*_, coarse) = reader(torch.rand(1, 3, 32, 64))
    assert coarse.shape == (1, 32, 4, 8)
    for y, x in ((0, 5), (2, 1), (3, 7)):
        assert torch.equal(coarse[0, :, y, x], memory[0, 8 * y + x])


def heard(model, images):
    """Lo que recibe cada capa del decodificador, por su nombre, y lo que contesta el modelo."""
    calls = []
    for block in model.decoder:
        block.register_forward_pre_hook(
            lambda _, given, options: calls.append(
                dict(zip(("x", "memory"), given, strict=True)) | options
            ),
            with_kwargs=True,
        )
    with torch.no_grad():
        return calls, model(images)


@pytest.mark.parametrize("kind", ["aprendidas", "sembradas"])
def test_layers_take_turns_from_coarse_to_fine(kind):
    """Cada capa mira un piso, con sus posiciones, y dentro de la máscara de la capa anterior."""
    model, images = tiny(kind, n_decoder=4).eval(), torch.rand(2, 3, 64, 64)
    with torch.no_grad():
        _, levels = model.reader(images)
    calls, found = heard(model, images)
    shown = found[:1] if kind == "aprendidas" else [None]  # las sembradas salen de entre todas
    shown = [*shown, *found[1:]]
    for layer, given in enumerate(calls):
        floor = layer % 2
        side = (8, 16)[floor]
        torch.testing.assert_close(given["positions"], grid_waves(side, side, 32))
        cells = model.to_memory[floor](levels[floor]).flatten(2).transpose(1, 2)
        torch.testing.assert_close(given["memory"], cells + model.level.weight[floor])
        if shown[layer] is not None:
            wanted = foreground_mask(shown[layer].masks, (side, side))
            assert torch.equal(given["memory_mask"], wanted)


def test_learned_queries_start_from_nothing_and_look_at_places():
    calls, _ = heard(tiny("maskformer").eval(), torch.rand(1, 3, 32, 64))
    assert not calls[0]["x"].any()
    for given in calls:
        torch.testing.assert_close(given["positions"], grid_waves(4, 8, 32))


def test_every_layer_knows_where_its_queries_were_born():
    """Las de después de la primera nacieron en las mismas casillas, y es lo que las empareja."""
    with torch.no_grad():
        first, *later = tiny("sembradas").eval()(torch.rand(2, 3, 64, 64))
    for image in range(2):
        best = first.logits[image].amax(-1).argsort(descending=True)[:6]
        for layer in later:
            torch.testing.assert_close(layer.places[image], first.places[image, best])


def test_setr_normalises_once_at_the_end():
    """Con los bloques mudos, lo último que se normaliza son los parches con su posición."""
    torch.manual_seed(0)
    model = SETR(SETRConfig(3)).eval()
    for block in model.blocks:
        for layer in (block.attention.out_proj, block.feed_forward.output):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
    given = {}
    model.norm.register_forward_pre_hook(lambda _, args: given.update(norm=args[0]))
    model.upward[0].register_forward_pre_hook(lambda _, args: given.update(upward=args[0]))
    images = torch.rand(1, 3, 32, 32)
    with torch.no_grad():
        model(images)
        patches = model.embedding(images) + grid_waves(8, 8, 64)
    torch.testing.assert_close(given["norm"], patches)
    wanted = (patches - patches.mean(-1, keepdim=True)) / patches.std(
        -1, keepdim=True, correction=0
    )
    torch.testing.assert_close(
        given["upward"].flatten(2).transpose(1, 2), wanted, atol=1e-3, rtol=1e-3
    )


def test_setr_enlarges_between_points():
    """El punto nuevo entre cuatro es 9/16 del más cercano, 3/16 de dos y 1/16 del otro."""
    torch.manual_seed(0)
    model = SETR(SETRConfig(3)).eval()
    given = {}
    model.upward[-1].register_forward_hook(lambda _, args, out: given.update(small=out))
    model.head.register_forward_pre_hook(lambda _, args: given.update(large=args[0]))
    with torch.no_grad():
        model(torch.rand(1, 3, 16, 16))
    small = given["small"]
    near, right = small[..., :-1, :-1], small[..., :-1, 1:]
    below, far = small[..., 1:, :-1], small[..., 1:, 1:]
    wanted = (9 * near + 3 * right + 3 * below + far) / 16
    torch.testing.assert_close(given["large"][..., 1:-1:2, 1:-1:2], wanted)
