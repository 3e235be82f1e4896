"""Respuestas equivocadas de los ejercicios de autoatención y atención multicabeza."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "atencion-causal": (
        [[[[0.0], [0.0]]], [[[1.0], [1.0]]], [[[2.0], [4.0]]]],
        [[[[2.0], [3.0]]]],
    ),
    "atencion-con-fallos": (
        [[[[0.0], [0.0], [0.0]]], [[[1.0], [2.0], [9.0]]], [[[2.0], [4.0], [90.0]]], [2]],
        [[[[3.0], [3.0], [3.0]]]],
    ),
    "atencion-hacia-atras": (
        [
            [[0.0, 0.0, 0.0, 0.0]],
            [[4.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
            [[1.0], [0.0]],
            [[1.0]],
        ],
        [
            [[0.5, 0.0, 0.0, 0.0]],
            [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]],
            [[0.5], [0.5]],
        ],
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


def causal_filled(number):
    def attend(q, k, v):
        scores = scaled(q, k)
        future = torch.triu(torch.ones_like(scores), diagonal=1) == 1
        return F.softmax(torch.where(future, torch.full_like(scores, number), scores), dim=2) @ v

    return attend


def causal_zero_hidden(q, k, v):
    below = torch.tril(scaled(q, k))
    return F.softmax(below.masked_fill(below == 0, -math.inf), dim=2) @ v


CAUSAL = (
    Wrong("sin-mascara", "no has tapado nada", causal_unmasked),
    Wrong("mira-al-futuro", "triu", causal_reversed),
    Wrong("tapado-el-pasado-y-a-si-misma", "la contraria", causal_filled_where_allowed),
    Wrong("no-se-mira", "la diagonal", causal_without_itself),
    Wrong("sin-renormalizar", "ya no suman 1", causal_late),
    Wrong("tapado-con-cero", "e⁰ = 1", causal_zeros),
    Wrong("sin-escalar", "√d", causal_raw),
    Wrong("softmax-por-claves", "por columnas", causal_columns),
    Wrong("tapado-con-un-numero", "tapa con −∞", causal_filled(-50.0)),
    Wrong("tapado-con-un-numero", "tapa con −∞", causal_filled(-100.0)),
    Wrong("tapado-lo-que-vale-cero", "por la posición", causal_zero_hidden),
)


def padded(*, power=0.5, turned=False, late=False):
    def attend(q, k, v, lengths):
        places = torch.arange(k.size(1)).expand(len(lengths), -1)
        visible = places.ge(lengths.unsqueeze(1)) if turned else places.lt(lengths.unsqueeze(1))
        scores = torch.einsum("bid,bjd->bij", q, k) / q.size(-1) ** power
        if late:
            return torch.einsum("bij,bj,bjd->bid", F.softmax(scores, dim=2), visible.to(v), v)
        bias = torch.zeros_like(scores).masked_fill(~visible.unsqueeze(1), -math.inf)
        return F.softmax(scores + bias, dim=2) @ v

    return attend


FAULTS = (
    Wrong("queda-root", "queda uno", padded(power=1)),
    Wrong("queda-real", "al revés", padded(turned=True)),
    Wrong("queda-late", "ya no suman 1", padded(late=True)),
    Wrong("queda-real-late", "quedan dos", padded(turned=True, late=True)),
    Wrong("queda-root-real", "quedan dos", padded(power=1, turned=True)),
    Wrong("queda-root-late", "quedan dos", padded(power=1, late=True)),
    Wrong("queda-root-real-late", "siguen ahí", padded(power=1, turned=True, late=True)),
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


def by_autograd(q, k, v, grad, root=None):
    q, k, v = (part.detach().clone().requires_grad_() for part in (q, k, v))
    root = math.sqrt(q.size(1)) if root is None else root
    mixed = F.softmax(q @ k.t() / root, dim=1) @ v
    return torch.autograd.grad(mixed, (q, k, v), grad)


def backward_without_second_root(q, k, v, grad):
    d_q, d_k, d_v = by_autograd(q, k, v, grad)
    return d_q * math.sqrt(q.size(1)), d_k * math.sqrt(q.size(1)), d_v


def backward_wrong_weights(q, k, v, grad):
    d_q, d_k, d_v = by_autograd(q, k, v, grad, root=1)
    return d_q / math.sqrt(q.size(1)), d_k / math.sqrt(q.size(1)), d_v


def backward_from(scores_gradient):
    def backward(q, k, v, grad):
        root = math.sqrt(q.size(1))
        alpha = F.softmax(torch.einsum("id,jd->ij", q, k) / root, dim=1)
        scores = scores_gradient(alpha, torch.einsum("ie,je->ij", grad, v)) / root
        return (
            torch.einsum("ij,jd->id", scores, k),
            torch.einsum("ij,id->jd", scores, q),
            torch.einsum("ij,ie->je", alpha, grad),
        )

    return backward


BACKWARD = (
    Wrong("sin-la-segunda-raiz", "otra vez entre √d", backward_without_second_root),
    Wrong(
        "sin-escalar", "los dos sitios", lambda q, k, v, grad: by_autograd(q, k, v, grad, root=1)
    ),
    Wrong("pesos-sin-escalar", "otra atención", backward_wrong_weights),
    Wrong("sin-la-media", "restar la media", backward_from(lambda a, g: a * g)),
    Wrong(
        "sin-el-peso",
        "multiplicar por el peso",
        backward_from(lambda a, g: g - torch.linalg.vecdot(a, g)[:, None]),
    ),
    Wrong(
        "media-por-columnas",
        "por filas",
        backward_from(lambda a, g: a * (g - torch.linalg.vecdot(a, g, dim=0)[None])),
    ),
    Wrong(
        "orden",
        "primero el de las claves",
        lambda q, k, v, grad: tuple(by_autograd(q, k, v, grad)[i] for i in (1, 0, 2)),
    ),
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
    "atencion-causal": CAUSAL,
    "atencion-con-fallos": FAULTS,
    "capa-multicabeza": MULTIHEAD,
    "atencion-hacia-atras": BACKWARD,
    "apilar-atenciones": COLLAPSE,
}
