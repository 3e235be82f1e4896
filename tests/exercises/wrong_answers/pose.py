"""Respuestas equivocadas de los ejercicios de estimación de pose."""

import numpy as np
import torch
from sklearn.metrics import roc_auc_score

from tests.exercises.wrong_answers import Wrong

ALIKE = (
    Wrong("sin-doblar", "κ = 2σ", lambda: (0.1353, 0.0003, 0.0678)),
    Wrong("sin-el-dos", "falta el 2", lambda: (0.3679, 0.0183, 0.1931)),
    Wrong("sin-cuadrado", "va al cuadrado", lambda: (0.8553, 0.6065, 0.7309)),
    Wrong("raiz-del-area", "400 píxeles", lambda: (0.0, 0.0, 0.0)),
    Wrong("sumadas", "es su media", lambda: (0.6065, 0.1353, 0.7419)),
)

WHICH_WAY = (
    Wrong("sin-detector", "has olvidado el detector", lambda: (9, 160, 80)),
    Wrong("sin-agrupar", "también cuesta", lambda: (4, 190, 60)),
    Wrong("por-debajo", "pasa del empate", lambda: (4, 190, 80)),
    Wrong("al-reves", "de sitio", lambda: (5, 80, 190)),
    Wrong("detector-por-persona", "una vez por imagen", lambda: (2, 760, 80)),
)


def distances(found, points):
    return np.linalg.norm(found.numpy() - points.numpy(), axis=-1)


def plain_alpha(found, points, sides, marked, alpha):
    return float((distances(found, points) <= alpha)[marked.numpy()].mean())


def one_side(found, points, sides, marked, alpha):
    limit = alpha * float(torch.mean(sides))
    return float((distances(found, points) <= limit)[marked.numpy()].mean())


def squared(found, points, sides, marked, alpha):
    limit = alpha * sides.numpy()[:, None]
    return float((distances(found, points) ** 2 <= limit)[marked.numpy()].mean())


def by_axis(found, points, sides, marked, alpha):
    limit = alpha * sides.numpy()[:, None, None]
    good = (np.abs(found.numpy() - points.numpy()) <= limit).all(axis=-1)
    return float(good[marked.numpy()].mean())


def unmarked_too(found, points, sides, marked, alpha):
    return float((distances(found, points) <= alpha * sides.numpy()[:, None]).mean())


def over_all(found, points, sides, marked, alpha):
    good = distances(found, points) <= alpha * sides.numpy()[:, None]
    return float((good & marked.numpy()).sum() / good.size)


def mean_of_means(found, points, sides, marked, alpha):
    good = distances(found, points) <= alpha * sides.numpy()[:, None]
    return float(
        np.mean([row[some].mean() for row, some in zip(good, marked.numpy(), strict=True)])
    )


def misses(found, points, sides, marked, alpha):
    good = distances(found, points) <= alpha * sides.numpy()[:, None]
    return 1 - float(good[marked.numpy()].mean())


CORRECT = (
    Wrong("sin-lado", "a secas", plain_alpha),
    Wrong("un-liston-para-todas", "cada figura tiene el suyo", one_side),
    Wrong("al-cuadrado", "falta la raíz", squared),
    Wrong("eje-a-eje", "en línea recta", by_axis),
    Wrong("sin-anotar", "nadie sabe", unmarked_too),
    Wrong("entre-todas", "entre las anotadas", over_all),
    Wrong("media-de-medias", "todas juntas", mean_of_means),
    Wrong("los-fallos", "es la parte de aciertos", misses),
)


def bell(x, centers, spread):
    heights = np.exp(-0.5 * ((centers - x) / spread) ** 2)
    return torch.tensor(heights / heights.sum(), dtype=torch.float32)


def at_the_edge(x, bins, spread):
    return bell(x, np.arange(bins) / bins, spread)


def edge_to_edge(x, bins, spread):
    return bell(x, np.linspace(0, 1, bins), spread)


def never_shared(x, bins, spread):
    centers = (torch.arange(bins) + 0.5) / bins
    return torch.exp(-((centers - x) ** 2) / (2 * spread**2))


def no_half(x, bins, spread):
    centers = (torch.arange(bins) + 0.5) / bins
    return torch.softmax(-(((centers - x) / spread) ** 2), 0)


def as_variance(x, bins, spread):
    centers = (torch.arange(bins) + 0.5) / bins
    return torch.softmax(-((centers - x) ** 2) / (2 * spread), 0)


def hard(x, bins, spread):
    return torch.nn.functional.one_hot(torch.tensor(int(x * bins)), bins).float()


TARGET = (
    Wrong("sin-medio-cajon", "medio cajón más allá", at_the_edge),
    Wrong("hasta-el-borde", "el último acaba en 1", edge_to_edge),
    Wrong("sin-repartir", "no suma 1", never_shared),
    Wrong("sin-el-dos", "falta el 2", no_half),
    Wrong("sin-cuadrado", "no una varianza", as_variance),
    Wrong("todo-o-nada", "casi acertar", hard),
)


def grouped(points, choose):
    """El reparto con otra manera de elegir: `choose(grupos, articulación, etiqueta)`."""
    groups, labels = [], []
    for joint, tag in points:
        number = choose(groups, joint, tag)
        if number is None:
            number = len(groups)
            groups.append([])
        groups[number].append((joint, tag))
        labels.append(number)
    return labels


def free(group, joint):
    return joint not in [k for k, _ in group]


def away(group, tag):
    return abs(tag - np.mean([t for _, t in group]))


