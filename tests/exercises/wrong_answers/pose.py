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


def bar(sigma, fill, threshold, *, kappa=2.0, size=np.sqrt, log=np.log, two=2.0):
    return float(kappa * sigma * size(fill) * np.sqrt(-two * log(threshold)))


BARS = (
    Wrong("sin-doblar", "κ = 2σ", lambda s, f, t: bar(s, f, t, kappa=1.0)),
    Wrong("area-sin-raiz", "s² es un área", lambda s, f, t: bar(s, f, t, size=np.abs)),
    Wrong("sin-tamano", "lo que ocupa", lambda s, f, t: bar(s, f, t, size=np.ones_like)),
    Wrong("sin-el-dos", "falta el 2", lambda s, f, t: bar(s, f, t, two=1.0)),
    Wrong("al-cuadrado", "la última raíz", lambda s, f, t: 4 * s * f**0.5 * np.log(1 / t)),
    Wrong("otro-logaritmo", "el natural", lambda s, f, t: bar(s, f, t, log=np.log10)),
)


def as_given(points, visible, pairs):
    """La del enunciado, con sus tres fallos."""
    points = points.clone()
    points[:, 0] = 1 - points[:, 0]
    for left, right in pairs:
        points[:, left] = points[:, right]
        points[:, right] = points[:, left]
    return points, visible


def reflected(points, axis=0):
    sign = torch.ones(2)
    sign[axis] = -1
    return points * sign + (1 - sign) / 2


def trodden(points, visible, pairs):
    points, visible = reflected(points), visible.clone()
    for left, right in pairs:
        points[:, left] = points[:, right]
        points[:, right] = points[:, left]
        visible[:, [left, right]] = visible[:, [right, left]]
    return points, visible


def only_reflected(points, visible, pairs):
    return reflected(points), visible


def exchanged(points, pairs):
    points = points.clone()
    for left, right in pairs:
        points[:, [left, right]] = points[:, [right, left]]
    return points


def upside_down(points, visible, pairs):
    return exchanged(reflected(points, axis=1), pairs), exchanged(visible, pairs)


def same_flags(points, visible, pairs):
    return exchanged(reflected(points), pairs), visible


MIRROR = (
    Wrong("la-primera", "la x es", as_given),
    Wrong("otro-eje", "que es la x", upside_down),
    Wrong("pisada", "ya está pisada", trodden),
    Wrong("sin-intercambiar", "intercambia cada pareja", only_reflected),
    Wrong("visibles-sin-cambiar", "también tiene que", same_flags),
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
    "dos-listones": BARS,
    "el-espejo": MIRROR,
    "agrupar-por-etiqueta": GROUPING,
    "auc-por-etiqueta": FINDINGS,
    "suavizar-video": SMOOTHING,
}
