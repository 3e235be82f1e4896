"""Respuestas equivocadas de los ejercicios de embeddings."""

import math

import torch

from tests.exercises.wrong_answers import Wrong


def sizes(parameters, one_hot, embedding, rows):
    return lambda: {
        "parametros": parameters,
        "numeros_one_hot": one_hot,
        "numeros_embedding": embedding,
        "filas_con_gradiente": rows,
    }


TABLE = (
    Wrong("gradiente-repetido", "la misma fila", sizes(512_000, 48_000, 384, 6)),
    Wrong("gradiente-en-toda-la-tabla", "derivada es cero", sizes(512_000, 48_000, 384, 8_000)),
    Wrong("tabla-de-la-frase", "por token del vocabulario", sizes(384, 48_000, 384, 3)),
    Wrong("un-solo-vector", "la frase tiene seis", sizes(512_000, 8_000, 64, 3)),
    Wrong("intercambiados", "intercambiado", sizes(512_000, 384, 48_000, 3)),
    Wrong("valores", "no es el correcto", sizes(512_000, 48_000, 384, 2)),
)


def kept(often, rare, left, ratio):
    return lambda: {"p_frecuente": often, "p_rara": rare, "quedan": left, "veces_mas": ratio}


KEPT = 0.025**0.5
SUBSAMPLING = (
    Wrong("sin-raiz", "falta la raíz", kept(0.025, 1.0, 1000.0, 160**0.75)),
    Wrong("sin-raiz", "falta la raíz", kept(0.025, 1.0, 40_000 * KEPT, 160**0.75)),
    Wrong("mas-de-uno", "no pasa de 1", kept(KEPT, 2.0, 40_000 * KEPT, 160**0.75)),
    Wrong("las-que-se-quitan", "la de conservarla", kept(1 - KEPT, 1, 40_000 * KEPT, 160**0.75)),
    Wrong("sin-exponente", "elevada a ¾", kept(KEPT, 1.0, 40_000 * KEPT, 160.0)),
    Wrong("al-reves", "al revés", kept(KEPT, 1.0, 40_000 * KEPT, 160**-0.75)),
    Wrong("valores", "no es el correcto", kept(KEPT, 1.0, 40_000.0, 160**0.75)),
)


def errors(scores, wanted):
    return 1 / (1 + torch.exp(-scores)) - wanted


def pushed(hit=None, miss=None, divide=None, everything=True, mean=False, sign=1.0):
    """Las tres derivadas, con sumas de Einstein; `hit` y `miss` son los errores de cada puntaje."""
    hit = hit or (lambda s: errors(s, 1.0))
    miss = miss or (lambda s: errors(s, 0.0))

    def sgns_gradients(centre, context, negatives):
        pairs, count = negatives.shape[0], negatives.shape[1]
        scale = sign / (divide(pairs, count) if divide else pairs)
        near = scale * hit(torch.einsum("bd,bd->b", centre, context))
        far = scale * miss(torch.einsum("bkd,bd->bk", negatives, centre))
        middle = torch.einsum("b,bd->bd", near, context)
        if everything:
            away = torch.einsum("bk,bkd->bd", far, negatives)
            middle = middle + (away / count if mean else away)
        return (
            middle,
            torch.einsum("b,bd->bd", near, centre),
            torch.einsum("bk,bd->bkd", far, centre),
        )

    return sgns_gradients


def slope(scores):
    return torch.sigmoid(scores) * (1 - torch.sigmoid(scores))


def its_own_vector(centre, context, negatives):
    pairs = len(centre)
    near = errors((centre * context).sum(1), 1.0)[:, None] / pairs
    far = errors((negatives @ centre[:, :, None])[..., 0], 0.0)[..., None] / pairs
    return (near + far.sum(1)) * centre, near * context, far * negatives


def exponential_ratio(centre, context, negatives):
    def squash(x):
        return torch.exp(x) / (torch.exp(x) + 1)

    return pushed(lambda s: squash(s) - 1, squash)(centre, context, negatives)