def repeats(points, max_apart):
    def choose(groups, joint, tag):
        near = [(away(g, tag), i) for i, g in enumerate(groups) if away(g, tag) < max_apart]
        return min(near)[1] if near else None

    return grouped(points, choose)


def no_limit(points, max_apart):
    def choose(groups, joint, tag):
        near = [(away(g, tag), i) for i, g in enumerate(groups) if free(g, joint)]
        return min(near)[1] if near else None

    return grouped(points, choose)


def first_that_fits(points, max_apart):
    def choose(groups, joint, tag):
        fits = (i for i, g in enumerate(groups) if free(g, joint) and away(g, tag) < max_apart)
        return next(fits, None)

    return grouped(points, choose)


def to_member(position):
    def answer(points, max_apart):
        def choose(groups, joint, tag):
            near = [
                (abs(tag - g[position][1]), i)
                for i, g in enumerate(groups)
                if free(g, joint) and abs(tag - g[position][1]) < max_apart
            ]
            return min(near)[1] if near else None

        return grouped(points, choose)

    return answer


def signed(points, max_apart):
    def choose(groups, joint, tag):
        near = [
            (tag - np.mean([t for _, t in g]), i)
            for i, g in enumerate(groups)
            if free(g, joint) and tag - np.mean([t for _, t in g]) < max_apart
        ]
        return min(near)[1] if near else None

    return grouped(points, choose)


def right_way(points, max_apart):
    def choose(groups, joint, tag):
        near = [
            (away(g, tag), i)
            for i, g in enumerate(groups)
            if free(g, joint) and away(g, tag) < max_apart
        ]
        return min(near)[1] if near else None

    return grouped(points, choose)


GROUPING = (
    Wrong("articulacion-repetida", "dos veces la misma", repeats),
    Wrong("sin-limite", "se abre otro", no_limit),
    Wrong("el-primero-que-vale", "es el más cercano", first_that_fits),
    Wrong("la-primera-etiqueta", "la primera etiqueta", to_member(0)),
    Wrong("la-ultima-etiqueta", "la última etiqueta", to_member(-1)),
    Wrong("sin-valor-absoluto", "sin valor absoluto", signed),
    Wrong("desde-uno", "el primer grupo es el 0", lambda p, m: [i + 1 for i in right_way(p, m)]),
)


def columns(scores, findings, score=roc_auc_score):
    return [
        score(y, s)
        for s, y in zip(scores.T.numpy(), findings.T.numpy(), strict=True)
        if 0 < y.mean() < 1
    ]


def together(scores, findings):
    return float(roc_auc_score(findings.flatten().numpy(), scores.flatten().numpy()))


def with_ties(step):
    """Con una pizca a favor o en contra de los positivos, los empates se ganan o se pierden."""

    def answer(scores, findings):
        return float(np.mean(columns(scores + step * findings, findings)))

    return answer


def empty_is_zero(scores, findings):
    return float(sum(columns(scores, findings)) / scores.shape[1])


def backwards(scores, findings):
    return float(np.mean(columns(-scores, findings)))


def hit_rate(scores, findings):
    return float(((scores > 0.5).float() == findings).float().mean())


def weighted(scores, findings):
    kept = [c for c in range(scores.shape[1]) if 0 < findings[:, c].mean() < 1]
    return float(
        roc_auc_score(findings[:, kept].numpy(), scores[:, kept].numpy(), average="weighted")
    )


FINDINGS = (
    Wrong("todas-juntas", "se mide cada una", together),
    Wrong("empates-perdidos", "por perdidos", with_ties(-1e-4)),
    Wrong("empates-ganados", "por ganados", with_ties(1e-4)),
    Wrong("etiqueta-vacia", "no entra en la media", empty_is_zero),
    Wrong("al-reves", "la que no tiene el hallazgo", backwards),
    Wrong("acierto", "umbral en 0,5", hit_rate),
    Wrong("media-con-pesos", "todas cuentan igual", weighted),
)


def filtered(frames, gains, start=None):
    state = frames[0] if start is None else start
    kept = []
    for frame, gain in zip(frames if start is not None else frames[1:], gains, strict=True):
        state = torch.lerp(state, frame, gain[:, None])
        kept.append(state)
    return torch.stack(kept if start is not None else [frames[0], *kept])


def fixed_rate(frames, confidence, rate):
    return filtered(frames, torch.full_like(confidence, rate)[1:])


def swapped(frames, confidence, rate):
    return filtered(frames, 1 - rate * confidence[1:])


def from_last_measure(frames, confidence, rate):
    gain = (rate * confidence[1:])[..., None]
    return torch.cat([frames[:1], (1 - gain) * frames[:-1] + gain * frames[1:]])


def from_zero(frames, confidence, rate):
    return filtered(frames, rate * confidence, start=torch.zeros_like(frames[0]))


def from_the_end(frames, confidence, rate):
    return filtered(frames.flip(0), rate * confidence.flip(0)[1:]).flip(0)


SMOOTHING = (
    Wrong("sin-confianza", "moverse menos", fixed_rate),
    Wrong("cambiados", "vale la medida", swapped),
    Wrong("sin-memoria", "el resultado anterior", from_last_measure),
    Wrong("desde-cero", "se queda como está", from_zero),
    Wrong("mira-al-futuro", "aún no han llegado", from_the_end),
)

WRONG = {
    "oks-a-mano": ALIKE,
    "que-camino": WHICH_WAY,
    "pck-en-codigo": CORRECT,
    "objetivo-simcc": TARGET,
    "agrupar-por-etiqueta": GROUPING,
    "auc-por-etiqueta": FINDINGS,
    "suavizar-video": SMOOTHING,
}

EXAMPLES = {}
