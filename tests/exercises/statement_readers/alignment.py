"""Lectores de los ejercicios de comprender sobre las funciones de alineamiento."""

import math
import re

from tests.exercises.statement_readers import (
    bullets,
    count,
    enumerated,
    integers,
    only,
    value,
)


def three_scores(statement):
    """El producto, dividido o no, y el coseno del ángulo que forman."""
    query, keys, *others = only(
        r"La consulta es \$q = \((.+?)\)\$ y hay (\w+) claves: \$A = \((.+?)\)\$ y "
        r"\$B = \((.+?)\)\$\.",
        statement,
    )
    functions = re.findall(r"\\text\{(\w+)", statement)
    assert functions == ["producto", "escalado", "coseno"]
    assert len(functions) == count(only(r"con (\w+) funciones de alineamiento:$", statement))
    heading = only(r"^## (\w+) puntajes para (\w+) claves", statement)
    assert tuple(map(count, heading)) == (len(functions), count(keys)) == (3, len(others))
    asked, decimals = only(r"Devuelve los (\w+) números, redondeados a (\w+) decimales", statement)
    assert count(asked) == len(functions) * len(others)
    key, listed = only(r"Por ejemplo, para la clave \$\((.+?)\)\$ serían (.+?)\. Antes", statement)
    assert key not in others
    assert _scores(query, key, count(decimals)) == enumerated(listed)
    return {
        f"{function}_{name}": score
        for name, other in zip("AB", others, strict=True)
        for function, score in zip(functions, _scores(query, other, count(decimals)), strict=True)
    }


def _scores(query, key, decimals):
    (x, y), (u, v) = integers(query), integers(key)
    product, angle = x * u + y * v, math.atan2(y, x) - math.atan2(v, u)
    return [round(score, decimals) for score in (product, product / math.sqrt(2), math.cos(angle))]


def sparsemax_by_hand(statement):
    """Entre todos los soportes, el único cuyos pesos suman 1."""
    scores, z = only(r"Estos (\w+) puntajes ya están ordenados: \$z = \((.+?)\)\$\.", statement)
    z = [value(score) for score in z.split(r";\ ")]
    assert z == sorted(z, reverse=True) and len(set(z)) == len(z)
    weights = only(r"Devuelve los (\w+) pesos en una lista y el umbral", statement)
    assert count(scores) == count(weights) == len(z)
    example, *answer = only(
        r"con \$z = \((.+?)\)\$ la respuesta sería `\[(.+?)\], (\S+)`\.", statement
    )
    assert _sparsemax(integers(example)) == (enumerated(answer[0]), value(answer[1]))
    return _sparsemax(z)


def _sparsemax(z):
    thresholds = [(sum(z[:r]) - 1) / r for r in range(1, len(z) + 1)]
    answers = [([max(score - tau, 0.0) for score in z], tau) for tau in thresholds]
    (answer,) = [(weights, tau) for weights, tau in answers if math.isclose(sum(weights), 1)]
    return answer


def variances(statement):
    """Con tantos números sorteados que la media y la varianza se ven."""
    variance = int(only(r"de media 0 y varianza (\d+), y no dependen", statement))
    layers = count(
        only(r"de una red de (\w+) capas lineales, con una ReLU entre cada dos", statement)
    )
    assert bullets(statement) == ["lineal", "relu", "salida"]
    moments = [variance]  # la media del cuadrado, tras cada paso
    for step in range(2 * layers - 1):
        moments.append(moments[-1] / (2 if step % 2 else 3))
    return {"lineal": moments[1], "relu": moments[2], "salida": moments[-1]}


def supports(statement):
    """El reparto, por bisección del umbral: cuántos quedan por encima."""
    z = [value(score) for score in only(r"puntajes \$z = \((.+?)\)\$, ¿", statement).split(r";\ ")]
    assert only(r"si se reparten \$z/(\d)\$, \$z\$ y \$4z\$", statement) == "4"
    found = {}
    for name, factor in (("entre_4", 0.25), ("tal_cual", 1), ("por_4", 4)):
        scaled = [factor * score for score in z]
        low, high = min(scaled) - 1, max(scaled)
        for _ in range(60):
            middle = (low + high) / 2
            total = sum(max(score - middle, 0) for score in scaled)
            low, high = (middle, high) if total >= 1 else (low, middle)
        found[name] = sum(score > high for score in scaled)
    return found


def sparsemax_gradient(statement):
    """Con diferencias finitas: se mueve cada puntaje un poco y se reparte otra vez."""
    p = [
        value(number) for number in only(r"ha repartido \$p = \((.+?)\)\$", statement).split(r";\ ")
    ]
    g = only(r"el gradiente \$g = \((.+?)\)\$, es decir", statement).split(r";\ ")
    g, small = [value(number) for number in g], 1e-4
    z = [share if share else -1.0 for share in p]  # con umbral 0, estos puntajes dan ese reparto
    found = []
    for j in range(len(z)):
        moved = [score + small * (i == j) for i, score in enumerate(z)]
        weights = _sparsemax_of(moved)
        found.append(sum(c * (w - v) / small for c, w, v in zip(g, weights, p, strict=True)))
    return [round(number, 3) for number in found]


def _sparsemax_of(z):
    order = sorted(range(len(z)), key=lambda i: -z[i])
    weights, _ = _sparsemax([z[i] for i in order])
    return [weights[order.index(i)] for i in range(len(z))]


READERS = {
    "tres-puntajes": three_scores,
    "un-sexto": variances,
    "sparsemax-a-mano": sparsemax_by_hand,
    "soporte-segun-la-escala": supports,
    "jacobiano-a-mano": sparsemax_gradient,
}