GRADIENTS = (
    Wrong("signo", "subir la pérdida", pushed(sign=-1.0)),
    Wrong("sin-dividir", "la media del lote", pushed(divide=lambda b, k: 1)),
    Wrong("entre-todas", "se suman", pushed(divide=lambda b, k: b * k)),
    Wrong("entre-todas", "se suman", pushed(divide=lambda b, k: b * (k + 1))),
    Wrong("entre-todas", "se suman", pushed(mean=True)),
    Wrong("la-vecina-como-una-negativa", "σ valga 1", pushed(hit=lambda s: errors(s, 0.0))),
    Wrong("las-negativas-como-vecinas", "σ valga 0", pushed(miss=lambda s: errors(s, 1.0))),
    Wrong("las-negativas-como-vecinas", "σ valga 0", pushed(miss=lambda s: -errors(s, 1.0))),
    Wrong("derivada-de-la-sigmoide", "no log σ", pushed(lambda s: -slope(s), slope)),
    Wrong("centro-sin-negativas", "también lo empujan", pushed(everything=False)),
    Wrong("el-propio-vector", "es el otro", its_own_vector),
    Wrong("desborda", "no desborda", exponential_ratio),
)


def neighbours_by(score, empties=True, own=-math.inf):
    """Ordena por `score(tabla, vector)`; `own` es lo que se le pone a la propia palabra."""

    def nearest(table, word, k):
        values = [float(x) for x in score(table, table[word])]
        if empties:
            values = [
                x if float(row.abs().sum()) else -math.inf
                for x, row in zip(values, table, strict=True)
            ]
        if own is not None:
            values[word] = own
        return torch.tensor(values).sort(descending=True).indices[:k].tolist()

    return nearest


def cosine(table, vector):
    return (table @ vector) / (table.norm(dim=1) * vector.norm())


def by_columns(table, vector):
    size = (table**2).sum(0).sqrt()
    return (table / size) @ (vector / size)


NEAREST = (
    Wrong("queda-columnas", "queda uno", neighbours_by(by_columns)),
    Wrong("queda-cero", "ponle −∞", neighbours_by(cosine, own=0.0)),
    Wrong("queda-vacias", "NaN va delante", neighbours_by(cosine, empties=False)),
    Wrong("queda-columnas-cero", "quedan dos", neighbours_by(by_columns, own=0.0)),
    Wrong("queda-columnas-vacias", "quedan dos", neighbours_by(by_columns, empties=False)),
    Wrong("queda-cero-vacias", "quedan dos", neighbours_by(cosine, empties=False, own=0.0)),
    Wrong("queda-columnas-cero-vacias", "los tres siguen ahí", neighbours_by(
        by_columns, empties=False, own=0.0)),
    Wrong("sin-normalizar", "vectores largos", neighbours_by(torch.mv)),
    Wrong("distancia", "no mira", neighbours_by(lambda t, v: -((t - v) ** 2).sum(1))),
    Wrong("ella-misma", "quítala", neighbours_by(cosine, own=None)),
    Wrong("vacias-con-cero", "no son vecinas", neighbours_by(
        lambda t, v: cosine(t, v).nan_to_num(0.0), empties=False)),
    Wrong("longitud", "se esperaban", lambda t, w, k: neighbours_by(cosine)(t, w, k + 1)),
)  # fmt: skip


def at_the_end(*, often=None, k=float, row=True, chance=None, score=None, cells=None, mean=False):
    """Adónde llega word2vec, casilla a casilla y con números de Python."""
    often = often or (lambda x, power: shares([column**power for column in x.sum(0).tolist()]))
    chance = chance or (lambda a, b: a / (a + b))
    score = score or (lambda a, b: math.log(a) - math.log(b) if a else -math.inf)
    cells = cells or (lambda a, b: (a * math.log(a / (a + b)) if a else 0.0) + b * math.log(
        b / (a + b)))  # fmt: skip

    def where_it_ends(counts, times, power):
        x, noise = counts.double(), often(counts.double(), power)
        total, tables, lost = float(x.sum()), ([], []), []
        for numbers in x.tolist():
            pairs = [
                (x_wc / total, k(times) * (sum(numbers) / total if row else 1.0) * p)
                for x_wc, p in zip(numbers, noise, strict=True)
            ]
            tables[0].append([chance(a, b) for a, b in pairs])
            tables[1].append([score(a, b) for a, b in pairs])
            lost += [-cells(a, b) for a, b in pairs]
        loss = math.fsum(lost) / (len(lost) if mean else 1)
        return tuple(torch.tensor(found, dtype=counts.dtype) for found in (*tables, loss))

    return where_it_ends


