"""Respuestas equivocadas de los ejercicios de atención eficiente."""

import math

import torch

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "cambios-de-la-delta": (
        [[[1.0, 0.0], [1.0, 0.0]], [[3.0], [5.0]], [1.0, 0.5]],
        [[[3.0], [1.0]]],
    ),
    "lo-que-se-lee-de-una-memoria": ([[0.3, 0.5, 1.0], 4], [[0.8660, 0.5590, 0.5590]]),
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


def read_with(gates=None, share=None, leak=None, lost=True, own=False, root=math.sqrt):
    """El error de cada pareja, con las compuertas que la encogen multiplicadas una a una."""
    gates = gates or (lambda gates, i: gates[i + 1 :])
    share = share or (lambda d: 1 / d)
    leak = leak or (lambda weights: sum(w * w for w in weights))

    def recall_errors(decay, d):
        a, found = decay.tolist(), []
        weights = [math.prod(gates(a, i)) for i in range(len(a))]
        for i, weight in enumerate(weights):
            rest = weights if own else weights[:i] + weights[i + 1 :]
            gone = (1 - weight) ** 2 if lost else 0.0
            found.append(root(gone + leak(rest) * share(d)))
        return torch.tensor(found, dtype=decay.dtype)

    return recall_errors


def divided(decay, d):
    reached = torch.cumprod(decay, dim=0)
    weights = reached[-1] / reached
    outside = torch.ones(len(decay), len(decay)).fill_diagonal_(0).to(decay.dtype)
    return ((1 - weights) ** 2 + outside @ weights**2 / d).sqrt()


RECALL = (
    Wrong("con-su-propia-compuerta", "antes de escribir", read_with(gates=lambda a, i: a[i:])),
    Wrong("del-comienzo", "las de después", read_with(gates=lambda a, i: a[: i + 1])),
    Wrong("sin-compuerta", "falta la compuerta", read_with(gates=lambda a, i: [])),
    Wrong("se-cuela-entera", "1/d de su cuadrado", read_with(share=lambda d: 1.0)),
    Wrong("raiz-de-la-dimension", "y no 1/√d", read_with(share=lambda d: d**-0.5)),
    Wrong("pesos-sin-cuadrado", "también va al cuadrado", read_with(leak=sum)),
    Wrong("cuadrado-de-la-suma", "se suman los cuadrados", read_with(leak=lambda w: sum(w) ** 2)),
    Wrong("sin-lo-perdido", "encogido", read_with(lost=False)),
    Wrong("ella-tambien", "la propia pareja", read_with(own=True)),
    Wrong("sin-raiz", "falta la raíz", read_with(root=float)),
    Wrong("cociente", "sin dividir", divided),
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
    "cuantas-direcciones": HOW_MANY,
    "lo-que-se-lee-de-una-memoria": RECALL,
    "cambios-de-la-delta": CHANGES,
    "alcance-medido": BY_DISTANCE,
}
