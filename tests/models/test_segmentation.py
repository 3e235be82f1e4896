"""SETR, MaskFormer y Mask2Former: formas, lo que cada uno puede decir, y memorizar un lote."""

import pytest
import torch

from tfcourse.datasets.scenes import CROWDED_SCENES, make_scenes
from tfcourse.datasets.segments import with_background
from tfcourse.mask_decoding import enlarge, semantic_answer
from tfcourse.mask_losses import MaskLoss, pixel_loss
from tfcourse.models.segmentation import Mask2Former, MaskFormer, MaskFormerConfig
from tfcourse.models.setr import SETR, SETRConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.segmentation_metrics import mean_iou

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
    for image in range(2):
        best = top[image].argsort(descending=True)[:6]
        torch.testing.assert_close(x[image], memory[image, best].detach())
        torch.testing.assert_close(shown.masks[image], found.masks[image, best])
        torch.testing.assert_close(shown.places[image], found.places[image, best])
    assert not x.requires_grad and positions.shape == x.shape


def scenes(n):
    return with_background(make_scenes(n, torch.Generator().manual_seed(0), CROWDED_SCENES))


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
