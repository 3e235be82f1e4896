"""Respuestas equivocadas de los ejercicios de «El bloque de hoy»."""

import torch

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "dos-fallos-al-encaminar": ([[[0.5, 0.25, 0.25]], [[[3.0], [6.0], [0.0]]], 2], [[[4.0]]]),
    "el-mayor-es-negativo": ([[[-7.0, 2.4]], 4, 2], [[[-7.0, 2.0]]]),
    "pocos-bits": ([2, 8, 4, 4], [16]),
}


def parameters(experto, capa, activos, densa):
    return lambda: {"experto": experto, "capa": capa, "activos": activos, "densa": densa}


ONE, TABLE = 3 * 2048 * 1408, 2048 * 64
TWO = 2 * 2048 * 1408
ACTIVE = (
    Wrong("dos-matrices", "tres", parameters(TWO, 66 * TWO + TABLE, 8 * TWO + TABLE, 11264)),
    Wrong("sin-encaminador", "encaminador", parameters(ONE, 66 * ONE, 8 * ONE, 11264)),
    Wrong(
        "sin-compartidos", "compartidos", parameters(ONE, 64 * ONE + TABLE, 6 * ONE + TABLE, 8448)
    ),
    Wrong(
        "todos-trabajan",
        "por todos",
        parameters(ONE, 66 * ONE + TABLE, 66 * ONE + TABLE, 66 * 1408),
    ),
    Wrong("anchura-de-uno", "juntos", parameters(ONE, 66 * ONE + TABLE, 8 * ONE + TABLE, 1408)),
)


def drafts(aceptados, rechazados_b, repuestos_a, b_al_final):
    return lambda: {
        "aceptados": aceptados, "rechazados_b": rechazados_b, "repuestos_a": repuestos_a,
        "b_al_final": b_al_final,
    }  # fmt: skip


DRAFTS = (
    Wrong("reponer-de-p", "max(0, p − q)", drafts(600, 400, 200, 280)),
    Wrong("como-el-pequeno", "se rechaza", drafts(600, 400, 300, 600)),
    Wrong("todo-se-acepta", "no todo", drafts(1000, 400, 300, 200)),
    Wrong("el-resto-sin-repartir", "entre a y c", drafts(600, 400, 400, 200)),
    Wrong("en-tanto-por-ciento", "1000 propuestas", drafts(60, 40, 30, 20)),
)


def powers(d_head, base):
    return torch.tensor([base ** (-2 * i / d_head) for i in range(d_head // 2)])


def interpolated(d_head, base, factor):
    return powers(d_head, base) / factor


def times_the_factor(d_head, base, factor):
    return powers(d_head, factor * base)


def upside_down(d_head, base, factor):
    return powers(d_head, base * factor ** (1 - 2 / d_head))


def unstretched(d_head, base, factor):
    return powers(d_head, base)


FREQUENCIES = (
    Wrong("todas-entre-el-factor", "la primera", interpolated),
    Wrong("base-por-factor", "se queda corta", times_the_factor),
    Wrong("exponente-al-reves", "al revés", upside_down),
    Wrong("sin-estirar", "falta el factor", unstretched),
)


def routed(scores, answers, k, dim=1, normalize=True):
    """La función del enunciado, con los fallos que se quieran."""
    best = torch.topk(scores, min(k, scores.size(dim)), dim=dim)
    weights = torch.zeros_like(scores).scatter_(dim, best.indices, best.values)
    if normalize:
        weights = weights / torch.clamp(weights.sum(1, keepdim=True), min=1e-9)
    return torch.einsum("ne,ned->nd", weights, answers)


def averaged(scores, answers, k):
    return torch.stack([a[s.topk(k).indices].mean(0) for s, a in zip(scores, answers, strict=True)])


def untouched(scores, answers, k):
    return routed(scores, answers, k, 0, False)


def experts_choose(scores, answers, k):
    return routed(scores, answers, k, 0)


def unshared(scores, answers, k):
    return routed(scores, answers, k, 1, False)


def the_worst(scores, answers, k):
    worst = torch.topk(-scores, k, dim=1)
    weights = -worst.values / -worst.values.sum(1, keepdim=True)
    picked = answers.gather(1, worst.indices[..., None].expand(-1, -1, answers.size(2)))
    return torch.einsum("nk,nkd->nd", weights, picked)


ROUTES = (
    Wrong("los-dos-siguen", "los dos", untouched),
    Wrong("eligen-los-expertos", "qué eje", experts_choose),
    Wrong("no-suman-uno", "encogida", unshared),
    Wrong("a-partes-iguales", "la media", averaged),
    Wrong("los-peores", "menor puntuación", the_worst),
)


def grouped(weight, bits, group, sign=False, rounding=torch.round, most=None):
    most = most or 2 ** (bits - 1) - 1
    parts = weight.reshape(len(weight), -1, group)
    top = (parts if sign else parts.abs()).max(-1, keepdim=True).values
    scale = top / most
    return (torch.clamp(rounding(parts / scale), -most, most) * scale).reshape(weight.shape)


def signed(weight, bits, group):
    return grouped(weight, bits, group, sign=True)


def by_rows(weight, bits, group):
    return grouped(weight, bits, weight.size(1))


def one_more(weight, bits, group):
    return grouped(weight, bits, group, most=2 ** (bits - 1))


def truncated(weight, bits, group):
    return grouped(weight, bits, group, rounding=torch.trunc)


GROUPS = (
    Wrong("sin-valor-absoluto", "sigue ahí", signed),
    Wrong("por-filas", "por fila", by_rows),
    Wrong("un-entero-de-mas", "2^(bits − 1) − 1", one_more),
    Wrong("trunca", "los decimales", truncated),
)


def no_scales(n_rows, n_columns, bits, group):
    return n_rows * n_columns * bits // 8


def scale_per_row(n_rows, n_columns, bits, group):
    return n_rows * (n_columns * bits // 8 + 2)


def long_scales(n_rows, n_columns, bits, group):
    return n_rows * (n_columns * bits // 8 + 4 * n_columns // group)


def in_bits(n_rows, n_columns, bits, group):
    return n_rows * (n_columns * bits + 16 * n_columns // group)


SIZES = (
    Wrong("sin-escalas", "faltan las escalas", no_scales),
    Wrong("una-por-fila", "una escala por fila", scale_per_row),
    Wrong("escalas-de-32", "de 16 bits", long_scales),
    Wrong("en-bits", "un byte", in_bits),
)

WRONG = {
    "activos-y-parados": ACTIVE,
    "aceptar-y-reponer": DRAFTS,
    "la-base-que-estira": FREQUENCIES,
    "dos-fallos-al-encaminar": ROUTES,
    "el-mayor-es-negativo": GROUPS,
    "pocos-bits": SIZES,
}
