"""Respuestas equivocadas de los ejercicios de atención eficiente."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "cambios-de-la-delta": (
        [[[1.0, 0.0], [1.0, 0.0]], [[3.0], [5.0]], [1.0, 0.5]],
        [[[3.0], [1.0]]],
    ),
    "rasgos-positivos": (
        [[[0.0]], [[0.0], [0.0]], [[2.0], [4.0]], [[1.0]]],
        [[[3.0]]],
    ),
    "alcance-medido": (
        [[[True, False, True]], [[1, 4, 9]], [0, 4, 16]],
        [[0.5, 1.0]],
    ),
}


def keys(window, strided, summary):
    values = {"completa": 4096, "ventana": window, "saltos": strided, "resumen": summary}
    return lambda: values


KEYS_SEEN = (
    Wrong("un-solo-lado", "hacia delante", keys(65, 127, 256)),
    Wrong("no-se-mira", "a sí misma", keys(128, 127, 256)),
    Wrong("contadas-dos-veces", "dos grupos", keys(129, 129, 256)),
    Wrong("contadas-dos-veces", "dos grupos", keys(129, 128, 256)),
    Wrong("solo-saltos", "un solo grupo", keys(129, 64, 256)),
    Wrong("trozo-del-resumen", "cuántos resúmenes", keys(129, 127, 16)),
    Wrong("valores", "no es el correcto", keys(129, 127, 257)),
)


def layers(window, dilated, strided, longformer):
    names = ("ventana", "dilatada", "saltos", "longformer")
    return lambda: dict(zip(names, (window, dilated, strided, longformer), strict=True))


LAYERS_NEEDED = (
    Wrong("redondeo-abajo", "medio camino", layers(9, 3, 2, 2)),
    Wrong("una-capa-basta", "intermediario", layers(10, 3, 1, 2)),
    Wrong("una-capa-basta", "intermediario", layers(10, 3, 2, 1)),
    Wrong("global-como-ventana", "posición global", layers(10, 3, 2, 10)),
    Wrong("saltos-de-uno-en-uno", "múltiplo de 64", layers(10, 3, 5, 2)),
    Wrong("dilatada-sin-dilatar", "avanza 4", layers(10, 10, 2, 2)),
)


def phi(x, directions, power=0.25, norm=True):
    x = x * x.size(1) ** -power
    exponent = F.linear(x, directions)
    if norm:
        exponent = exponent - 0.5 * torch.linalg.vector_norm(x, dim=1, keepdim=True) ** 2
    return torch.exp(exponent)


def linear(q, k, v, directions, **options):
    phi_q, phi_k = phi(q, directions, **options), phi(k, directions, **options)
    return (phi_q @ (phi_k.t() @ v)) / (phi_q @ phi_k.sum(0)).unsqueeze(1)


def unnormalised(q, k, v, directions):
    return phi(q, directions) @ (phi(k, directions).t() @ v)


def by_keys(q, k, v, directions):
    weights = phi(q, directions) @ phi(k, directions).t()
    return F.normalize(weights, p=1, dim=0) @ v


def without_norm(q, k, v, directions):
    return linear(q, k, v, directions, norm=False)


def without_scale(q, k, v, directions):
    return linear(q, k, v, directions, power=0)


def scaled_twice(q, k, v, directions):
    return linear(q, k, v, directions, power=0.5)


def exact(q, k, v, directions):
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]


FEATURES = (
    Wrong("sin-normalizar", "falta el normalizador", unnormalised),
    Wrong("normaliza-claves", "por claves", by_keys),
    Wrong("sin-la-norma", "‖x‖²/2", without_norm),
    Wrong("sin-escalar", "falta dividir", without_scale),
    Wrong("escala-doble", "a cada una le toca", scaled_twice),
    Wrong("atencion-exacta", "de siempre", exact),
)


def from_moments(second=None, first=None, error_power=2, relative=True):
    """De los dos momentos de una dirección, pareja a pareja y con los números de Python."""

    def directions_needed(q, k, error):
        found = []
        for one, other in zip(q.tolist(), k.tolist(), strict=True):
            dot = sum(a * b for a, b in zip(one, other, strict=True))
            both = sum(a * a for a in one), sum(b * b for b in other)
            joined = sum((a + b) ** 2 for a, b in zip(one, other, strict=True))
            growth = second(dot, both, joined) if second else joined
            value = math.expm1(growth) if first is None else math.exp(growth) - first
            value *= 1 if relative else math.exp(2 * dot)
            found.append(value / error**error_power)
        return torch.tensor(found, dtype=q.dtype)

    return directions_needed


def subtracting(q, k, error):
    return (torch.exp(torch.sum((q + k) ** 2, 1)) - 1) / error**2


HOW_MANY = (
    Wrong("sin-restar-la-media", "aquí es 1", from_moments(first=0.0)),
    Wrong("por-el-producto", "la longitud de la suma", from_moments(lambda dot, both, s: dot)),
    Wrong("por-el-producto", "la longitud de la suma", from_moments(lambda dot, both, s: 2 * dot)),
    Wrong("la-diferencia", "los senos y cosenos", from_moments(
        lambda dot, both, s: sum(both) - 2 * dot)),
    Wrong("sin-el-producto-cruzado", "2 q · k", from_moments(lambda dot, both, s: sum(both))),
    Wrong("a-medias", "sobra una mitad", from_moments(lambda dot, both, s: s / 2)),
    Wrong("absoluta", "es relativo", from_moments(relative=False)),
    Wrong("sin-el-cuadrado-del-error", "es su cuadrado", from_moments(error_power=1)),
    Wrong("pierde-cifras", "torch.expm1", subtracting),
)  # fmt: skip


def by_bins(inside):
    def measure(right, distances, edges):
        values = []
        for n in range(len(edges) - 1):
            chosen = right[inside(distances, edges[n], edges[n + 1])].float()
            values.append(chosen.mean() if len(chosen) else torch.tensor(0.0))
        return torch.stack(values)

    return measure


def counts(right, distances, edges):
    pairs = zip(edges[:-1], edges[1:], strict=True)
    return torch.tensor([float(right[(distances > a) & (distances <= b)].sum()) for a, b in pairs])


BY_DISTANCE = (
    Wrong("borde-equivocado", "borde de arriba", by_bins(lambda d, a, b: (a <= d) & (d < b))),
    Wrong("los-dos-bordes", "dos veces", by_bins(lambda d, a, b: (a <= d) & (d <= b))),
    Wrong("acumulado", "desde cero", by_bins(lambda d, a, b: d <= b)),
    Wrong(
        "sobre-el-total",
        "entre todas",
        lambda right, distances, edges: counts(right, distances, edges) / right.numel(),
    ),
    Wrong("cuentas", "cuántas se aciertan", counts),
)


def one_after_another(k, v, write, later=False, read=True):
    """La regla delta paso a paso, y los cambios que fue escribiendo."""
    memory, written = torch.zeros(k.size(1), v.size(1)), []
    order = reversed(range(len(k))) if later else range(len(k))
    for t in order:
        change = write[t] * (v[t] - (k[t] @ memory if read else 0.0))
        memory = memory + torch.outer(k[t], change)
        written.append(change)
    return torch.stack(written[::-1] if later else written)


def adding(k, v, write):
    memory, written = torch.zeros(k.size(1), v.size(1)), []
    for key, value, beta in zip(k, v, write, strict=True):
        written.append(beta * (value + key @ memory))
        memory = memory + torch.outer(key, written[-1])
    return torch.stack(written)


def inverse(k, v, write, below=-1):
    lower = torch.einsum("i,id,jd->ij", write, k, k).tril(below)
    return torch.inverse(torch.eye(len(k)) + lower) @ (write[:, None] * v)


def one_pass(k, v, write):
    lower = torch.einsum("i,id,jd->ij", write, k, k).tril(-1)
    return write[:, None] * v + lower @ (write[:, None] * v)


CHANGES = (
    Wrong("sin-leer", "sin leer", lambda k, v, write: one_after_another(k, v, write, read=False)),
    Wrong("con-la-diagonal", "la diagonal", lambda k, v, write: inverse(k, v, write, below=0)),
    Wrong(
        "al-reves", "los siguientes", lambda k, v, write: one_after_another(k, v, write, later=True)
    ),
    Wrong("signo", "has sumado", adding),
    Wrong("una-sola-pasada", "resolver el sistema", one_pass),
)

WRONG = {
    "claves-que-se-miran": KEYS_SEEN,
    "capas-para-llegar": LAYERS_NEEDED,
    "rasgos-positivos": FEATURES,
    "cuantas-direcciones": HOW_MANY,
    "cambios-de-la-delta": CHANGES,
    "alcance-medido": BY_DISTANCE,
}
