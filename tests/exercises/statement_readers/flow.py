"""Lectores de los ejercicios de comprender de «Generar imágenes»."""

import math

from tests.exercises.statement_readers import bullets, integers, named_integers, only, value

NUMBER = r"([−\d,]+?)"


def crossing(statement):
    first, second = map(
        number,
        only(rf"el primero en {NUMBER} y el segundo en {NUMBER}, sin nada de ancho", statement),
    )
    time, x = map(
        number, only(rf"En el instante {NUMBER}, alguien pasa por {NUMBER}\. ", statement)
    )
    assert bullets(statement) == ["al_segundo", "velocidad", "llegada"]
    example = only(
        rf"con datos en {NUMBER} y {NUMBER}, en el instante {NUMBER} y en el punto {NUMBER}, "
        rf"serían {NUMBER}, {NUMBER} y {NUMBER}\.$",
        statement,
    )
    *given, share, speed, end = map(number, example)
    assert _crossing(*given) == {"al_segundo": share, "velocidad": speed, "llegada": end}
    return _crossing(first, second, time, x)


def number(text):
    """Un número del enunciado, con su signo menos."""
    return value(text.replace("−", "-"))


def _crossing(first, second, time, x):
    """Cuántos ruidos llevan a este punto: la altura de la campana en el que hizo falta."""
    heights = []
    for datum in (first, second):
        noise = (x - time * datum) / (1 - time)
        heights.append(math.exp(-(noise**2) / 2))
    share = heights[1] / sum(heights)
    speeds = [datum - (x - time * datum) / (1 - time) for datum in (first, second)]
    speed = (1 - share) * speeds[0] + share * speeds[1]
    return {"al_segundo": share, "velocidad": speed, "llegada": x + (1 - time) * speed}


def passes(statement):
    images, steps = map(
        int, only(r"Se dibujan \*\*(\d+)\*\* imágenes con (\d+) pasos y guía 3", statement)
    )
    batch, updates = map(
        int, only(r"con lotes de (\d+) imágenes y (\d+) actualizaciones", statement)
    )
    assert bullets(statement) == ["euler", "heun", "sin_exagerar", "pasos_de_heun", "entrenar"]
    example, listed = only(r"Por ejemplo, con (.+), serían (.+)\.$", statement)
    assert _passes(*integers(example)) == integers(listed)
    return named_integers(statement, _passes(images, steps, batch, updates))


def _passes(images, steps, batch, updates):
    """Imagen a imagen y paso a paso."""
    euler = sum(1 for _ in range(images) for _ in range(steps) for _ in ("con", "sin"))
    heun = images * _asked_by_heun(steps)
    alone = sum(1 for _ in range(images) for _ in range(steps))
    whole = 0
    while images * _asked_by_heun(whole + 1) <= euler:
        whole += 1
    return [euler, heun, alone, whole, sum(batch for _ in range(updates))]


def _asked_by_heun(steps):
    """Las pasadas de una imagen: aquí y allí, con clase y sin ella; al llegar, solo aquí."""
    places = [place for step in range(steps) for place in (step, step + 1) if place < steps]
    return sum(1 for _ in places for _ in ("con", "sin"))


READERS = {"a-donde-va-quien-pasa": crossing, "cuantas-pasadas": passes}
