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


def parts(a, b):
    """Intersección sin recortar, unión y caja que las contiene, con NumPy."""
    a, b = np.array(a), np.array(b)
    sides = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    hull = (np.maximum(a[2:], b[2:]) - np.minimum(a[:2], b[:2])).prod()
    return sides, (a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod(), hull


def never_clipped(a, b):
    sides, areas, hull = parts(a, b)
    common = sides.prod()
    union = areas - common
    return float(common / union - (hull - union) / hull)


def counted_twice(a, b):
    sides, areas, hull = parts(a, b)
    return float(sides.clip(0).prod() / areas - (hull - areas) / hull)


def plain_iou(a, b):
    return float(ops.box_iou(torch.tensor([a]), torch.tensor([b])))


def gap_over_union(a, b):
    sides, areas, hull = parts(a, b)
    common = sides.clip(0).prod()
    union = areas - common
    return float(common / union - hull / union + 1)


def gap_added(a, b):
    sides, areas, hull = parts(a, b)
    common = sides.clip(0).prod()
    union = areas - common
    return float(common / union + 1 - union / hull)


GIOU = (
    Wrong("sin-recorte", "corta cada lado en cero", never_clipped),
    Wrong("union-sin-restar", "dos veces lo común", counted_twice),
    Wrong("solo-iou", "eso es la IoU", plain_iou),
    Wrong("hueco-entre-la-union", "no entre la unión", gap_over_union),
    Wrong("sumado", "has sumado el hueco", gap_added),
)


def table(probabilities, boxes, classes, true_boxes, *, p=1, weight=5.0, sign=-1.0):
    likely = torch.stack([probabilities[:, c] for c in classes], dim=1)
    return weight * torch.cdist(boxes, true_boxes, p=p) + sign * likely


def squared(probabilities, boxes, classes, true_boxes):
    likely = torch.stack([probabilities[:, c] for c in classes], dim=1)
    return 5 * torch.cdist(boxes, true_boxes) ** 2 - likely


def with_log(probabilities, boxes, classes, true_boxes):
    return table(probabilities.log(), boxes, classes, true_boxes)


def most_likely(probabilities, boxes, classes, true_boxes):
    best = probabilities.max(dim=1).values
    return 5 * torch.cdist(boxes, true_boxes, p=1) - best[:, None].expand(-1, len(classes))


COSTS = (
    Wrong("probabilidad-sumada", "costar menos", lambda p, b, c, t: table(p, b, c, t, sign=1.0)),
    Wrong("con-logaritmo", "a secas", with_log),
    Wrong("sin-peso", "por cinco", lambda p, b, c, t: table(p, b, c, t, weight=1.0)),
    Wrong("al-cuadrado", "valores absolutos", squared),
    Wrong("traspuesta", "está girada", lambda p, b, c, t: table(p, b, c, t).transpose(0, 1)),
    Wrong("media", "los suma", lambda p, b, c, t: table(p, b, c, t, weight=1.25)),
    Wrong("la-mas-probable", "la de cada objeto", most_likely),
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
    "giou-en-codigo": GIOU,
    "tabla-de-costes": COSTS,
    "precision-media": PRECISION,
    "quitar-repetidas": SUPPRESSION,
}

EXAMPLES = {}
