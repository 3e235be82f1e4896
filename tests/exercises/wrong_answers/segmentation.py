"""Respuestas equivocadas de los ejercicios de segmentación."""

import numpy as np
import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

COUNTING = (
    Wrong("fondos-contados", "no son cosas", lambda: (4, 5, 5, 2)),
    Wrong("perros-separados", "la misma clase", lambda: (5, 3, 5, 2)),
    Wrong("sin-fondo", "la imagen entera", lambda: (4, 3, 3, 2)),
    Wrong("manchas-separadas", "una sola mancha", lambda: [4, 3, 5, 3]),
)

QUALITY = (
    Wrong("la-floja-cuenta", "pasar de 0,5", lambda: (0.5889, 0.6625, 0.8889)),
    Wrong("sin-mitades", "la mitad cada uno", lambda: (0.3667, 0.7333, 0.5)),
    Wrong("sin-falsos-negativos", "entre lo que se dijo", lambda: (0.44, 0.7333, 0.6)),
    Wrong("sin-falsos-positivos", "entre lo que hay", lambda: (0.55, 0.7333, 0.75)),
    Wrong("sq-entre-todos", "que son tres", lambda: (0.4889, 0.55, 0.6667)),
)


def table(predicted, real, n_classes):
    pairs = np.zeros((n_classes, n_classes))
    np.add.at(pairs, (np.array(real), np.array(predicted)), 1)
    return np.diag(pairs), pairs.sum(0), pairs.sum(1)


def right_points(predicted, real, n_classes):
    return float(np.mean(np.array(predicted) == np.array(real)))


def absent_as_zero(predicted, real, n_classes):
    common, said, there = table(predicted, real, n_classes)
    return float((common / np.maximum(said + there - common, 1)).mean())


def twice_counted(predicted, real, n_classes):
    common, said, there = table(predicted, real, n_classes)
    seen = said + there > 0
    return float((common[seen] / (said + there)[seen]).mean())


def dice_score(predicted, real, n_classes):
    return 2 * twice_counted(predicted, real, n_classes)


def only_real(predicted, real, n_classes):
    common, said, there = table(predicted, real, n_classes)
    seen = there > 0
    return float((common / np.maximum(said + there - common, 1))[seen].mean())


MEAN_IOU = (
    Wrong("acierto-por-punto", "la clase más grande manda", right_points),
    Wrong("ausentes-a-cero", "no la pongas a cero", absent_as_zero),
    Wrong("union-sin-restar", "dos veces lo común", twice_counted),
    Wrong("dice", "el coeficiente Dice", dice_score),
    Wrong("solo-las-que-estan", "también se castiga", only_real),
)


def fraction(chance, target):
    """Lo de arriba y lo de abajo de la Dice, en números de Python."""
    pairs = list(zip(chance.tolist(), target.tolist(), strict=True))
    return 2 * sum(m * t for m, t in pairs) + 1, sum(m + t for m, t in pairs) + 1


def frozen_below(chance, target):
    _, below = fraction(chance, target)
    return -2 / below, 0.0


def without_one(chance, target):
    above, below = (value - 1 for value in fraction(chance, target))
    return above / below**2 - 2 / below, above / below**2


def without_two(chance, target):
    above, below = fraction(chance, target)
    above = (above + 1) / 2
    return above / below**2 - 1 / below, above / below**2


def not_squared(chance, target):
    above, below = fraction(chance, target)
    return above / below - 2, above / below


def of_likeness(chance, target):
    above, below = fraction(chance, target)
    return 2 / below - above / below**2, -above / below**2


def outside_first(chance, target):
    return tuple(-slope for slope in reversed(of_likeness(chance, target)))


SLOPES = (
    Wrong("denominador-quieto", "lo de abajo también", frozen_below),
    Wrong("sin-el-uno", "falta el 1", without_one),
    Wrong("sin-el-dos", "falta el 2", without_two),
    Wrong("sin-cuadrado", "va al cuadrado", not_squared),
    Wrong("del-parecido", "1 menos él", of_likeness),
    Wrong("cambiadas", "primero la de dentro", outside_first),
)


