"""Respuestas equivocadas de los ejercicios de texto a texto."""

import math

import torch

from tests.exercises.wrong_answers import Wrong

GOOD_SOURCE, GOOD_TARGET = [11, 12, 100, 15, 101, 18, 19], [100, 13, 14, 101, 16, 17, 102]

BY_HAND = (
    Wrong(
        "uno-por-token",
        "uno por tramo",
        lambda: ([11, 12, 100, 101, 15, 102, 103, 18, 19], GOOD_TARGET),
    ),
    Wrong("sin-centinela-final", "no hay más tramos", lambda: (GOOD_SOURCE, GOOD_TARGET[:6])),
    Wrong("al-reves", "cambiado de sitio", lambda: (GOOD_TARGET, GOOD_SOURCE)),
    Wrong("texto-entero", "el texto entero", lambda: (GOOD_SOURCE, list(range(11, 20)))),
    Wrong(
        "mismo-centinela",
        "cuál es cuál",
        lambda: ([11, 12, 100, 15, 100, 18, 19], [100, 13, 14, 100, 16, 17, 100]),
    ),
)


def shares(plural, tema, corrige):
    return lambda: {"plural": plural, "tema": tema, "corrige": corrige}


RATES = (
    Wrong("sin-limite", "el límite", shares(0.0714, 0.2143, 0.7143)),
    Wrong("sin-temperatura", "te falta la temperatura", shares(0.0385, 0.3462, 0.6154)),
    Wrong("elevada-a-t", "has elevado a T", shares(0.00296, 0.2396, 0.7574)),
    Wrong("sin-normalizar", "no suman 1", shares(10.0, 30.0, 40.0)),
    Wrong("raiz-despues", "la raíz va antes", shares(0.1961, 0.5883, 0.7845)),
)


def spans(tokens, hidden):
    """Tramos tapados, como listas."""
    found, open_span = [], False
    for token, covered in zip(tokens, hidden, strict=True):
        if covered and not open_span:
            found.append([])
        if covered:
            found[-1].append(token)
        open_span = covered
    return found


def read(tokens, hidden, marks):
    marks, result, previous = iter(marks), [], False
    for token, covered in zip(tokens, hidden, strict=True):
        if not covered:
            result.append(token)
        elif not previous:
            result.append(next(marks))
        previous = covered
    return result


def no_last_mark(tokens, hidden, sentinels):
    found = spans(tokens, hidden)
    target = [x for mark, span in zip(sentinels, found, strict=False) for x in (mark, *span)]
    return read(tokens, hidden, sentinels), target


def one_mark_each(tokens, hidden, sentinels):
    marks = iter(sentinels)
    source, target = [], []
    for token, covered in zip(tokens, hidden, strict=True):
        if covered:
            mark = next(marks)
            source.append(mark)
            target.extend([mark, token])
        else:
            source.append(token)
    return source, [*target, next(marks)]


def always_first(tokens, hidden, sentinels):
    first = sentinels[0]
    target = [x for span in spans(tokens, hidden) for x in (first, *span)]
    return read(tokens, hidden, [first] * len(tokens)), [*target, first]


def target_without_marks(tokens, hidden, sentinels):
    target = [token for span in spans(tokens, hidden) for token in span]
    return read(tokens, hidden, sentinels), target


def right_spans(tokens, hidden, sentinels):
    source, target = no_last_mark(tokens, hidden, sentinels)
    return source, [*target, sentinels[len(spans(tokens, hidden))]]


SPANS = (
    Wrong("sin-centinela-final", "lo cierra", no_last_mark),
    Wrong("uno-por-token", "uno por tramo", one_mark_each),
    Wrong("mismo-centinela", "el primer centinela", always_first),
    Wrong("objetivo-sin-centinelas", "faltan los centinelas", target_without_marks),
    Wrong("al-reves", "es al revés", lambda t, h, s: right_spans(t, h, s)[::-1]),
)


def bucket(distance, n_buckets, max_distance, top=True, cut=int):
    half = n_buckets // 2
    if distance < half:
        return distance
    part = math.log(distance / half) / math.log(max_distance / half)
    place = half + cut(part * (n_buckets - half) + 1e-12)
    return min(place, n_buckets - 1) if top else place


