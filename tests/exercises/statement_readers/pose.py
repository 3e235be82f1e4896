"""Lectores de los enunciados de la pose."""

import math
import re
from ast import literal_eval
from itertools import count as naturals

from tests.exercises.statement_readers import count, only, value
from tests.exercises.statement_readers.segmentation import rounded

JOINTS = ("el hombro", "la muñeca")


def oks(statement: str) -> tuple[float, ...]:
    area, squared = only(r"ocupa (\d+) píxeles cuadrados \(\$s\^2 = (\d+)\$\)", statement)
    assert area == squared
    sigmas = _sigmas(statement)
    away = only(
        r"Una pose pone el hombro a ([\d,]+) píxeles de su sitio y la muñeca a ([\d,]+)\. ¿",
        statement,
    )
    example = only("si las dos estuvieran en su sitio, serían `(.+)`", statement)
    assert literal_eval(example) == _alike(value(area), sigmas, (0, 0))
    return rounded(_alike(value(area), sigmas, [value(pixels) for pixels in away]), statement)


def _sigmas(statement: str) -> list[float]:
    found = re.findall(r"(el hombro|la muñeca), con \$\\sigma = ([\d{},]+)\$", statement)
    assert tuple(joint for joint, _ in found) == JOINTS
    assert len(found) == count(only(r"se han anotado (\w+) articulaciones", statement))
    return [value(sigma) for _, sigma in found]


def _alike(area: float, sigmas, away) -> tuple[float, ...]:
    """Lo que aporta una articulación es una campana cuya desviación típica es `2σs`."""
    widths = [2 * sigma * math.sqrt(area) for sigma in sigmas]
    parts = [
        math.exp(-((pixels / width) ** 2) / 2) for pixels, width in zip(away, widths, strict=True)
    ]
    return *parts, math.fsum(parts) / len(parts)


def cheaper_way(statement: str) -> tuple[int, int, int]:
    """Prueba con una persona, con dos, con tres… hasta que el segundo tarda menos."""
    systems = _systems(statement)
    example = only(r"con una sola persona tardarían (\d+) y (\d+) ms", statement)
    assert tuple(map(int, example)) == _both(systems, 1)
    people = int(only(r"tarda cada uno con (\d+) personas\?", statement))
    cheaper = (number for number in naturals(1) if _second_wins(systems, number))
    answer = next(cheaper), *_both(systems, people)
    assert not _second_wins(systems, 1)  # si no, «¿desde cuántas?» no pregunta nada
    assert len(answer) == count(only(r"Contesta con (\w+) números", statement))
    return answer


def _systems(statement: str) -> list[tuple[int, int]]:
    """De cada sistema, lo que tarda de todos modos y lo que le cuesta cada persona."""
    found = only(
        r"El primero pasa un detector, que tarda (\d+) ms por imagen, y después un modelo de pose, "
        r"que tarda (\d+) ms por persona\. El segundo hace los mapas de la imagen entera en (\d+) "
        r"ms y agrupa los puntos en (\d+) ms por persona\.",
        statement,
    )
    detector, person, maps, grouping = map(int, found)
    systems = [(detector, person), (maps, grouping)]
    assert len(systems) == count(only(r"Tienes (\w+) sistemas", statement))
    return systems


def _both(systems: list[tuple[int, int]], people: int) -> tuple[int, ...]:
    return tuple(fixed + each * people for fixed, each in systems)


def _second_wins(systems: list[tuple[int, int]], people: int) -> bool:
    first, second = _both(systems, people)
    return second < first


READERS = {"oks-a-mano": oks, "que-camino": cheaper_way}
