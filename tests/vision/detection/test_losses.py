"""Pérdida de conjuntos: contra bucles, contra la de DETR, y lo que no debe cambiarla."""

import math
from types import SimpleNamespace
from typing import NamedTuple

import pytest
import torch
import torch.nn.functional as F
from torchvision import ops

from tests.fixed_answers import Says
from tfcourse.geometry.boxes import to_corners
from tfcourse.losses.matching import brute_force
from tfcourse.models.detr import Detections
from tfcourse.vision.detection.losses import (
    DETR_LOSS,
    NO_OBJECT_WEIGHT,
    YES_OR_NO_LOSS,
    BoxWeights,
    SetLoss,
    matching_costs,
    varifocal_loss,
)

N_CLASSES, N_QUERIES = 3, 5


def example(seed=0, n_images=3, extra=1):
    """Predicciones y objetos al azar, en float64; `extra` es la clase «sin objeto»."""
    g = torch.Generator().manual_seed(seed)
    rand = lambda *shape: torch.rand(*shape, generator=g, dtype=torch.float64)  # noqa: E731
    found = Detections(
        3 * rand(n_images, N_QUERIES, N_CLASSES + extra) - 1.5,
        0.1 + 0.3 * rand(n_images, N_QUERIES, 4),
    )
    counts = torch.tensor([2, 0, 4])[:n_images]
    boxes = (0.1 + 0.3 * rand(n_images, 4, 4)) * (torch.arange(4) < counts[:, None])[..., None]
    classes = torch.randint(N_CLASSES, (n_images, 4), generator=g)
    return found, boxes, classes * (torch.arange(4) < counts[:, None]), counts


def by_hand(found, boxes, classes, counts):
    """Carion et al. (2020), ec. 1 y 2, con bucles y probando todos los emparejamientos."""
    weighted, weights, box_terms, things = 0.0, 0.0, 0.0, 0
    for i, count in enumerate(counts.tolist()):
        p = found.logits[i].softmax(-1)
        pairs = {}
        if count:
            cost = torch.zeros(count, N_QUERIES, dtype=torch.float64)
            for t in range(count):
                for q in range(N_QUERIES):
                    cost[t, q] = -p[q, classes[i, t]] + box_term(found.boxes[i, q], boxes[i, t]) - 2
            pairs = {q: t for t, q in enumerate(brute_force(cost.numpy()))}
        for q in range(N_QUERIES):
            label = int(classes[i, pairs[q]]) if q in pairs else N_CLASSES
            weight = 1.0 if q in pairs else NO_OBJECT_WEIGHT
            weighted, weights = weighted - weight * math.log(p[q, label]), weights + weight
            if q in pairs:
                box_terms = box_terms + box_term(found.boxes[i, q], boxes[i, pairs[q]])
                things += 1
    return weighted / weights + box_terms / things


def box_term(ours, true):
    pair = to_corners(ours)[None], to_corners(true)[None]
    return 5 * (ours - true).abs().sum() + 2 * (1 - ops.generalized_box_iou(*pair)[0, 0])


@pytest.mark.parametrize("seed", range(4))
def test_set_loss_equals_the_loops(seed):
    case = example(seed)
    ours = DETR_LOSS.layer_loss(*case)
    assert float(ours) == pytest.approx(float(by_hand(*case)))


