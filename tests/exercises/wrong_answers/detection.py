"""Respuestas equivocadas de los ejercicios de detección como conjunto."""

import numpy as np
import torch
from torchvision import ops

from tests.exercises.wrong_answers import Wrong

BY_HAND = (
    Wrong("union-sin-restar", "dos veces lo común", lambda: (0.0714, -0.1508)),
    Wrong("al-reves", "nunca es mayor", lambda: (-0.2009, 0.0769)),
    Wrong("hueco-entre-la-union", "no entre la unión", lambda: (0.0769, -0.3077)),
    Wrong("sin-hueco", "falta restar", lambda: (0.0769, 0.0769)),
    Wrong("sumado", "has sumado el hueco", lambda: (0.0769, 0.3547)),
)

PAIRS = (
    Wrong("repetida", "a dos objetos", lambda: [1, 3, 1]),
    Wrong("la-mas-barata-primero", "cede la predicción", lambda: [1, 3, 0]),
    Wrong("por-turnos", "objeto a objeto", lambda: [2, 3, 1]),
    Wrong("desde-uno", "la primera es la 0", lambda: [4, 3, 2]),
    Wrong("el-mayor", "se busca la menor", lambda: [0, 1, 2]),
    Wrong("al-reves", "de cada objeto", lambda: [-1, 2, 1, 0]),
)


def lengths(first, second):
    """Los dos anchos, el solape con signo y lo que abarcan, con NumPy."""
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    signed = np.minimum(a[:, 1], b[:, 1]) - np.maximum(a[:, 0], b[:, 0])
    hull = np.maximum(a[:, 1], b[:, 1]) - np.minimum(a[:, 0], b[:, 0])
    return np.ptp(a, axis=1), np.ptp(b, axis=1), signed, hull


def towards(first, second):
    """1 si el solape crece al ir a la derecha, −1 si mengua y 0 si da igual."""
    a, b = np.asarray(first), np.asarray(second)
    inside = (a[:, 0] - b[:, 0]) * (a[:, 1] - b[:, 1]) <= 0
    return np.where(inside, 0.0, np.where(a[:, 0] < b[:, 0], 1.0, -1.0))


def middle_to_middle(first, second):
    return np.sign(np.asarray(second).sum(1) - np.asarray(first).sum(1))


def pulled(slope=lambda w, v, o, c: (w + v) / c**2, side=towards):
    def giou_pull(first, second):
        found = side(first, second) * slope(*lengths(first, second))
        return torch.tensor(found, dtype=first.dtype)

    return giou_pull


PULL = (
    Wrong("la-de-la-iou", "sigue tirando", pulled(
        lambda w, v, o, c: np.where(o > 0, (w + v) / (w + v - o) ** 2, 0.0))),
    Wrong("signo", "al revés", pulled(side=lambda a, b: -towards(a, b))),
    Wrong("siempre-hacia-el-centro", "no cambia nada", pulled(side=middle_to_middle)),
    Wrong("entre-la-union", "hueco incluido", pulled(
        lambda w, v, o, c: (w + v) / (w + v - o.clip(0)) ** 2)),
    Wrong("sin-el-cuadrado", "un cociente", pulled(lambda w, v, o, c: (w + v) / c)),
    Wrong("sin-derivar-lo-de-abajo", "lo que abarcan", pulled(lambda w, v, o, c: 1 / c)),
    Wrong("un-solo-ancho", "los dos anchos", pulled(lambda w, v, o, c: w / c**2)),
    Wrong("un-solo-ancho", "los dos anchos", pulled(lambda w, v, o, c: v / c**2)),
    Wrong("un-solo-ancho", "los dos anchos", pulled(lambda w, v, o, c: o / c**2)),
)  # fmt: skip


def table(share=None, p=1.0, weight=5.0, sign=-1.0, pick=None):
    share = share or (lambda x: torch.softmax(x, 1))

    def matching_costs(logits, boxes, classes, true_boxes):
        likely = share(logits)
        chosen = torch.stack([pick(likely) if pick else likely[:, c] for c in classes], dim=1)
        return weight * torch.cdist(boxes, true_boxes, p=p) + sign * chosen

    return matching_costs


def silent(x):
    return torch.softmax(x[:, : x.shape[1] - 1], 1)


