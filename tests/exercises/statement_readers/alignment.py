"""Lectores de los ejercicios de comprender sobre las funciones de alineamiento."""

import math
import re

from tests.exercises.statement_readers import count, enumerated, integers, only, value


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


READERS = {"tres-puntajes": three_scores, "sparsemax-a-mano": sparsemax_by_hand}
