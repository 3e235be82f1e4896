"""Respuestas equivocadas de los ejercicios de «Conversar sobre una imagen»."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "juntar-vecinos": (
        [[[[float(k)] for k in range(16)]], 2],
        [[[[0.0, 1.0, 4.0, 5.0], [2.0, 3.0, 6.0, 7.0], [8.0, 9.0, 12.0, 13.0],
           [10.0, 11.0, 14.0, 15.0]]]],
    ),
    "cada-marca-su-trozo": (
        [[[1, 0, 0, 2]], [[9.0], [1.0], [2.0]], [[[5.0], [6.0]]], 0],
        [[[[1.0], [5.0], [6.0], [2.0]]]],
    ),
    "solo-la-respuesta": (
        [[[[0.0, 2.0], [0.0, 0.0], [5.0, 5.0]]], [[0, 1, 1]], [[False, True, False]]],
        [0.1269],
    ),
}  # fmt: skip


def told(parches, tokens, ancho, proyector, parejas):
    return lambda: {
        "parches": parches, "tokens": tokens, "ancho": ancho, "proyector": proyector,
        "parejas": parejas,
    }  # fmt: skip


SIZES = (
    Wrong("una-fila", "tantas filas como columnas", told(8, 2, 192, 16512, 66)),
    Wrong("junta-una-fila", "factor × factor", told(64, 32, 96, 10368, 861)),
    Wrong("sin-sesgos", "llevan sesgo", told(64, 16, 192, 16384, 325)),
    Wrong("una-capa", "dos capas", told(64, 16, 192, 12352, 325)),
    Wrong("sin-la-causal", "vienen después", told(64, 16, 192, 16512, 625)),
)


def unfolded(states, factor):
    """Con `unfold`, que recorre la imagen como una convolución."""
    side = math.isqrt(states.shape[1])
    image = states.transpose(1, 2).unflatten(2, (side, side))
    return image.unfold(2, factor, factor).unfold(3, factor, factor)  # B D R C r c


def as_tokens(order):
    def joined(states, factor):
        return unfolded(states, factor).permute(*order).flatten(3).flatten(1, 2)

    return joined


NEIGHBOURS = (
    Wrong("vecinos-en-la-lista", "seguidos de la lista",
          lambda s, f: s.unflatten(1, (-1, f * f)).flatten(2)),
    Wrong("columnas-antes", "por filas", as_tokens((0, 3, 2, 4, 5, 1))),
    Wrong("dentro-por-columnas", "primero los de arriba", as_tokens((0, 2, 3, 5, 4, 1))),
    Wrong("numero-antes", "todos los números de un parche", as_tokens((0, 2, 3, 1, 4, 5))),
    Wrong("la-media", "la media",
          lambda s, f: unfolded(s, f).mean((-1, -2)).flatten(2).transpose(1, 2)),
    Wrong("uno-de-cada", "un parche de cada",
          lambda s, f: unfolded(s, f)[..., 0, 0].flatten(2).transpose(1, 2)),
)  # fmt: skip


def scattered(seen_as=lambda seen: seen, add=False):
    def placed(tokens, table, seen, image_id):
        x, marks = F.embedding(tokens, table), tokens == image_id
        new = x.clone()
        new[marks] = seen_as(seen).flatten(0, 1) + (x[marks] if add else 0)
        return new

    return placed


def in_front(tokens, table, seen, image_id):
    x = F.embedding(tokens, table)
    x[:, : seen.shape[1]] = seen
    return x


PLACING = (
    Wrong("siempre-delante", "no siempre es al principio", in_front),
    Wrong("sin-quitar-las-marcas", "ha crecido",
          lambda t, table, s, i: torch.hstack([s, F.embedding(t, table)])),
    Wrong("sumados", "no se usa", scattered(add=True)),
    Wrong("al-reves", "en su orden", scattered(lambda seen: seen.flip(1))),
    Wrong("la-misma-imagen", "en todas las frases",
          scattered(lambda seen: seen[0].expand(len(seen), -1, -1))),
    Wrong("la-media", "no la media",
          scattered(lambda seen: seen.mean(1, True).repeat(1, seen.shape[1], 1))),
)  # fmt: skip


def entropy(logits, tokens, keep=None, reduction="mean"):
    costs = F.cross_entropy(logits.movedim(-1, 1), tokens, reduction="none")
    if keep is None:
        return costs.mean()
    return costs[keep].sum() if reduction == "sum" else costs[keep].mean()


def row_by_row(logits, tokens, answer):
    rows = [
        entropy(one[None, :-1], ids[None, 1:], told[None, 1:])
        for one, ids, told in zip(logits, tokens, answer, strict=True)
    ]
    return sum(rows) / len(rows)


ANSWERS = (
    Wrong("sin-desplazar", "viene después", lambda z, t, a: entropy(z, t, a)),
    Wrong("todos-los-tokens", "también las preguntas",
          lambda z, t, a: entropy(z[:, :-1], t[:, 1:])),
    Wrong("mascara-sin-desplazar", "también se desplaza",
          lambda z, t, a: entropy(z[:, :-1], t[:, 1:], a[:, :-1])),
    Wrong("al-reves", "no es respuesta", lambda z, t, a: entropy(z[:, :-1], t[:, 1:], ~a[:, 1:])),
    Wrong("sin-media", "falta la media",
          lambda z, t, a: entropy(z[:, :-1], t[:, 1:], a[:, 1:], "sum")),
    Wrong("entre-todos", "no entre todos",
          lambda z, t, a: entropy(z[:, :-1], t[:, 1:], a[:, 1:], "sum") / t[:, 1:].numel()),
    Wrong("media-de-medias", "cada token cuenta igual", row_by_row),
)  # fmt: skip


def said(acierto=0.76, se_inventa=0.45, precision=0.75, dice_si=0.72, sin_mirar=0.6):
    return lambda: {
        "acierto": acierto, "se_inventa": se_inventa, "precision": precision,
        "dice_si": dice_si, "sin_mirar": sin_mirar,
    }  # fmt: skip


YES = (
    Wrong("inventa-entre-los-sies", "sus síes es falsa", said(se_inventa=0.25)),
    Wrong("inventa-entre-todas", "no pueden ser inventos", said(se_inventa=0.18)),
    Wrong("precision-de-los-presentes", "exhaustividad", said(precision=0.9)),
    Wrong("sin-mirar-es-la-mitad", "no son iguales", said(sin_mirar=0.5)),
    Wrong("acierto-de-los-sies", "decir que no", said(acierto=0.54)),
)


def parts(kinds, scores):
    """La media de cada clase, y la de las clases."""
    groups = [[s for k, s in zip(kinds, scores, strict=True) if k == kind] for kind in {*kinds}]
    return sum(sum(group) / len(group) for group in groups) / len(groups)


def right(told, wanted):
    return [float(a == b) for a, b in zip(told, wanted, strict=True)]


def gaps(wanted, seeing, elsewhere):
    return [a - b for a, b in zip(right(seeing, wanted), right(elsewhere, wanted), strict=True)]


LOOKING = (
    Wrong("todas-juntas", "la media de las clases", lambda k, w, s, e: sum(gaps(w, s, e)) / len(w)),
    Wrong("sin-restar", "falta restar", lambda k, w, s, e: parts(k, right(s, w))),
    Wrong("al-reves", "restado al revés", lambda k, w, s, e: parts(k, gaps(w, e, s))),
    Wrong("cambiar-no-es-acertar", "cambia la respuesta",
          lambda k, w, s, e: parts(k, [1 - same for same in right(s, e)])),
    Wrong("relativo", "la diferencia",
          lambda k, w, s, e: parts(k, gaps(w, s, e)) / parts(k, right(s, w))),
)  # fmt: skip

WRONG = {
    "lo-que-ocupa-una-imagen": SIZES,
    "juntar-vecinos": NEIGHBOURS,
    "cada-marca-su-trozo": PLACING,
    "solo-la-respuesta": ANSWERS,
    "quien-dice-que-si": YES,
    "mira-o-adivina": LOOKING,
}
