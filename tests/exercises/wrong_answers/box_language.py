"""Respuestas equivocadas de los ejercicios de detección como lenguaje."""

from collections import Counter

import numpy as np
import torch

from tests.exercises.wrong_answers import Wrong

ROUNDING = (
    Wrong("solo-un-borde", "no medio", lambda: (0.831, 17)),
    Wrong("marcas-por-huecos", "20 huecos", lambda: (0.689, 17)),
    Wrong("sin-inicio-ni-fin", "la que la cierra", lambda: (0.675, 15)),
    Wrong("cuatro-por-objeto", "cinco palabras", lambda: (0.675, 14)),
)

IGNORANCE = (
    Wrong("solo-el-primero", "elegir el segundo", lambda: (1.0986, 1 / 3)),
    Wrong("una-vez-por-objeto", "quedan menos", lambda: (3.2958, 0.333)),
    Wrong("en-bits", "logaritmo natural", lambda: (2.585, 0.333)),
    Wrong("segura-de-si-misma", "tres respuestas", lambda: (1.792, 1.0)),
)


def sentence(
    boxes, classes, n_bins, *, columns=(1, 0, 3, 2), rounding=np.round, gaps=None, base=None
):
    table = np.array(boxes, dtype=float).reshape(-1, 4)[:, list(columns)]
    bins = rounding(table * (n_bins - 1 if gaps is None else n_bins)).astype(int)
    kinds = np.array(classes, dtype=int)[:, None] + (n_bins if base is None else base)
    return np.concatenate([bins, kinds], axis=1).flatten().tolist()


def class_first(boxes, classes, n_bins):
    words = np.array(sentence(boxes, classes, n_bins)).reshape(-1, 5)
    return np.roll(words, 1, axis=1).flatten().tolist()


def with_sizes(boxes, classes, n_bins):
    sized = [(x1, y1, x2 - x1, y2 - y1) for x1, y1, x2, y2 in boxes]
    return sentence(sized, classes, n_bins)


def spoilt(turned=False, **options):
    columns = (0, 1, 2, 3) if turned else (1, 0, 3, 2)
    return lambda b, c, n: sentence(b, c, n, columns=columns, **options)


DOWN, GAPS = {"rounding": np.floor}, {"gaps": 0}

SENTENCE = (
    Wrong("queda-abajo", "redondeando", spoilt(**DOWN)),
    Wrong("queda-huecos", "n − 1 huecos", spoilt(**GAPS)),
    Wrong("queda-girada", "la x va delante", spoilt(turned=True)),
    Wrong("queda-abajo-huecos", "quedan dos", spoilt(**DOWN, **GAPS)),
    Wrong("queda-abajo-girada", "quedan dos", spoilt(turned=True, **DOWN)),
    Wrong("queda-huecos-girada", "quedan dos", spoilt(turned=True, **GAPS)),
    Wrong("queda-abajo-huecos-girada", "los tres siguen ahí", spoilt(True, **DOWN, **GAPS)),
    Wrong("clase-sin-mover", "n_bins + c", spoilt(base=0)),
    Wrong("clase-delante", "detrás de las cuatro", class_first),
    Wrong("con-tamanos", "no cuánto mide", with_sizes),
)


def likeliest(row, marks):
    return marks[max(range(len(row)), key=lambda k: row[k])]


def halfway(row, marks, least=0.5, strictly=False):
    seen = 0.0
    for chance, mark in zip(row, marks, strict=True):
        seen += chance
        if seen > least or (seen == least and not strictly):
            return mark
    return marks[-1]


def expected(row, marks):
    return sum(chance * mark for chance, mark in zip(row, marks, strict=True))


def closest_to_expected(row, marks):
    return min(marks, key=lambda mark: abs(mark - expected(row, marks)))


def three(hit=likeliest, near=halfway, mean=expected, numbers=False):
    def best_answers(probabilities, marks):
        places = list(range(len(marks))) if numbers else marks.tolist()
        rows = [[f(row, places) for f in (hit, near, mean)] for row in probabilities.tolist()]
        return torch.tensor(rows, dtype=probabilities.dtype)

    return best_answers


