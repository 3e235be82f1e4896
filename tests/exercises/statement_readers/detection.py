"""Lectores de los enunciados de detección como conjunto."""

import re
from fractions import Fraction
from itertools import permutations, product

from tests.exercises.statement_readers import count, integers, only

BOX = r"\([\d, ]+\)"


def _cells(box):
    """Las casillas de lado 1 que cubre una caja de esquinas enteras."""
    left, top, right, bottom = box
    assert left < right and top < bottom
    return set(product(range(left, right), range(top, bottom)))


def _hull(first, second):
    lows, highs = zip(first[:2], second[:2], strict=True), zip(first[2:], second[2:], strict=True)
    return _cells([*map(min, lows), *map(max, highs)])


def _overlaps(first, second):
    """La IoU y la GIoU, contando casillas."""
    common, union = _cells(first) & _cells(second), _cells(first) | _cells(second)
    around = _hull(first, second)
    iou = Fraction(len(common), len(union))
    return iou, iou - Fraction(len(around - union), len(around))


def giou_by_hand(text):
    first, second, decimals = only(
        r"^Dos cajas, por sus esquinas \$\(x_1, y_1, x_2, y_2\)\$: "
        rf"\$A = ({BOX})\$ y \$B = ({BOX})\$\. ¿Cuánto valen su IoU y su GIoU\? "
        r"Contesta con dos números, con (\w+) decimales o como una cuenta\.$",
        text,
    )
    *boxes, iou, giou = only(
        rf"para \$({BOX})\$ y \$({BOX})\$ serían `(\d+ / \d+), (\d+ / \d+)`: "
        r"la caja que las contiene no tiene hueco\.$",
        text,
    )
    shown = tuple(Fraction(*integers(number)) for number in (iou, giou))
    assert _overlaps(*map(integers, boxes)) == shown
    assert shown[0] == shown[1]  # no hay hueco
    exact = _overlaps(integers(first), integers(second))
    return tuple(round(float(number), count(decimals)) for number in exact)


def _costs(text):
    """La tabla: los objetos y las predicciones van en orden, y son los que dice el texto."""
    things, predictions = only(r"^(\w+) objetos y (\w+) predicciones, con estos costes:$", text)
    practised = only(r"emparejamiento óptimo de (\w+) objetos y (\w+) predicciones\.$", text)
    sizes = count(things), count(predictions)
    assert sizes == tuple(map(count, practised))
    header = integers(only(r"^\| \|((?: pred\. \d \|)+)$", text))
    rows = re.findall(r"^\| objeto (\d) \|((?: \d+ \|)+)$", text, re.MULTILINE)
    assert header == list(range(sizes[1]))
    assert [int(thing) for thing, _ in rows] == list(range(sizes[0]))
    costs = [integers(row) for _, row in rows]
    assert all(len(row) == len(header) for row in costs)
    return costs


def best_pairs(text):
    costs = _costs(text)
    assert "para que la suma sea mínima" in text
    assert count(only(r"Devuelve una lista de (\w+) números, en el orden", text)) == len(costs)
    totals = {
        deal: sum(row[prediction] for row, prediction in zip(costs, deal, strict=True))
        for deal in permutations(range(len(costs[0])), len(costs))
    }
    deal, terms, total = only(r"Por ejemplo, `(\[.+\])` costaría \$([\d +]+) = (\d+)\$\.$", text)
    example = tuple(integers(deal))
    chosen = [row[prediction] for row, prediction in zip(costs, example, strict=True)]
    assert chosen == integers(terms) and totals[example] == int(total)
    best, second = sorted(totals, key=totals.get)[:2]
    assert totals[best] < totals[second] and best != example
    return list(best)


READERS = {"giou-a-mano": giou_by_hand, "emparejar-a-mano": best_pairs}
