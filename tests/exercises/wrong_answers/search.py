"""Respuestas equivocadas de los ejercicios de «Buscar con significado»."""

import math

import torch

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "bm25-con-una-tabla": ([[[2.0, 0.0], [1.0, 1.0]], [0], 1.0, 0.0], [[0.2431, 0.1823]]),
    "dos-fallos-en-la-media": ([[[[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]]], [2]], [[[0.6, 0.8]]]),
    "la-temperatura-que-basta": ([1.0, 0.0, 2, 0.75], [0.9102]),
    "el-puesto-y-el-orden": ([[5.0, 9.0, 7.0], [0.2, 0.1, 0.3], 1.0], [[0.5833, 0.75, 0.8333]]),
    "cuantas-celdas": ([[30, 10, 60], [0, 2]], [0.93]),
}


def orders(recall_a, recall_b, inverso_a, inverso_b):
    return lambda: {
        "recall_a": recall_a, "recall_b": recall_b, "inverso_a": inverso_a, "inverso_b": inverso_b,
    }  # fmt: skip


ORDERS = (
    Wrong("entre-los-que-se-miran", "entre los que valen", orders(10, 30, 100, 25)),
    Wrong("sin-dividir", "qué parte", orders(1, 3, 100, 25)),
    Wrong("el-ultimo", "del primero", orders(25, 75, 5, 4)),
    Wrong("todos-los-puestos", "los 10 primeros", orders(100, 100, 100, 25)),
)


def batch(negativos, textos, cosenos, doble):
    return lambda: {
        "negativos": negativos, "textos": textos, "cosenos": cosenos, "doble": doble,
    }  # fmt: skip


LOTS = (
    Wrong("el-suyo-tambien", "no es un negativo", batch(96, 144, 4608, 18432)),
    Wrong("cada-uno-los-suyos", "cuentan para todas", batch(48, 144, 48 * 49, 4 * 48 * 49)),
    Wrong("sin-las-consultas", "hay que leer", batch(95, 96, 4608, 18432)),
    Wrong("el-doble-es-el-doble", "por cuatro", batch(95, 144, 4608, 9216)),
)


def table_scores(counts, query, k1, b, weight=None, rare=None, size=None):
    """La fórmula, con la pieza que se quiera cambiada."""
    n = len(counts)
    size = counts.sum(1) / counts.sum(1).mean() if size is None else size(counts)
    total = torch.zeros(n)
    for word in query:
        times = counts[:, word]
        with_it = float((times > 0).sum()) if rare is None else float(rare(times))
        idf = math.log(1 + (n - with_it + 0.5) / (with_it + 0.5))
        bent = times * (k1 + 1) / (times + k1 * (1 - b + b * size))
        total = total + idf * (bent if weight is None else weight(times))
    return total


def endless(counts, query, k1, b):
    return table_scores(counts, query, k1, b, weight=lambda times: times)


def raw_length(counts, query, k1, b):
    return table_scores(counts, query, k1, b, size=lambda table: table.sum(1))


def counted_times(counts, query, k1, b):
    return table_scores(counts, query, k1, b, rare=lambda times: times.sum())


def short_pays(counts, query, k1, b):
    def upside_down(table):
        return table.sum(1).mean() / table.sum(1)

    return table_scores(counts, query, k1, b, size=upside_down)


TABLE = (
    Wrong("sin-saturar", "sin límite", endless),
    Wrong("longitud-sin-media", "longitud media", raw_length),
    Wrong("veces-en-vez-de-documentos", "en cuántos documentos", counted_times),
    Wrong("longitud-al-reves", "al revés", short_pays),
)


def untouched(states, lengths):
    return torch.nn.functional.normalize(states, dim=-1).mean(dim=1)


def with_padding(states, lengths):
    return torch.nn.functional.normalize(states.mean(dim=1), dim=-1)


def real_mean(states, lengths):
    return torch.stack(
        [row[: int(n)].sum(0) / int(n) for row, n in zip(states, lengths, strict=True)]
    )


def token_by_token(states, lengths):
    return real_mean(torch.nn.functional.normalize(states, dim=-1), lengths)


POOLED = (
    Wrong("los-dos-siguen", "los dos fallos", untouched),
    Wrong("cuenta-el-relleno", "comparta lote", with_padding),
    Wrong("cada-token", "a cada token", token_by_token),
    Wrong("sin-longitud-uno", "falta darle", real_mean),
)


def all_documents(own, other, n_documents, share):
    return (own - other) / math.log(n_documents * share / (1 - share))


def one_rival(own, other, n_documents, share):
    return (own - other) / math.log(share / (1 - share))


def no_rest(own, other, n_documents, share):
    return (own - other) / math.log((n_documents - 1) * share)


def inverted(own, other, n_documents, share):
    return math.log((n_documents - 1) * share / (1 - share)) / (own - other)


TEMPERATURE = (
    Wrong("uno-de-mas", "M − 1", all_documents),
    Wrong("solo-dos", "un solo negativo", one_rival),
    Wrong("sin-el-resto", "1 − p", no_rest),
    Wrong("al-reves", "1/τ", inverted),
)


def ranks_of(scores, biggest=True):
    ranks = torch.empty(len(scores))
    ranks[torch.sort(scores, descending=biggest).indices] = torch.arange(1.0, len(scores) + 1)
    return ranks


def by_order(first, second, k):
    return sum(1 / (k + 1 + x.sort(descending=True).indices) for x in (first, second))


def from_zero(first, second, k):
    return sum(1 / (k + ranks_of(x) - 1) for x in (first, second))


def smallest_first(first, second, k):
    return sum(1 / (k + ranks_of(x, biggest=False)) for x in (first, second))


def plain_sum(first, second, k):
    return first + second


FUSED = (
    Wrong("sigue-el-orden", "sigue ahí", by_order),
    Wrong("desde-cero", "empiezan en 1", from_zero),
    Wrong("al-reves", "mayor puntuación", smallest_first),
    Wrong("sumar-puntuaciones", "misma escala", plain_sum),
)


def only_documents(sizes, probes):
    return sum(sizes[place] for place in probes) / sum(sizes)


def not_shared(sizes, probes):
    return len(sizes) + sum(sizes[place] for place in probes)


def equal_cells(sizes, probes):
    return len(sizes) / sum(sizes) + len(probes) / len(sizes)


def wide_open(sizes, probes):
    return 1 + len(sizes) / sum(sizes)


CELLS = (
    Wrong("sin-centros", "los centros", only_documents),
    Wrong("sin-dividir", "divide", not_shared),
    Wrong("celdas-iguales", "mismo tamaño", equal_cells),
    Wrong("todas-abiertas", "las abiertas", wide_open),
)

WRONG = {
    "dos-buenos-ordenes": ORDERS,
    "lo-que-hay-en-un-lote": LOTS,
    "bm25-con-una-tabla": TABLE,
    "dos-fallos-en-la-media": POOLED,
    "la-temperatura-que-basta": TEMPERATURE,
    "el-puesto-y-el-orden": FUSED,
    "cuantas-celdas": CELLS,
}
