"""Respuestas equivocadas de los ejercicios de detección como lenguaje."""

from collections import Counter

import numpy as np
import torch.nn.functional as F

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


SENTENCE = (
    Wrong("x-delante", "la x delante", lambda b, c, n: sentence(b, c, n, columns=(0, 1, 2, 3))),
    Wrong("hacia-abajo", "redondeando", lambda b, c, n: sentence(b, c, n, rounding=np.floor)),
    Wrong("huecos-de-mas", "n_bins − 1", lambda b, c, n: sentence(b, c, n, gaps=0)),
    Wrong("clase-sin-mover", "n_bins + c", lambda b, c, n: sentence(b, c, n, base=0)),
    Wrong("clase-delante", "detrás de las cuatro", class_first),
    Wrong("con-tamanos", "no cuánto mide", with_sizes),
)


def likelihoods(logits, targets):
    return F.cross_entropy(logits, targets, reduction="none")


def picked(values, targets):
    return values.gather(1, targets[:, None])[:, 0]


WEIGHTS = (
    Wrong("entre-todas", "suma de los pesos", lambda x, t, w: (w * likelihoods(x, t)).mean()),
    Wrong("sin-pesos", "no has usado los pesos", lambda x, t, w: F.cross_entropy(x, t)),
    Wrong("suma", "falta dividir", lambda x, t, w: (w * likelihoods(x, t)).sum()),
    Wrong("signo", "cambia el signo", lambda x, t, w: -(w * likelihoods(x, t)).sum() / w.sum()),
    Wrong("sin-softmax", "log_softmax", lambda x, t, w: -(w * picked(x, t)).sum() / w.sum()),
    Wrong(
        "sin-logaritmo",
        "falta el logaritmo",
        lambda x, t, w: -(w * picked(x.softmax(1), t)).sum() / w.sum(),
    ),
)


def best(logits, low, high):
    return low + int(np.argmax(np.array(logits)[low:high]))


def rules(logits, place, n_bins, n_classes, *, every=5, last=True, extra=0):
    if place % every == (every - 1 if last else 0):
        return best(logits, n_bins, n_bins + n_classes + extra)
    return best(logits, 0, n_bins)


def class_number(logits, place, n_bins, n_classes):
    word = rules(logits, place, n_bins, n_classes)
    return word - n_bins if word >= n_bins else word


def upside_down(logits, place, n_bins, n_classes):
    if place % 5 == 4:
        return best(logits, 0, n_bins)
    return best(logits, n_bins, n_bins + n_classes)


RULES = (
    Wrong("sin-reglas", "entre todas", lambda x, p, n, c: best(x, 0, len(x))),
    Wrong("cada-cuatro", "cinco lugares", lambda x, p, n, c: rules(x, p, n, c, every=4)),
    Wrong("numero-de-clase", "n_bins más ese", class_number),
    Wrong("con-simbolos", "no se escriben", lambda x, p, n, c: rules(x, p, n, c, extra=2)),
    Wrong("clase-delante", "última palabra", lambda x, p, n, c: rules(x, p, n, c, last=False)),
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
    "escribir-una-escena": SENTENCE,
    "verosimilitud-con-pesos": WEIGHTS,
    "escribir-con-reglas": RULES,
    "leer-varias-veces": REPEATED,
}

EXAMPLES = {}
