"""Pérdida de máscaras: las cuentas de transformers, las de un bucle, y lo que debe premiar."""

import math

import pytest
import torch
import torch.nn.functional as F
from torchvision.ops import box_iou

from tests.fixed_answers import Says
from tfcourse.datasets.scenes.scenes import CROWDED_SCENES, make_scenes
from tfcourse.datasets.scenes.segments import with_background
from tfcourse.models.segmentation import Segments
from tfcourse.vision.segmentation.losses import (
    MaskLoss,
    MaskWeights,
    dice_loss,
    mask_costs,
    mask_iou,
    mass_centers,
    pixel_loss,
    shrink,
)


def random_masks(k, p, seed=0):
    g = torch.Generator().manual_seed(seed)
    logits = torch.randn(k, p, generator=g, dtype=torch.float64)
    return logits, (torch.rand(k, p, generator=g) > 0.6).double()


def test_dice_is_the_one_of_transformers():
    from transformers.models.mask2former import modeling_mask2former as theirs

    logits, target = random_masks(5, 30)
    torch.testing.assert_close(
        dice_loss(logits, target).mean(), theirs.dice_loss(logits, target, 5) * 5 / 5
    )


def test_dice_does_not_care_how_big_the_thing_is():
    """Fallar la mitad de un segmento cuesta casi lo mismo si mide 40 puntos que si mide 4 000."""
    costs = []
    for size in (40, 4_000):
        target = torch.zeros(1, 10_000, dtype=torch.float64)
        target[:, :size] = 1
        half = torch.full_like(target, -20.0)
        half[:, : size // 2] = 20.0
        costs.append(float(dice_loss(half, target)))
    assert costs[0] == pytest.approx(costs[1], abs=0.02) == pytest.approx(1 / 3, abs=0.02)


def test_costs_are_those_of_transformers():
    from transformers.models.mask2former import modeling_mask2former as theirs

    ours, _ = random_masks(6, 30)
    _, targets = random_masks(4, 30, seed=1)
    chances = torch.rand(1, 6, 3, dtype=torch.float64)
    classes = torch.tensor([[0, 2, 2, 1]])
    found = mask_costs(chances, ours[None], classes, targets[None], MaskWeights(2.0, 5.0, 5.0))[0]
    wanted = (
        -2 * chances[0][:, classes[0]]
        + 5 * theirs.pair_wise_sigmoid_cross_entropy_loss(ours, targets)
        + 5 * theirs.pair_wise_dice_loss(ours, targets)
    )
    torch.testing.assert_close(found, wanted)


def test_iou_of_rectangles():
    """En rectángulos, la IoU de las máscaras es la de las cajas."""
    boxes = torch.tensor([[2, 3, 8, 9], [4, 4, 12, 10], [0, 0, 2, 2]])
    masks = torch.zeros(3, 16, 16)
    for mask, (x1, y1, x2, y2) in zip(masks, boxes.tolist(), strict=True):
        mask[y1:y2, x1:x2] = 1
    flat = masks.flatten(1)
    for i in range(3):
        found = mask_iou((flat[i] * 2 - 1).expand(3, -1), flat)
        torch.testing.assert_close(found, box_iou(boxes, boxes)[i].float())


def perfect(batch, n_extra=2):
    """Lo que diría quien lo sabe todo, con consultas de sobra que callan."""
    targets = batch.masks.double()
    logits = torch.full((*batch.classes.shape, 5), -9.0, dtype=torch.float64)
    exists = torch.arange(batch.classes.shape[1]) < batch.counts[:, None]
    logits[exists] = torch.where(F.one_hot(batch.classes[exists], 5) > 0, 9.0, -9.0).double()
    quiet = torch.full((len(targets), n_extra, 5), -9.0, dtype=torch.float64)
    masks = torch.cat([targets, torch.zeros(len(targets), n_extra, 64, 64)], dim=1)
    return Segments(torch.cat([logits, quiet], 1), masks * 40 - 20)


def crowd():
    return with_background(make_scenes(3, torch.Generator().manual_seed(0), CROWDED_SCENES))


def loss_of(found, batch):
    return MaskLoss().layer_loss(
        found, batch.masks.flatten(2).double(), batch.classes, batch.counts
    )


def test_the_right_answer_costs_nothing_in_any_order():
    batch = crowd()
    found = perfect(batch)
    assert loss_of(found, batch) < 1e-3
    order = torch.randperm(found.logits.shape[1], generator=torch.Generator().manual_seed(1))
    shuffled = Segments(found.logits[:, order], found.masks[:, order])
    torch.testing.assert_close(loss_of(shuffled, batch), loss_of(found, batch))


def test_joining_two_objects_costs():
    batch = crowd()
    found = perfect(batch)
    joined = Segments(found.logits, found.masks.clone())
    joined.masks[:, 1] = torch.maximum(found.masks[:, 1], found.masks[:, 2])
    joined.masks[:, 2] = -20
    assert loss_of(joined, batch) > loss_of(found, batch) + 0.5


def test_centers_of_mass():
    masks = torch.zeros(1, 3, 4, 8)
    masks[0, 0, 1, 2], masks[0, 1, :, :4] = 1, 1
    found = mass_centers(masks.flatten(2), (4, 8))[0]
    wanted = torch.tensor([[2.5 / 8, 1.5 / 4], [0.25, 0.5], [0.0, 0.0]])
    torch.testing.assert_close(found, wanted)


def test_the_center_of_a_speck_is_where_it_is():
    """Un punto suelto ocupa un cuarto de su casilla al encoger: su centro es el de la casilla."""
    masks = torch.zeros(1, 1, 8, 8, dtype=torch.bool)
    masks[0, 0, 5, 2] = True
    found = mass_centers(shrink(masks, (4, 4)), (4, 4))[0, 0]
    torch.testing.assert_close(found, torch.tensor([1.5 / 4, 2.5 / 4]))


def test_the_nearest_answers_for_it():
    """Dos consultas dicen lo mismo: paga por callar la que nació más cerca del segmento."""
    batch = crowd()
    twins = perfect(batch)
    twins = Segments(*(torch.cat([part, part], dim=1) for part in twins[:2]))
    centers = mass_centers(batch.masks.flatten(2).double(), (64, 64))
    n = centers.shape[1]
    for near in (0, 1):
        places = torch.full((3, twins.logits.shape[1], 2), 5.0, dtype=torch.float64)
        start = near * (twins.logits.shape[1] // 2)
        places[:, start : start + n] = centers
        deaf = twins.logits.clone()
        deaf[:, start : start + n] = -9.0  # la cercana calla y la lejana acierta
        quiet, loud = (
            loss_of(Segments(logits, twins.masks, places), batch) for logits in (deaf, twins.logits)
        )
        assert quiet > loud + 1


def test_padding_never_counts():
    """Lo que haya escrito en los sitios sin segmento da igual."""
    batch = crowd()
    found, other = perfect(batch), batch._replace(classes=batch.classes.clone())
    empty = torch.arange(batch.classes.shape[1]) >= batch.counts[:, None]
    assert empty.any()
    other.classes[empty] = 3
    torch.testing.assert_close(loss_of(found, other), loss_of(found, batch))


def test_shrinking_keeps_the_area():
    masks = crowd().masks
    small = shrink(masks, (32, 32))
    torch.testing.assert_close(small.sum(-1) * 4, masks.sum((2, 3)).float())


def test_auxiliary_layers_add_up():
    batch = crowd()
    layers = [perfect(batch), perfect(batch)]
    layers[0] = Segments(layers[0].logits * 0, layers[0].masks * 0)
    layers = [Segments(x.logits.float(), x.masks.float()) for x in layers]
    both, last = (MaskLoss(auxiliary=flag)(Says(layers), batch) for flag in (True, False))
    assert last < 1e-3 < 1 < both


def test_pixels_are_an_ordinary_cross_entropy():
    batch = crowd()
    logits = torch.randn(3, 5, 64, 64)
    rows = logits.permute(0, 2, 3, 1).flatten(0, 2)
    wanted = -rows.log_softmax(-1)[torch.arange(len(rows)), batch.semantic.flatten()].mean()
    torch.testing.assert_close(pixel_loss(Says(logits), batch), wanted)


def test_too_many_segments_are_told():
    batch = crowd()
    few = Segments(torch.zeros(3, 2, 5), torch.zeros(3, 2, 64, 64))
    with pytest.raises(ValueError, match="usa n_queries="):
        MaskLoss()(Says([few]), batch)


def test_a_cell_is_of_the_segment_that_fills_more_than_half():
    """Al encoger una máscara hay casillas a medias: con cuatro décimas no es suya; con seis, sí."""
    found = mask_iou(torch.full((1, 2), 3.0), torch.tensor([[0.4, 0.6]]))
    assert found.tolist() == [0.5]


def test_each_term_has_its_weight():
    """La pérdida de una capa, número a número: una pareja y una consulta que sobra."""
    logits = torch.tensor([[[-1.0, 0.5], [2.0, -3.0]]], dtype=torch.float64)
    masks = torch.tensor([[[-2.0, -1.0, -3.0, -2.0], [2.0, 1.0, -0.5, 0.5]]], dtype=torch.float64)
    target = [1.0, 1.0, 0.0, 0.0]
    weights = MaskWeights(classes=3.0, points=5.0, dice=7.0)
    found = MaskLoss(weights=weights).layer_loss(
        Segments(logits, masks.view(1, 2, 2, 2)),
        torch.tensor([[target]], dtype=torch.float64),
        torch.tensor([[0]]),
        torch.tensor([1]),
    )
    chances = [1 / (1 + math.exp(-x)) for x in masks[0, 1].tolist()]
    points = -sum(math.log(p if t else 1 - p) for p, t in zip(chances, target, strict=True)) / 4
    common = sum(p * t for p, t in zip(chances, target, strict=True))
    dice = 1 - (2 * common + 1) / (sum(chances) + sum(target) + 1)
    # De los tres puntos que dice la segunda consulta, dos son suyos; en los noes pesa 3/4 p².
    yes = 1 / (1 + math.exp(-2.0))
    quality = 2 / 3
    classes = -quality * (quality * math.log(yes) + (1 - quality) * math.log(1 - yes))
    for logit in (-1.0, 0.5, -3.0):
        no = 1 / (1 + math.exp(-logit))
        classes -= 0.75 * no**2 * math.log(1 - no)
    assert float(found) == pytest.approx(3 * classes + 5 * points + 7 * dice)


def test_distance_to_the_center_is_the_sum_of_both_axes():
    """Las dos dicen lo mismo: responde la que está a 0,3, y no la que está a 0,2 + 0,2."""
    masks = torch.zeros(1, 2, 4, 4, requires_grad=True)
    places = torch.tensor([[[0.7, 0.7], [0.8, 0.5]]])
    found = Segments(torch.zeros(1, 2, 2), masks, places)
    everything = torch.ones(1, 1, 16)
    MaskLoss().layer_loss(found, everything, torch.tensor([[1]]), torch.tensor([1])).backward()
    assert masks.grad.abs().sum((2, 3)).gt(0).tolist() == [[False, True]]
