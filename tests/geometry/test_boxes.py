"""Cajas: paridad con torchvision, los casos límite a mano y las propiedades de IoU y GIoU."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torchvision import ops

from tfcourse.geometry.boxes import box_area, giou, iou, overlap, to_centers, to_corners


def random_corners(n, seed=0):
    generator = torch.Generator().manual_seed(seed)
    low = torch.rand(n, 2, generator=generator, dtype=torch.float64) * 0.7
    high = low + 0.05 + 0.3 * torch.rand(n, 2, generator=generator, dtype=torch.float64)
    return torch.cat([low, high], -1)


def test_parity_with_torchvision():
    a, b = random_corners(40, 0), random_corners(30, 1)
    torch.testing.assert_close(iou(a, b), ops.box_iou(a, b))
    torch.testing.assert_close(giou(a, b), ops.generalized_box_iou(a, b))
    torch.testing.assert_close(box_area(a), ops.box_area(a))
    torch.testing.assert_close(to_centers(a), ops.box_convert(a, "xyxy", "cxcywh"))
    torch.testing.assert_close(to_corners(to_centers(a)), a)


BASE = [0.0, 0.0, 2.0, 2.0]
# Segunda caja, IoU y GIoU, con cuentas a mano: la primera es un cuadrado de lado 2.
CASES = {
    "iguales": (BASE, 1.0, 1.0),
    "anidadas": ([0.5, 0.5, 1.5, 1.5], 1 / 4, 1 / 4),
    "media": ([1.0, 0.0, 3.0, 2.0], 2 / 6, 2 / 6),
    "se tocan por un lado": ([2.0, 0.0, 4.0, 2.0], 0.0, 0.0),
    "se tocan por una esquina": ([2.0, 2.0, 4.0, 4.0], 0.0, -8 / 16),
    "separadas": ([4.0, 0.0, 6.0, 2.0], 0.0, -4 / 12),
    "muy lejos": ([998.0, 0.0, 1000.0, 2.0], 0.0, -1992 / 2000),
    "vacía y dentro": ([1.0, 1.0, 1.0, 1.0], 0.0, 0.0),
    "vacía y fuera": ([4.0, 0.0, 4.0, 2.0], 0.0, -4 / 8),
}


@pytest.mark.parametrize("name", CASES)
def test_edge_cases_by_hand(name):
    other, wanted_iou, wanted_giou = CASES[name]
    a, b = torch.tensor([BASE]).double(), torch.tensor([other]).double()
    assert float(iou(a, b)) == pytest.approx(wanted_iou)
    assert float(giou(a, b)) == pytest.approx(wanted_giou)
    assert float(giou(b, a)) == pytest.approx(wanted_giou)


def test_two_empty_boxes_are_never_nan():
    point, line = torch.tensor([[1.0, 1.0, 1.0, 1.0]]), torch.tensor([[0.0, 1.0, 5.0, 1.0]])
    for a in (point, line):
        for b in (point, line):
            assert float(iou(a, b)) == 0 and float(giou(a, b)) == 0
    far = point + 3
    assert float(giou(point, far)) == pytest.approx(-1)


def test_gradient_pulls_disjoint_boxes_together():
    """Con cajas separadas la IoU no da gradiente, y la GIoU sí: esa es su razón de ser."""
    for measure, moves in ((iou, False), (giou, True)):
        box = torch.tensor([[4.0, 0.0, 6.0, 2.0]], requires_grad=True)
        measure(torch.tensor([BASE]), box).sum().backward()
        assert bool(box.grad[0, 0] < 0) is moves
        assert torch.isfinite(box.grad).all()


def test_gradient_of_empty_boxes_is_finite():
    box = torch.zeros(1, 4, requires_grad=True)
    giou(torch.zeros(1, 4), to_corners(box)).sum().backward()
    assert torch.isfinite(box.grad).all()


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_bounds_symmetry_and_scale(seed):
    a, b = random_corners(5, seed), random_corners(4, seed + 1)
    small, wide = iou(a, b), giou(a, b)
    assert (small >= 0).all() and (small <= 1).all() and (wide <= small + 1e-12).all()
    assert (wide > -1).all()
    torch.testing.assert_close(giou(b, a).T, wide)
    torch.testing.assert_close(giou(7 * a + 3, 7 * b + 3), wide)


def test_overlap_counts_pixels():
    """Contra una cuenta de cuadrados en una cuadrícula."""
    a, b = [1, 2, 6, 7], [3, 0, 9, 5]

    def cells(box):
        return {(x, y) for x in range(box[0], box[2]) for y in range(box[1], box[3])}

    common, union = overlap(torch.tensor([a]).float(), torch.tensor([b]).float())
    assert int(common) == len(cells(a) & cells(b)) and int(union) == len(cells(a) | cells(b))


def test_upside_down_boxes_are_explained():
    with pytest.raises(ValueError, match=r"\[20.0, 40.0, 10.0, 0.0\] acaba antes de empezar"):
        iou(torch.tensor([[20.0, 40.0, 10.0, 0.0]]), torch.tensor([BASE]))
