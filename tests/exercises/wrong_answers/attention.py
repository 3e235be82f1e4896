"""Respuestas equivocadas de los ejercicios de autoatención y atención multicabeza."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "atencion-por-columnas": ([[[0.0]], [[1.0, 5.0]], [[2.0, 4.0]]], [[[3.0]]]),
    "atencion-causal": (
        [[[[0.0], [0.0]]], [[[1.0], [1.0]]], [[[2.0], [4.0]]]],
        [[[[2.0], [3.0]]]],
    ),
    "apilar-atenciones": ([[[[3.0, 0.0], [5.0, 0.0]]]], [[0.2425]]),
}


def counts(head, parameters, weights):
    names = ("dimension_de_cabeza", "parametros", "pesos_de_atencion")
    return lambda: dict(zip(names, (head, parameters, weights), strict=True))


COUNTS = (
    Wrong("parametros-por-cabeza", "las mismas d × d", counts(64, 8388608, 160000)),
    Wrong("sin-salida", "falta la de salida", counts(64, 786432, 160000)),
    Wrong("cabeza-entera", "se las reparten", counts(512, 1048576, 160000)),
    Wrong("pesos-sin-cabezas", "faltan las cabezas", counts(64, 1048576, 20000)),
    Wrong("pesos-sin-lote", "falta el lote", counts(64, 1048576, 80000)),
    Wrong("pesos-lineales", "cuadrado de la longitud", counts(64, 1048576, 1600)),
    Wrong("valores", "no es el correcto", counts(64, 1048576, 160001)),
)

VISIBLE = (
    Wrong(
        "sin-relleno",
        "es relleno",
        lambda: [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]],
    ),
    Wrong("sin-causal", "vienen después", lambda: [[1, 2, 3, 4]] * 5),
    Wrong("no-se-mira", "la diagonal", lambda: [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]),
    Wrong("mira-al-futuro", "al revés", lambda: [[1, 2, 3, 4], [2, 3, 4], [3, 4], [4], []]),
    Wrong("fila-borrada", "no consultas", lambda: [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], []]),
)


def columns_by_rows(q, k, v):
    return torch.matmul(v, F.softmax(k.t() @ q / math.sqrt(q.size(0)), dim=1))


def columns_raw(q, k, v):
    return torch.matmul(v, F.softmax(k.t() @ q, dim=0))


def columns_over_d(q, k, v):
    return v @ F.softmax(k.t() @ q / q.size(0), dim=0)


def columns_times(q, k, v):
    return v @ F.softmax(k.t() @ q * math.sqrt(q.size(0)), dim=0)


def columns_transposed(q, k, v):
    return torch.matmul(v, F.softmax(q.t() @ k / math.sqrt(q.size(0)), dim=1))


def columns_as_rows(q, k, v):
    return F.softmax(torch.matmul(q, k.t()) / math.sqrt(q.size(1)), dim=1) @ v


COLUMNS = (
    Wrong("softmax-por-filas", "dim=0", columns_by_rows),
    Wrong("sin-escalar", "falta dividir", columns_raw),
    Wrong("entre-d", "su raíz", columns_over_d),
    Wrong("por-raiz", "multiplicado por √d", columns_times),
    Wrong("sin-softmax", "falta el softmax", lambda q, k, v: v @ k.t() @ q / math.sqrt(len(q))),
    Wrong("puntajes-traspuestos", "una columna por consulta", columns_transposed),
    Wrong("convenio-de-filas", "cada token es una columna", columns_as_rows),
)


def scaled(q, k):
    return torch.einsum("bid,bjd->bij", q, k) / math.sqrt(q.size(-1))


def causal_unmasked(q, k, v):
    return F.softmax(scaled(q, k), dim=2) @ v


def causal_reversed(q, k, v):
    future = torch.triu(torch.ones_like(scaled(q, k))) == 1
    return F.softmax(scaled(q, k).masked_fill(~future, -math.inf), dim=2) @ v


def causal_filled_where_allowed(q, k, v):
    past = torch.tril(torch.ones_like(scaled(q, k))) == 1
    return F.softmax(scaled(q, k).masked_fill(past, -math.inf), dim=2) @ v


def causal_without_itself(q, k, v):
    scores = scaled(q, k)
    hidden = torch.triu(torch.ones_like(scores), diagonal=0) == 1
    return F.softmax(scores.masked_fill(hidden, -math.inf), dim=2) @ v


def causal_late(q, k, v):
    return torch.tril(F.softmax(scaled(q, k), dim=2)) @ v


def causal_zeros(q, k, v):
    return F.softmax(torch.tril(scaled(q, k)), dim=2) @ v


def causal_raw(q, k, v):
    scores = torch.bmm(q, k.transpose(1, 2))
    hidden = torch.triu(torch.ones_like(scores), diagonal=1) == 1
    return F.softmax(scores.masked_fill(hidden, -math.inf), dim=2) @ v


def causal_columns(q, k, v):
    scores = scaled(q, k)
    hidden = torch.triu(torch.ones_like(scores), diagonal=1) == 1
    return F.softmax(scores.masked_fill(hidden, -math.inf), dim=1) @ v


CAUSAL = (
    Wrong("sin-mascara", "no has tapado nada", causal_unmasked),
    Wrong("mira-al-futuro", "triu", causal_reversed),
    Wrong("tapado-el-pasado-y-a-si-misma", "la contraria", causal_filled_where_allowed),
    Wrong("no-se-mira", "la diagonal", causal_without_itself),
    Wrong("sin-renormalizar", "ya no suman 1", causal_late),
    Wrong("tapado-con-cero", "e⁰ = 1", causal_zeros),
    Wrong("sin-escalar", "√d", causal_raw),
    Wrong("softmax-por-claves", "por columnas", causal_columns),
)


def split_by_view(x, n_heads):
    b, length, width = x.size()
    return x.contiguous().view(b, n_heads, length, width // n_heads)


def split_only(x, n_heads):
    b, length, width = x.size()
    return x.contiguous().view(b, length, n_heads, width // n_heads)


def split_interleaved(x, n_heads):
    return torch.stack([x[:, :, h::n_heads] for h in range(n_heads)], dim=1)


def split_turned(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=2), dim=1).transpose(2, 3)


SPLIT = (
    Wrong("vista-directa", "trozos de tokens distintos", split_by_view),
    Wrong("sin-intercambiar", "falta intercambiar", split_only),
    Wrong("dimensiones-salteadas", "salteadas", split_interleaved),
    Wrong("ejes-finales-cambiados", "detrás de la dimensión", split_turned),
)


def in_heads(x, w, n_heads):
    return torch.stack(F.linear(x, w).chunk(n_heads, dim=-1), dim=1)


def weighted(x, w_q, w_k, w_v, n_heads, divisor=None, dim=3):
    q, k, v = (in_heads(x, w, n_heads) for w in (w_q, w_k, w_v))
    divisor = math.sqrt(q.size(-1)) if divisor is None else divisor
    return F.softmax(torch.matmul(q, k.transpose(2, 3)) / divisor, dim=dim) @ v


def together(mixed):
    return torch.cat(mixed.unbind(dim=1), dim=-1)


def layer_model_scale(x, w_q, w_k, w_v, w_o, n_heads):
    mixed = weighted(x, w_q, w_k, w_v, n_heads, divisor=math.sqrt(x.size(2)))
    return F.linear(together(mixed), w_o)


def layer_raw(x, w_q, w_k, w_v, w_o, n_heads):
    return F.linear(together(weighted(x, w_q, w_k, w_v, n_heads, divisor=1)), w_o)


def layer_badly_joined(x, w_q, w_k, w_v, w_o, n_heads):
    mixed = weighted(x, w_q, w_k, w_v, n_heads)
    return F.linear(mixed.contiguous().view(x.size()), w_o)


def layer_without_output(x, w_q, w_k, w_v, w_o, n_heads):
    return together(weighted(x, w_q, w_k, w_v, n_heads))


def layer_single(x, w_q, w_k, w_v, w_o, n_heads):
    return F.linear(together(weighted(x, w_q, w_k, w_v, 1)), w_o)


def layer_columns(x, w_q, w_k, w_v, w_o, n_heads):
    return F.linear(together(weighted(x, w_q, w_k, w_v, n_heads, dim=2)), w_o)


def layer_transposed(x, w_q, w_k, w_v, w_o, n_heads):
    turned = [w.t() for w in (w_q, w_k, w_v)]
    return together(weighted(x, *turned, n_heads)) @ w_o


MULTIHEAD = (
    Wrong("escala-del-modelo", "D/H", layer_model_scale),
    Wrong("sin-escalar", "falta dividir", layer_raw),
    Wrong("junta-sin-intercambiar", "sin intercambiar", layer_badly_joined),
    Wrong("sin-salida", "`w_o`", layer_without_output),
    Wrong("una-sola-cabeza", "una sola atención", layer_single),
    Wrong("softmax-por-consultas", "por columnas", layer_columns),
    Wrong("matrices-traspuestas", "sin trasponer", layer_transposed),
)


def apart(x, axis):
    return x - torch.mean(x, dim=axis, keepdim=True)


def frobenius(x):
    return torch.linalg.vector_norm(x, dim=(1, 2))


COLLAPSE = (
    Wrong("media-de-rasgos", "de los tokens", lambda x: frobenius(apart(x, 2)) / frobenius(x)),
    Wrong("media-del-lote", "entre las frases", lambda x: frobenius(apart(x, 0)) / frobenius(x)),
    Wrong("sin-raiz", "raíz", lambda x: (frobenius(apart(x, 1)) / frobenius(x)) ** 2),
    Wrong("sin-dividir", "falta dividir", lambda x: frobenius(apart(x, 1))),
    Wrong("una-por-token", "uno por frase", lambda x: apart(x, 1).norm(dim=2) / x.norm(dim=2)),
)

WRONG = {
    "tamanos-multicabeza": COUNTS,
    "quien-mira-a-quien": VISIBLE,
    "atencion-por-columnas": COLUMNS,
    "atencion-causal": CAUSAL,
    "repartir-cabezas": SPLIT,
    "capa-multicabeza": MULTIHEAD,
    "apilar-atenciones": COLLAPSE,
}
