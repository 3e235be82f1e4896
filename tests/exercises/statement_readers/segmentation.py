"""Lectores de los enunciados de la segmentación."""

import re
from ast import literal_eval
from itertools import groupby

from tests.exercises.statement_readers import count, enumerated, only, value

ANIMALS = {"perro", "gato", "vaca"}


def segments(statement: str) -> tuple[int, ...]:
    """Pinta la foto en una fila de puntos y cuenta en ella lo que pide cada tarea."""
    dogs, in_a_row, cats, apart, grounds = only(
        r"hay (\w+) perros que \*\*se tocan\*\*( \(cada uno con el siguiente\))?, (\w+) "
        r"(gatos? aparte(?: \(sin tocarse\))?), ([^.]+)\. Las",
        statement,
    )
    dogs, cats, grounds = count(dogs), count(cats), _names(grounds)
    assert dogs > 1 and bool(in_a_row) == (dogs > 2)
    assert apart == ("gato aparte" if cats == 1 else "gatos aparte (sin tocarse)")
    _check_classes(statement, grounds)
    _check_cow(statement)
    answer = _counted(_picture(dogs, cats, grounds))
    assert len(answer) == count(only(r"Devuelve los (\w+) números", statement))
    questions = re.findall(r"^(\d)\. ", statement, re.MULTILINE)
    assert questions == [str(number + 1) for number in range(len(answer))]
    return answer


def _names(text: str) -> list[str]:
    names = re.split(", | y ", text)
    assert len(names) == len(set(names))
    return names


def _check_classes(statement: str, grounds: list[str]) -> None:
    classes, last = only(r"Las clases son ([^;]+); las (\w+) últimas son fondos\.", statement)
    assert _names(classes) == ["perro", "gato", *grounds]
    assert len(grounds) == count(last)


def _check_cow(statement: str) -> None:
    example = only("con una sola vaca sobre hierba serían `(.+)`", statement)
    assert literal_eval(example) == _counted([("hierba", 0), ("vaca", 1), ("hierba", 0)])


def _picture(dogs: int, cats: int, grounds: list[str]) -> list[tuple[str, int]]:
    """La clase de cada punto y de cuál de sus cosas es: los perros, seguidos; cada gato, aparte."""
    row = [("perro", dog) for dog in range(dogs)]
    for cat in range(cats):
        row += [(grounds[0], 0), ("gato", cat)]
    return row + [(ground, 0) for ground in grounds]


def _counted(row: list[tuple[str, int]]) -> tuple[int, ...]:
    things = {(name, which) for name, which in row if name in ANIMALS}
    blobs = [name for name, _ in groupby(name for name, _ in row) if name in ANIMALS]
    return len({name for name, _ in row}), len(things), len(set(row)), len(blobs)


def panoptic_quality(statement: str) -> tuple[float, ...]:
    there, said, overlaps = only(
        r"hay \*\*(\w+)\*\* segmentos de una clase y un modelo dice \*\*(\w+)\*\*\. Las parejas "
        r"que se parecen algo tienen estas IoU: (.+?)\. ¿",
        statement,
    )
    _check_single_pair(statement)
    return rounded(_quality(count(there), count(said), enumerated(overlaps)), statement)


def rounded(answer: tuple[float, ...], statement: str) -> tuple[float, ...]:
    """La respuesta de quien da justo los decimales que el enunciado admite."""
    numbers, decimals = only(
        r"Contesta con (\w+) números, con (\w+) decimales o como una cuenta\.", statement
    )
    assert len(answer) == count(numbers)
    return tuple(round(number, count(decimals)) for number in answer)


def _check_single_pair(statement: str) -> None:
    there, said, overlap, example = only(
        r"con (\w+) segmentos, (\w+) dichos y una sola pareja de IoU ([\d,]+) serían `(.+)`",
        statement,
    )
    terms = [_divided(term) for term in example.split(", ")]
    assert terms == list(_quality(count(there), count(said), [value(overlap)]))


def _divided(term: str) -> float:
    above, _, below = term.partition(" / ")
    return float(above) / float(below or 1)


def _quality(there: int, said: int, overlaps: list[float]) -> tuple[float, float, float]:
    """Cada pareja gasta un segmento de los que hay y otro de los dichos."""
    assert len(overlaps) <= min(there, said) and all(0 < overlap < 1 for overlap in overlaps)
    hits = [overlap for overlap in overlaps if overlap > 0.5]
    mean = sum(hits) / len(hits)
    precision, recall = len(hits) / said, len(hits) / there
    f1 = 2 * precision * recall / (precision + recall)
    return mean * f1, mean, f1


READERS = {"cuantos-segmentos": segments, "calidad-panoptica-a-mano": panoptic_quality}