def test_parity_with_the_loss_of_transformers():
    from transformers.loss.loss_for_object_detection import HungarianMatcher, ImageLoss

    found, boxes, classes, counts = example(1)
    theirs = ImageLoss(
        HungarianMatcher(1, 5, 2), N_CLASSES, NO_OBJECT_WEIGHT, ["labels", "boxes"]
    ).double()
    targets = [
        {"class_labels": classes[i, :c], "boxes": boxes[i, :c]}
        for i, c in enumerate(counts.tolist())
    ]
    found_by_them = theirs({"logits": found.logits, "pred_boxes": found.boxes}, targets)
    wanted = (
        found_by_them["loss_ce"] + 5 * found_by_them["loss_bbox"] + 2 * found_by_them["loss_giou"]
    )
    ours = DETR_LOSS.layer_loss(found, boxes, classes, counts)
    torch.testing.assert_close(ours, wanted, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize(("loss", "extra"), [(DETR_LOSS, 1), (YES_OR_NO_LOSS, 0)])
def test_order_does_not_matter(loss, extra):
    """Ni el orden de las predicciones ni el de los objetos: es una pérdida de conjuntos."""
    found, boxes, classes, counts = example(2, extra=extra)
    first = loss.layer_loss(found, boxes, classes, counts)
    order = torch.tensor([3, 0, 4, 2, 1])
    shuffled = Detections(found.logits[:, order], found.boxes[:, order])
    torch.testing.assert_close(loss.layer_loss(shuffled, boxes, classes, counts), first)
    boxes, classes = boxes.clone(), classes.clone()
    boxes[0, :2], classes[0, :2] = boxes[0, [1, 0]], classes[0, [1, 0]]
    torch.testing.assert_close(loss.layer_loss(found, boxes, classes, counts), first)


@pytest.mark.parametrize(("loss", "extra"), [(DETR_LOSS, 1), (YES_OR_NO_LOSS, 0)])
def test_images_without_objects_teach_to_say_nothing(loss, extra):
    found, boxes, classes, _ = example(3, extra=extra)
    logits = found.logits.requires_grad_()
    lost = loss.layer_loss(Detections(logits, found.boxes), boxes, classes, torch.zeros(3).long())
    lost.backward()
    assert torch.isfinite(lost) and (logits.grad[..., :N_CLASSES] > 0).all()


def test_padding_never_counts():
    found, boxes, classes, counts = example(4)
    first = DETR_LOSS.layer_loss(found, boxes, classes, counts)
    boxes, classes = boxes.clone(), classes.clone()
    boxes[0, 2:], classes[0, 2:] = 0.37, 1
    torch.testing.assert_close(DETR_LOSS.layer_loss(found, boxes, classes, counts), first)


class SimpleBatch(NamedTuple):
    images: torch.Tensor
    boxes: torch.Tensor
    classes: torch.Tensor
    counts: torch.Tensor


def test_auxiliary_losses_add_up():
    found, boxes, classes, counts = example(5)
    other = example(6)[0]
    model = Says([other, found])
    batch = SimpleBatch(torch.zeros(3), boxes, classes, counts)
    both = [DETR_LOSS.layer_loss(x, boxes, classes, counts) for x in (other, found)]
    torch.testing.assert_close(SetLoss()(model, batch), sum(both))
    torch.testing.assert_close(SetLoss(auxiliary=False)(model, batch), both[1])


def test_costs_by_hand():
    p = torch.tensor([[[0.7, 0.2, 0.1]]], dtype=torch.float64)
    box = torch.tensor([[[0.5, 0.5, 0.4, 0.4]]], dtype=torch.float64)
    true = torch.tensor([[[0.6, 0.5, 0.4, 0.4]]], dtype=torch.float64)
    cost = matching_costs(p, box, torch.tensor([[1]]), true, BoxWeights(1.0, 5.0, 2.0))
    assert float(cost) == pytest.approx(-0.2 + 5 * 0.1 - 2 * (0.3 / 0.5))


def test_varifocal_by_hand():
    logits = torch.tensor([[[0.3, -1.0], [-2.0, 0.5]]], dtype=torch.float64)
    zero = torch.tensor([0])
    ours = varifocal_loss(logits, zero, zero, torch.tensor([1]), torch.tensor([0.8]).double())
    p = logits.sigmoid()[0]
    q = 0.8
    yes = -q * (q * math.log(p[0, 1]) + (1 - q) * math.log(1 - p[0, 1]))
    no = sum(-0.75 * x**2 * math.log(1 - x) for x in (p[0, 0], p[1, 0], p[1, 1]))
    assert float(ours) == pytest.approx(float(yes + no))


def anchored_by_hand(found, boxes, classes, counts):
    """Zhang et al. (2021), ec. 2: el sí vale la IoU de su pareja; la clase pesa el doble."""
    p, of_classes, of_boxes = found.logits.sigmoid(), 0.0, 0.0
    for i, count in enumerate(counts.tolist()):
        cost = torch.zeros(count, N_QUERIES, dtype=torch.float64)
        for t in range(count):
            for q in range(N_QUERIES):
                near = box_term(found.boxes[i, q], boxes[i, t])
                cost[t, q] = -2 * p[i, q, classes[i, t]] + near
        pairs = {q: t for t, q in enumerate(brute_force(cost.numpy()))} if count else {}
        worth = torch.zeros(N_QUERIES, N_CLASSES, dtype=torch.float64)
        for q, t in pairs.items():
            corners = to_corners(found.boxes[i, q])[None], to_corners(boxes[i, t])[None]
            worth[q, classes[i, t]] = ops.box_iou(*corners)[0, 0]
            of_boxes = of_boxes + box_term(found.boxes[i, q], boxes[i, t])
        for x, s in zip(p[i].flatten(), worth.flatten(), strict=True):
            yes = -s * (s * x.log() + (1 - s) * (1 - x).log())
            of_classes = of_classes + (yes if s > 0 else -0.75 * x**2 * (1 - x).log())
    return (2 * of_classes + of_boxes) / int(counts.sum())


@pytest.mark.parametrize("seed", range(4))
def test_anchored_loss_equals_the_loops(seed):
    case = example(seed, extra=0)
    assert float(YES_OR_NO_LOSS.layer_loss(*case)) == pytest.approx(float(anchored_by_hand(*case)))


def test_what_weighs_in_the_varifocal_loss_is_not_learned():
    """El peso p² y la calidad son números: la derivada es la de la entropía cruzada, pesada."""
    logits = torch.tensor([[[0.3, -1.0], [-2.0, 0.5]]], dtype=torch.float64, requires_grad=True)
    zero = torch.tensor([0])
    varifocal_loss(logits, zero, zero, torch.tensor([1]), torch.tensor([0.8]).double()).backward()
    p = logits.detach().sigmoid()
    wanted = 0.75 * p**3
    wanted[0, 0, 1] = 0.8 * (p[0, 0, 1] - 0.8)
    torch.testing.assert_close(logits.grad, wanted)
    found, boxes, classes, counts = example(9, extra=0)
    place = found.boxes.requires_grad_()
    only_classes = SetLoss(varifocal_loss, torch.sigmoid, BoxWeights(2.0, 0.0, 0.0))
    only_classes.layer_loss(Detections(found.logits, place), boxes, classes, counts).backward()
    assert (place.grad == 0).all()  # la clase no se arregla moviendo la caja


def test_perfect_detections_cost_almost_nothing():
    _, boxes, classes, counts = example(7)
    logits = torch.full((3, 4, N_CLASSES + 1), -20.0, dtype=torch.float64)
    labels = torch.where(torch.arange(4) < counts[:, None], classes, N_CLASSES)
    logits.scatter_(2, labels[..., None], 20.0)
    some = torch.where(boxes.any(-1, keepdim=True), boxes, torch.full_like(boxes, 0.5))
    assert float(DETR_LOSS.layer_loss(Detections(logits, some), boxes, classes, counts)) < 1e-6


def test_it_learns_one_batch():
    """Mover las propias predicciones basta para llegar a cero."""
    _, boxes, classes, counts = example(8)
    logits = torch.zeros(3, N_QUERIES, N_CLASSES + 1, dtype=torch.float64, requires_grad=True)
    raw = torch.randn(3, N_QUERIES, 4, generator=torch.Generator().manual_seed(0)).double()
    raw.requires_grad_()
    optimizer = torch.optim.Adam([logits, raw], lr=0.05)
    holder = SimpleNamespace()
    for _ in range(300):
        holder.loss = DETR_LOSS.layer_loss(
            Detections(logits, raw.sigmoid()), boxes, classes, counts
        )
        optimizer.zero_grad()
        holder.loss.backward()
        optimizer.step()
    assert holder.loss.item() < 0.15
    assert torch.equal(F.softmax(logits, -1)[1].argmax(-1), torch.full((N_QUERIES,), N_CLASSES))
