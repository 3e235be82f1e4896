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


def spans_with(first=False, closing="siempre", repeated=True):
    """La función del enunciado, con lo que se le haya arreglado."""

    def corrupt(tokens, hidden, sentinels):
        source, target, used = [], [], 0
        for place, (token, covered) in enumerate(zip(tokens, hidden, strict=True)):
            previous = hidden[place - 1] if first or place > 0 else 0
            if covered:
                if not previous:
                    source.append(sentinels[used])
                    target.append(sentinels[used])
                    used += 1
                target.append(token)
            elif repeated or token not in source:
                source.append(token)
        closes = closing == "siempre" or (closing == "si hay" and used)
        return source, target + [sentinels[used]] * bool(closes)

    return corrupt


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


SPANS = (
    Wrong("dos-o-mas", "al menos dos", spans_with(first=True, closing="si hay", repeated=False)),
    Wrong("dos-o-mas", "al menos dos", spans_with(first=True, repeated=False)),
    Wrong("mira-al-final", "la última", spans_with(first=True)),
    Wrong("sin-cierre-si-no-hay", "no hay tramos", spans_with(closing="si hay")),
    Wrong("pierde-repetidos", "todas las veces", spans_with(repeated=False)),
    Wrong("sin-centinela-final", "lo cierra", spans_with(closing="nunca")),
    Wrong("uno-por-token", "uno por tramo", one_mark_each),
)


def edge(place, n_buckets, max_distance):
    half = n_buckets // 2
    return half * math.exp(math.log(max_distance / half) * (place - half) / half)


def distances(bucket, n_buckets, max_distance, cut=math.ceil, end=1, ahead=0):
    if bucket < n_buckets // 2:
        return bucket, bucket
    here, after = (
        cut(edge(place, n_buckets, max_distance) - 1e-9)
        for place in (bucket + ahead, bucket + ahead + 1)
    )
    return here, after - end


def straight(bucket, n_buckets, max_distance):
    half = n_buckets // 2
    if bucket < half:
        return bucket, bucket
    wide = (max_distance - half) / half
    return (
        math.ceil(half + wide * (bucket - half) - 1e-9),
        math.ceil(half + wide * (bucket - half + 1) - 1e-9) - 1,
    )


def all_far(bucket, n_buckets, max_distance):
    here, after = (math.ceil(edge(b, n_buckets, max_distance) - 1e-9) for b in (bucket, bucket + 1))
    return here, after - 1


BUCKET = (
    Wrong("extremo-abierto", "es la anterior", lambda b, n, m: distances(b, n, m, end=0)),
    Wrong("en-linea-recta", "una potencia", straight),
    Wrong("redondeo", "has redondeado", lambda b, n, m: distances(b, n, m, cut=round)),
    Wrong("exactas-como-lejanas", "empieza en n", all_far),
    Wrong("una-cubeta-mas-alla", "cubeta siguiente", lambda b, n, m: distances(b, n, m, ahead=1)),
)


def packed(prefixes, lengths, inside, outside=False):
    """Bloque a bloque: `inside` da la máscara de un ejemplo; fuera, lo que se diga."""
    total = sum(lengths)
    mask = torch.ones(total, total).tril().bool() if outside else torch.zeros(total, total) > 0
    start = 0
    for prefix, length in zip(prefixes, lengths, strict=True):
        stop = start + length
        mask[start:stop, start:stop] = inside(prefix, length)
        start = stop
    return mask


def right(prefix, length):
    mask = torch.ones(length, length).tril().bool()
    mask[:, :prefix] = True
    return mask


def rows_opened(prefix, length):
    mask = torch.ones(length, length).tril().bool()
    mask[:prefix] = True
    return mask


def two_blocks(prefix, length):
    mask = torch.ones(length, length).tril().bool()
    mask[:prefix, :prefix] = True
    mask[prefix:, :prefix] = False
    return mask


def everybody_sees_prefixes(prefixes, lengths):
    mask = packed(prefixes, lengths, right)
    start = 0
    for prefix, length in zip(prefixes, lengths, strict=True):
        mask[:, start : start + prefix] = True
        start += length
    return mask


def first_prefix_only(prefixes, lengths):
    return packed([prefixes[0]] + [0] * (len(lengths) - 1), lengths, right)


PREFIX = (
    Wrong("se-ven-entre-si", "a los anteriores", lambda p, n: packed(p, n, right, outside=True)),
    Wrong("prefijos-a-la-vista", "desde el suyo", everybody_sees_prefixes),
    Wrong("solo-causal", "abrir los prefijos", lambda p, n: packed([0] * len(p), n, right)),
    Wrong("todo-visible", "se ve entero", lambda p, n: packed(n, n, right)),
    Wrong("filas-y-no-columnas", "las claves", lambda p, n: packed(p, n, rows_opened)),
    Wrong("no-ven-el-prefijo", "no ve su prefijo", lambda p, n: packed(p, n, two_blocks)),
    Wrong("solo-el-primer-prefijo", "primer ejemplo", first_prefix_only),
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
    "tramos-con-fallos": SPANS,
    "distancias-de-una-cubeta": BUCKET,
    "mascara-de-varios": PREFIX,
    "tasa-de-error": CHARACTERS,
}
