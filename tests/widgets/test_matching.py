"""La figura del emparejamiento hace la misma cuenta que Python, también con el teclado."""

import re
from contextlib import ExitStack

import pytest
import torch
from scipy.optimize import linear_sum_assignment

from tests.site.static_page import widget_page
from tfcourse.vision.detection.losses import BoxWeights, matching_costs
from tfcourse.widgets import MatchingBox, MatchingWidget

THINGS = [
    MatchingBox("vaso", (0.2, 0.3, 0.2, 0.3)),
    MatchingBox("bol", (0.7, 0.7, 0.3, 0.2)),
    MatchingBox("bolsa", (0.5, 0.4, 0.25, 0.25)),
]
GUESSES = [
    MatchingBox("bol", (0.6, 0.62, 0.3, 0.25)),
    MatchingBox("vaso", (0.4, 0.4, 0.2, 0.2)),
    MatchingBox("silla", (0.8, 0.2, 0.2, 0.2)),
    MatchingBox("vaso", (0.25, 0.3, 0.2, 0.25)),
]
CHANCES = [[0.1, 0.8, 0.1], [0.6, 0.1, 0.3], [0.2, 0.2, 0.2], [0.7, 0.2, 0.1]]
SPOKEN = re.compile(r"−?\d+,\d+")


def widget():
    return MatchingWidget(THINGS, GUESSES, CHANCES)


@pytest.fixture
def show(browser, tmp_path):
    with ExitStack() as pages:
        yield lambda width=360: pages.enter_context(
            widget_page(browser, tmp_path, widget(), width=width)
        )


def expected(boxes, weights):
    """Costes y parejas según el paquete y SciPy."""
    chances = torch.tensor([CHANCES])
    true = torch.tensor([[thing.box for thing in THINGS]])
    labels = torch.arange(len(THINGS))[None]
    costs = matching_costs(chances, torch.tensor([boxes]), labels, true, weights)[0].T
    return costs, linear_sum_assignment(costs.numpy())[1].tolist()


def shown(page):
    rows = page.locator(".tfc-costs tbody tr").all()
    cells = [[c.inner_text() for c in row.locator("td").all()] for row in rows]
    numbers = [[number(SPOKEN.search(c).group()) for c in row] for row in cells]
    return numbers, [next(i for i, c in enumerate(row) if "✓" in c) for row in cells]


def number(text):
    return float(text.replace("−", "-").replace(",", "."))


@pytest.mark.parametrize(
    ("label", "weights"),
    [
        ("clase y caja", BoxWeights(1.0, 5.0, 2.0)),
        ("solo clase", BoxWeights(1.0, 0.0, 0.0)),
        ("solo caja", BoxWeights(0.0, 5.0, 2.0)),
    ],
)
def test_costs_and_pairs_are_those_of_the_package(show, label, weights):
    page = show()
    page.get_by_label(label).check()
    costs, pairs = expected([guess.box for guess in GUESSES], weights)
    found, marked = shown(page)
    assert torch.tensor(found) == pytest.approx(costs, abs=0.006)
    assert marked == pairs
    total = sum(costs[t, q] for t, q in enumerate(pairs))
    told = page.get_by_role("status").inner_text()
    assert number(SPOKEN.search(told).group()) == pytest.approx(float(total), abs=0.006)
    spare = ({1, 2, 3, 4} - {q + 1 for q in pairs}).pop()
    assert f"A la {spare} le toca decir «sin objeto»" in told


def test_arrows_move_a_box_and_change_the_pairs(show):
    page = show()
    handle = page.get_by_role("button", name="Predicción 3")
    for _ in range(11):
        handle.press("ArrowLeft")
    for _ in range(9):
        handle.press("ArrowDown")
    assert "(0,58; 0,38)" in handle.get_attribute("aria-label")
    boxes = [list(guess.box) for guess in GUESSES]
    boxes[2][:2] = [0.58, 0.38]
    costs, pairs = expected(boxes, BoxWeights())
    found, marked = shown(page)
    assert torch.tensor(found) == pytest.approx(costs, abs=0.006)
    assert marked == pairs


def test_dragging_stays_in_the_image(show):
    page = show(width=1000)
    handle = page.get_by_role("button", name="Predicción 1")
    handle.hover()
    page.mouse.down()
    area = page.locator(".tfc-plane").bounding_box()
    page.mouse.move(area["x"] + 3 * area["width"], area["y"] - 50)
    page.mouse.up()
    assert "(0,85; 0,13)" in handle.get_attribute("aria-label")


def test_greedy_is_told_apart(show):
    page = show()
    page.get_by_label("solo clase").check()
    told = page.get_by_role("status").inner_text()
    assert "por orden" in told


def test_dark_theme(show):
    page = show(width=1200)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    paper = "getComputedStyle(document.querySelector('.tfc')).backgroundColor"
    assert page.evaluate(paper) == "rgb(27, 34, 43)"


def test_bad_arguments_are_explained():
    assert repr(widget()) == "MatchingWidget(3 objetos, 4 predicciones)"
    with pytest.raises(ValueError, match="hay 4 objetos y 3 predicciones"):
        MatchingWidget(GUESSES, THINGS, CHANCES)
    with pytest.raises(ValueError, match=r"forma \(3, 3\) y se esperaba \(4, 3\)"):
        MatchingWidget(THINGS, GUESSES, CHANCES[:3])