def shares(weights):
    return [weight / sum(weights) for weight in weights]


def by_rows(x, power):
    """Con la frecuencia de las filas; una sola se repite, como hace PyTorch."""
    found = shares([line**power for line in x.sum(1).tolist()])
    return found * x.shape[1] if len(found) == 1 else found


def logs(a, b):
    """Los dos términos de una casilla, con el logaritmo de PyTorch: 0 · (−∞) es NaN."""
    a, b = torch.tensor(a).double(), torch.tensor(b).double()
    return float(a * torch.log(a / (a + b)) + b * torch.log(b / (a + b)))


ENDING = (
    Wrong("sin-las-k", "has contado una", at_the_end(k=lambda k: 1.0)),
    Wrong("k-al-reves", "baja el puntaje", at_the_end(k=lambda k: 1 / k)),
    Wrong("sin-exponente", "elevada a `power`", at_the_end(often=lambda x, p: shares(
        x.sum(0).tolist()))),
    Wrong("ruido-sin-repartir", "volver a dividir", at_the_end(often=lambda x, power: [
        share**power for share in shares(x.sum(0).tolist())])),
    Wrong("ruido-sin-repartir", "volver a dividir", at_the_end(often=lambda x, power: [
        column**power / float(x.sum()) for column in x.sum(0).tolist()])),
    Wrong("ruido-de-los-centros", "las columnas", at_the_end(often=by_rows)),
    Wrong("sin-la-del-centro", "más como centro", at_the_end(row=False)),
    Wrong("cociente-sin-sumar", "a / (a + b)", at_the_end(
        chance=lambda a, b: a / b,
        cells=lambda a, b: (a * math.log(a / b) if a else 0.0) + b * math.log(b / (a + b)))),
    Wrong("logaritmo-de-la-probabilidad", "es el logit", at_the_end(
        score=lambda a, b: math.log(a / (a + b)) if a else -math.inf)),
    Wrong("ceros-recortados", "está en −∞", at_the_end(
        score=lambda a, b: max(0.0, math.log(a / b)) if a else 0.0)),
    Wrong("ceros-recortados", "está en −∞", at_the_end(
        score=lambda a, b: math.log(a / b) if a else 0.0)),
    Wrong("cero-por-infinito", "torch.xlogy", at_the_end(cells=logs)),
    Wrong("perdida-sin-negativas", "faltan las negativas", at_the_end(
        cells=lambda a, b: a * math.log(a / (a + b)) if a else 0.0)),
    Wrong("perdida-por-casilla", "la media de las casillas", at_the_end(mean=True)),
)  # fmt: skip


def belonging(pairs, group):
    return [other in group for _, other in pairs]


def of_group(neighbours, group):
    return [(word, other) for word in group for other in neighbours[word]]


WINDOW = (
    Wrong(
        "todas-las-palabras",
        "las del grupo",
        lambda n, g: sum(belonging(of_group(n, n), g)) / len(of_group(n, n)),
    ),
    Wrong("alguna", "cada vecina", lambda n, g: sum(bool({*n[w]} & {*g}) for w in g) / len(g)),
    Wrong(
        "sin-dividir", "divide entre todas", lambda n, g: sum(belonging(of_group(n, g), g)) * 1.0
    ),
    Wrong(
        "vecinas-distintas",
        "cuenta dos",
        lambda n, g: (
            len({o for _, o in of_group(n, g)} & {*g}) / len({o for _, o in of_group(n, g)})
        ),
    ),
    Wrong(
        "entre-las-palabras",
        "entre las vecinas",
        lambda n, g: sum(belonging(of_group(n, g), g)) / len(g),
    ),
)

WRONG = {
    "tabla": TABLE,
    "submuestreo": SUBSAMPLING,
    "lo-que-empuja-a-cada-vector": GRADIENTS,
    "fallos-en-las-vecinas": NEAREST,
    "adonde-llega-word2vec": ENDING,
    "ventana": WINDOW,
}

# Con los dos puntajes a cero, el modelo dice un medio a todo.
EXAMPLES = {
    "lo-que-empuja-a-cada-vector": (
        [[[1.0, 0.0]], [[0.0, 2.0]], [[[0.0, 4.0]]]],
        ([[0.0, 1.0]], [[-0.5, 0.0]], [[[0.5, 0.0]]]),
    ),
}