def as_given(logits, grid):
    """La del enunciado, con sus tres fallos."""
    rows, columns = grid
    step = (logits.shape[1] // rows, logits.shape[2] // columns)
    inside = F.avg_pool2d(logits[None], step)[0].sigmoid().flatten(1) > 0
    if not inside.any():
        inside[:] = True
    return ~inside


def shrunk(logits, grid):
    return F.adaptive_avg_pool2d(logits, grid)


def everything(logits, grid):
    return torch.ones(len(logits), grid[0] * grid[1], dtype=torch.bool)


def blind(logits, grid):
    return torch.gt(shrunk(logits, grid), 0).reshape(len(logits), -1)


def all_or_none(logits, grid):
    seen = blind(logits, grid)
    return seen if int(seen.sum()) else seen.logical_not()


def forbidden(logits, grid):
    return all_or_none(logits, grid).logical_not()


def by_columns(logits, grid):
    seen = torch.gt(shrunk(logits, grid).permute(0, 2, 1), 0).reshape(len(logits), -1)
    seen[seen.sum(1) == 0] = True
    return seen


def half_logit(logits, grid):
    seen = torch.gt(shrunk(logits, grid), 0.5).reshape(len(logits), -1)
    seen[seen.sum(1) == 0] = True
    return seen


LOOKING = (
    Wrong("siempre-positiva", "siempre mayor que 0", as_given),
    Wrong("siempre-positiva", "siempre mayor que 0", everything),
    Wrong("al-reves", "puede mirar", forbidden),
    Wrong("a-ciegas", "se queda a ciegas", blind),
    Wrong("todas-o-ninguna", "consulta a consulta", all_or_none),
    Wrong("por-columnas", "van por filas", by_columns),
    Wrong("medio-logit", "el logit con 0,5", half_logit),
)


def shared(scores, classes, masks, threshold, *, power=1.0, listen=True, sure=0.5, things=True):
    heard = (scores > threshold) if listen else torch.ones_like(scores, dtype=torch.bool)
    if not heard.any():
        return torch.zeros(masks.shape[1:], dtype=torch.long)
    rows = heard.nonzero()[:, 0]
    claims = scores[rows, None, None] ** power * masks[rows]
    best = rows[claims.max(0).indices]
    size = masks.shape[1]
    own = F.one_hot(best, len(scores)).permute(2, 0, 1).bool()
    seen = (masks * own).sum(0) > sure
    number = (best + 1) * seen
    return number * (classes[best] > 0) if things else number.reshape(size, -1)


def from_zero(scores, classes, masks, threshold):
    return (shared(scores, classes, masks, threshold) - 1).clamp(min=0)


def without_background(scores, classes, masks, threshold):
    return shared(scores * (classes > 0) - (classes == 0) * 1.0, classes, masks, threshold)


SHARING = (
    Wrong("sin-confianza", "también multiplica", lambda s, c, m, t: shared(s, c, m, t, power=0.0)),
    Wrong(
        "se-escucha-a-todas", "dejado opinar", lambda s, c, m, t: shared(s, c, m, t, listen=False)
    ),
    Wrong("sin-mirar-la-mascara", "pasar de 0,5", lambda s, c, m, t: shared(s, c, m, t, sure=-1.0)),
    Wrong(
        "fondo-como-objeto",
        "sus puntos valen 0",
        lambda s, c, m, t: shared(s, c, m, t, things=False),
    ),
    Wrong("desde-cero", "numerado desde 0", from_zero),
    Wrong("el-fondo-no-opina", "también reclama", without_background),
    Wrong(
        "antes-de-comparar",
        "se le exige después",
        lambda s, c, m, t: shared(s, c, m.where(m > 0.5, torch.zeros_like(m)), t),
    ),
    Wrong(
        "justo-en-el-umbral", "tiene que pasar", lambda s, c, m, t: shared(s, c, m + 1e-6, t - 1e-6)
    ),
)

WRONG = {
    "cuantos-segmentos": COUNTING,
    "calidad-panoptica-a-mano": QUALITY,
    "iou-media": MEAN_IOU,
    "pendientes-de-la-dice": SLOPES,
    "tres-fallos-al-mirar": LOOKING,
    "repartir-los-puntos": SHARING,
}
