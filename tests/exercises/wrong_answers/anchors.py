"""Respuestas equivocadas de los ejercicios de las anclas."""

import math

import torch

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "corregir-las-cajas": (
        [
            [[0.5, 0.5, 0.5, 0.5]],
            [[[0.0, 0.0, 0.0, 0.0]], [[1.0, 0.0, 0.0, 0.0]]],
        ],
        [[[[0.5, 0.5, 0.5, 0.5]], [[0.7311, 0.5, 0.5, 0.5]]]],
    ),
    "pendiente-varifocal": ([[0.0, 0.0], [0.9, 0.0]], [[-0.36, 0.0938]]),
}

CORRECTING = (
    Wrong("suma-a-la-coordenada", "a la inversa", lambda: (1.3486, 2.7349, 1.6363)),
    Wrong("multiplica-la-coordenada", "la razón", lambda: (0.75, 3.0, 1.0)),
    Wrong("razon-sin-volver", "volver a la coordenada", lambda: (1.0, 4.0, 1.3333)),
    Wrong("sin-corregir", "ha partido del ancla", lambda: (0.5, 0.5714, 0.5714)),
    Wrong("siempre-corregida", "no sabe lo que hizo", lambda: (0.5, 0.8, 0.8)),
)


def counts(anchors=2576, spatial=12672, apart=0, bells=804):
    names = "anclas", "posiciones", "separada", "gaussiana"
    return lambda: dict(zip(names, (anchors, spatial, apart, bells), strict=True))


COUNTING = (
    Wrong("tabla-que-se-queda", "se resta", counts(anchors=3216)),
    Wrong("sin-anclas", "cuatro números por consulta", counts(anchors=2496)),
    Wrong("sin-sesgos", "un sesgo por salida", counts(spatial=12288)),
    Wrong("una-sola-capa", "el de un bloque", counts(spatial=4224)),
    Wrong("separar-suma", "no pone parámetros", counts(apart=6336)),
    Wrong("sin-nitidez", "un número por cabeza", counts(bells=792)),
)


def logits(x):
    return torch.log(x) - torch.log1p(-x)


def never_chained(anchors, corrections):
    return torch.stack([torch.sigmoid(logits(anchors) + one) for one in corrections])


def plainly_added(anchors, corrections):
    boxes = []
    for one in corrections:
        anchors = torch.sigmoid(anchors + one)
        boxes.append(anchors)
    return torch.stack(boxes)


def left_unbounded(anchors, corrections):
    return torch.stack(
        [logits(anchors) + corrections[: i + 1].sum(0) for i in range(len(corrections))]
    )


def all_the_last(anchors, corrections):
    last = torch.sigmoid(logits(anchors) + corrections.sum(0))
    return torch.stack([last] * len(corrections))


REFINING = (
    Wrong("desde-el-ancla", "ya corregida", never_chained),
    Wrong("sin-inversa", "deshacer la sigmoide", plainly_added),
    Wrong("sin-sigmoide", "entre 0 y 1", left_unbounded),
    Wrong("solo-la-ultima", "cada una tiene la suya", all_the_last),
)


def slopes(yes, no):
    def slope(logits, target):
        p = 1 / (1 + torch.exp(-logits))
        return torch.where(target > 0, yes(p, target), no(p))

    return slope


def right_yes(p, q):
    return q * p - q * q


def right_no(p):
    return 0.75 * p * p * p


def whole_derivative(p):
    return 0.75 * (p * p * p + 2 * p * p * (1 - p) * -torch.log1p(-p))


VARIFOCAL = (
    Wrong("peso-derivado", "es una constante", slopes(right_yes, whole_derivative)),
    Wrong("si-sin-peso", "falta el peso, q", slopes(lambda p, q: p - q, right_no)),
    Wrong("blanco-uno", "sino la IoU", slopes(lambda p, q: q * p - q, right_no)),
    Wrong("no-sin-alfa", "0,75", slopes(right_yes, lambda p: p * p * p)),
    Wrong("no-sin-p", "solo el peso", slopes(right_yes, lambda p: 0.75 * p * p)),
    Wrong("no-sin-peso", "falta el peso, 0,75", slopes(right_yes, lambda p: 1.0 * p)),
    Wrong("signo", "al revés", slopes(lambda p, q: q * q - q * p, lambda p: -right_no(p))),
)


def heads(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1))


def as_given(c, k, p, r, n_heads):
    q, keys = torch.cat([c, p], 1), torch.cat([k, r], 1)
    scores = heads(q, n_heads) @ heads(keys, n_heads).transpose(1, 2)
    return torch.softmax(scores / math.sqrt(c.shape[-1]), 1)


def separate(axis, scale):
    def weights(c, k, p, r, n_heads):
        size = c.shape[1] / n_heads
        both = [heads(a, n_heads) @ heads(b, n_heads).transpose(1, 2) for a, b in ((c, k), (p, r))]
        return torch.softmax(sum(both) / math.sqrt(scale * size), axis)

    return weights


def summed(c, k, p, r, n_heads):
    scores = heads(c + p, n_heads) @ heads(k + r, n_heads).transpose(1, 2)
    return torch.softmax(scores / math.sqrt(2 * c.shape[1] / n_heads), 2)


GLUED = (
    Wrong("pegado-antes-de-repartir", "solo tienen contenido", as_given),
    Wrong("softmax-entre-consultas", "entre las casillas", separate(1, 2)),
    Wrong("escala", "mide el doble", separate(2, 1)),
    Wrong("sumadas", "los cuatro cruces", summed),
)


def paired(before, after):
    return [after[seed] - before[seed] for seed in before if seed in after]


def reading(differences, n=None):
    up = len([d for d in differences if d > 0])
    return sum(differences) / len(differences), up, len(differences) if n is None else n


def in_line(before, after):
    return reading([b - a for a, b in zip(before.values(), after.values(), strict=False)])


def means_apart(before, after):
    first, second = (sum(x.values()) / len(x) for x in (before, after))
    return second - first, *reading(paired(before, after))[1:]


def minus(before, after):
    return reading([-d for d in paired(before, after)])


def down(before, after):
    mean, up, n = reading(paired(before, after))
    return mean, n - up, n


def alone_too(before, after):
    return reading(paired(before, after), len({*before, *after}))


LADDER = (
    Wrong("por-el-lugar", "la misma semilla", in_line),
    Wrong("diferencia-de-medias", "están en las dos", means_apart),
    Wrong("al-reves", "después menos antes", minus),
    Wrong("cuenta-las-que-bajan", "las que suben", down),
    Wrong("cuenta-las-sueltas", "sin pareja", alone_too),
)

WRONG = {
    "corregir-a-mano": CORRECTING,
    "contar-los-anadidos": COUNTING,
    "corregir-las-cajas": REFINING,
    "pendiente-varifocal": VARIFOCAL,
    "tres-fallos-al-separar": GLUED,
    "que-sobra": LADDER,
}