def silent_log(x):
    return torch.log_softmax(x[:, : x.shape[1] - 1], 1)


def with_log(x):
    return torch.log_softmax(x, 1)


COSTS = (
    Wrong("queda-callada", "queda uno", table(silent)),
    Wrong("queda-recta", "en línea recta", table(p=2.0)),
    Wrong("queda-logaritmo", "no tiene cota", table(with_log)),
    Wrong("queda-callada-recta", "quedan dos", table(silent, p=2.0)),
    Wrong("queda-callada-logaritmo", "quedan dos", table(silent_log)),
    Wrong("queda-recta-logaritmo", "quedan dos", table(with_log, p=2.0)),
    Wrong("queda-callada-recta-logaritmo", "los tres siguen ahí", table(silent_log, p=2.0)),
    Wrong("probabilidad-sumada", "costar menos", table(sign=1.0)),
    Wrong("sin-peso", "por cinco", table(weight=1.0)),
    Wrong("entre-consultas", "el último eje", table(lambda x: torch.softmax(x, 0))),
    Wrong("la-mas-probable", "la de cada objeto", table(pick=lambda p: p.max(1).values)),
    Wrong("traspuesta", "está girada", lambda *given: table()(*given).transpose(0, 1)),
)


def curve(hits):
    return np.cumsum(hits) / np.arange(1, len(hits) + 1)


def at_each_hit(hits, n_objects):
    return float((curve(hits) * np.array(hits)).sum() / n_objects)


def over_found(hits, n_objects):
    best = np.maximum.accumulate(curve(hits)[::-1])[::-1]
    return float((best * np.array(hits)).sum() / max(1, sum(hits)))


def looking_back(hits, n_objects):
    best = np.maximum.accumulate(curve(hits))
    return float((best * np.array(hits)).sum() / n_objects)


PRECISION = (
    Wrong("sin-envolvente", "desde él hasta el final", at_each_hit),
    Wrong("entre-los-encontrados", "los que faltan también", over_found),
    Wrong("media-de-todas", "de todas las detecciones", lambda h, n: float(curve(h).mean())),
    Wrong("la-ultima", "recorre toda la lista", lambda h, n: float(curve(h)[-1])),
    Wrong("hacia-atras", "hasta el final", looking_back),
)


def overlaps(boxes):
    grid = torch.tensor(boxes).reshape(-1, 4)
    return ops.box_iou(grid, grid)


def worst_first(boxes, scores, threshold):
    grid = torch.tensor(boxes).reshape(-1, 4)
    return ops.nms(grid, -torch.tensor(scores), threshold).tolist()


def dead_still_kill(boxes, scores, threshold):
    same = overlaps(boxes)
    order = np.argsort([-s for s in scores], kind="stable").tolist()
    return [
        i for place, i in enumerate(order) if all(same[i, j] <= threshold for j in order[:place])
    ]


def only_duplicates(boxes, scores, threshold):
    same, kept = overlaps(boxes), []
    for i in np.argsort([-s for s in scores], kind="stable").tolist():
        if not kept or any(same[i, j] > threshold for j in kept):
            kept.append(i)
    return kept


def by_number(boxes, scores, threshold):
    grid = torch.tensor(boxes).reshape(-1, 4)
    return sorted(ops.nms(grid, torch.tensor(scores), threshold).tolist())


def only_the_first(boxes, scores, threshold):
    same = overlaps(boxes)
    order = np.argsort([-s for s in scores], kind="stable").tolist()
    return [i for i in order if i == order[0] or same[i, order[0]] <= threshold]


SUPPRESSION = (
    Wrong("de-menos-a-mas", "la peor de cada grupo", worst_first),
    Wrong("tachan-las-tachadas", "ya no cuenta", dead_still_kill),
    Wrong("al-contrario", "con las repetidas", only_duplicates),
    Wrong("en-otro-orden", "en otro orden", by_number),
    Wrong("solo-la-primera", "todas las que se quedan", only_the_first),
)

WRONG = {
    "giou-a-mano": BY_HAND,
    "emparejar-a-mano": PAIRS,
    "hacia-donde-tira-la-giou": PULL,
    "fallos-en-los-costes": COSTS,
    "precision-media": PRECISION,
    "quitar-repetidas": SUPPRESSION,
}

EXAMPLES = {}