def straight(distance, n_buckets, max_distance):
    half = n_buckets // 2
    if distance < half:
        return distance
    place = half + (distance - half) * (n_buckets - half) // (max_distance - half)
    return min(place, n_buckets - 1)


def forgets_exact(distance, n_buckets, max_distance):
    place = bucket(distance, n_buckets, max_distance, top=False)
    half = n_buckets // 2
    return place if distance < half else min(place - half, n_buckets - 1)


def too_few_exact(distance, n_buckets, max_distance):
    exact = n_buckets // 4
    if distance < exact:
        return distance
    part = math.log(distance / exact, max_distance / exact)
    return min(n_buckets - 1, exact + math.floor(part * (n_buckets - exact) + 1e-9))


BUCKET = (
    Wrong("sin-tope", "ponles un tope", lambda d, n, m: bucket(d, n, m, top=False)),
    Wrong("en-linea-recta", "como un logaritmo", straight),
    Wrong("redondeo", "la parte entera", lambda d, n, m: bucket(d, n, m, cut=round)),
    Wrong("sin-sumar-las-exactas", "sumar las exactas", forgets_exact),
    Wrong("un-cuarto-exactas", "son la mitad", too_few_exact),
)


def rows_opened(n_prefix, length):
    mask = torch.tril(torch.ones(length, length)).bool()
    mask[:n_prefix] = True
    return mask


def opened(n_prefix, length, extra=0):
    mask = torch.tril(torch.ones(length, length)).bool()
    mask[:, : n_prefix + extra] = True
    return mask


def two_blocks(n_prefix, length):
    mask = torch.tril(torch.ones(length, length)).bool()
    mask[:n_prefix, :n_prefix] = True
    mask[n_prefix:, :n_prefix] = False
    return mask


PREFIX = (
    Wrong(
        "solo-causal",
        "es la causal",
        lambda n_prefix, length: torch.ones(length, length).tril().bool(),
    ),
    Wrong("todo-visible", "se ve todo", lambda n_prefix, length: torch.ones(length, length) > 0),
    Wrong("filas-y-no-columnas", "las claves", rows_opened),
    Wrong("no-ven-el-prefijo", "desde todas partes", two_blocks),
    Wrong("uno-de-mas", "una clave de más", lambda n, length: opened(n, length, 1)),
    Wrong("al-contrario", "puede mirar", lambda n, length: ~opened(n, length)),
)


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        diagonal, row[0] = row[0], i
        for j in range(1, len(b) + 1):
            diagonal, row[j] = (
                row[j],
                min(row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])),
            )
    return row[-1]


def place_by_place(written, expected):
    wrong = 0
    for w, e in zip(written, expected, strict=True):
        wrong += sum(x != y for x, y in zip(w, e, strict=False)) + abs(len(w) - len(e))
    return wrong / sum(len(e) for e in expected)


def average(written, expected):
    pairs = zip(written, expected, strict=True)
    return sum(levenshtein(w, e) / len(e) for w, e in pairs) / len(expected)


def over_longest(written, expected):
    pairs = list(zip(written, expected, strict=True))
    return sum(levenshtein(w, e) for w, e in pairs) / sum(max(len(w), len(e)) for w, e in pairs)


def changes(written, expected):
    return sum(map(levenshtein, written, expected))


CHARACTERS = (
    Wrong("letra-a-letra", "la distancia de edición", place_by_place),
    Wrong("media-de-respuestas", "la media de las tasas", average),
    Wrong("entre-lo-escrito", "entre lo esperado", over_longest),
    Wrong("sin-dividir", "falta dividirlo", changes),
    Wrong(
        "acierto-exacto",
        "respuestas enteras",
        lambda w, e: sum(a != b for a, b in zip(w, e, strict=True)) / len(e),
    ),
)

WRONG = {
    "tapar-a-mano": BY_HAND,
    "cuanto-a-cada-una": RATES,
    "corromper-tramos": SPANS,
    "cubeta-de-una-distancia": BUCKET,
    "mascara-con-prefijo": PREFIX,
    "tasa-de-error": CHARACTERS,
}