ONE_ANSWER = (
    Wrong("siempre-la-moda", "las tres veces", three(near=likeliest, mean=likeliest)),
    Wrong("siempre-la-moda", "las tres veces", three(near=likeliest)),
    Wrong("siempre-la-media", "la arrastra", three(near=expected)),
    Wrong("mediana-sin-pesos", "a cada lado", three(near=lambda row, x: x[(len(x) - 1) // 2])),
    Wrong("justo-en-la-mitad", "la menor", three(near=lambda r, x: halfway(r, x, strictly=True))),
    Wrong("media-redondeada", "entre dos marcas", three(mean=closest_to_expected)),
    Wrong("numeros-de-marca", "dónde están", three(numbers=True)),
    Wrong("cambiadas", "en otro orden", three(near=expected, mean=halfway)),
    Wrong("cambiadas", "en otro orden", three(hit=halfway, near=likeliest)),
)


def best(logits, low, high, zeros=False):
    scores = np.array(logits, dtype=float)
    outside = np.ones(len(scores), dtype=bool)
    outside[low:high] = False
    scores[outside] = 0.0 if zeros else -np.inf
    return int(np.argmax(scores))


def rules(logits, place, n_bins, n_classes, *, every=5, last=True, symbols=False, zeros=False):
    if place % every == (every - 1 if last else 0):
        return best(logits, n_bins, None if symbols else n_bins + n_classes, zeros)
    return best(logits, 0, n_bins, zeros)


def ruled(**options):
    return lambda x, p, n, c: rules(x, p, n, c, **options)


def class_number(logits, place, n_bins, n_classes):
    word = rules(logits, place, n_bins, n_classes)
    return word - n_bins if word >= n_bins else word


def upside_down(logits, place, n_bins, n_classes):
    if place % 5 == 4:
        return best(logits, 0, n_bins)
    return best(logits, n_bins, n_bins + n_classes)


RULES = (
    Wrong("queda-ceros", "gana un cero", ruled(zeros=True)),
    Wrong("queda-simbolos", "no se escriben", ruled(symbols=True)),
    Wrong("queda-delante", "última palabra", ruled(last=False)),
    Wrong("queda-ceros-simbolos", "quedan dos", ruled(zeros=True, symbols=True)),
    Wrong("queda-ceros-delante", "quedan dos", ruled(zeros=True, last=False)),
    Wrong("queda-simbolos-delante", "quedan dos", ruled(symbols=True, last=False)),
    Wrong("queda-ceros-simbolos-delante", "los tres", ruled(zeros=True, symbols=True, last=False)),
    Wrong("sin-reglas", "entre todas", lambda x, p, n, c: best(x, 0, len(x))),
    Wrong("cada-cuatro", "cinco lugares", ruled(every=4)),
    Wrong("numero-de-clase", "n_bins más ese", class_number),
    Wrong("al-reves", "los papeles", upside_down),
)


def grouped(hits):
    return Counter(thing for thing in hits if thing != -1)


REPEATED = (
    Wrong("con-las-malas", "no señalan a nadie", lambda h: len(h) - len(Counter(h))),
    Wrong(
        "todas-las-del-grupo", "la primera es buena",
        lambda h: sum(n for n in grouped(h).values() if n > 1),
    ),
    Wrong("objetos", "detecciones de más", lambda h: sum(1 for n in grouped(h).values() if n > 1)),
    Wrong("las-malas", "las que repiten", lambda h: Counter(h)[-1]),
    Wrong(
        "seguidas", "seguidas",
        lambda h: sum(h[i] == h[i - 1] != -1 for i in range(1, len(h))),
    ),
)  # fmt: skip

WRONG = {
    "redondear-una-caja": ROUNDING,
    "precio-del-azar": IGNORANCE,
    "fallos-al-escribir-una-escena": SENTENCE,
    "una-marca-y-tres-perdidas": ONE_ANSWER,
    "escribir-con-reglas": RULES,
    "leer-varias-veces": REPEATED,
}

EXAMPLES = {}
