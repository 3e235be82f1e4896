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


def huella(codes, product_first=False):
    number = 2166136261
    for code in codes:
        if product_first:
            number = (number * 16777619) % 2**32 ^ code
        else:
            number = (number ^ code) * 16777619 % 2**32
    return number


def bucket(left="<", right=">", longest=5, letters=False, end="mean", once=False, **options):
    def bucket_vector(word, table):
        marked, rows = left + word + right, []
        for start in range(len(marked)):
            for stop in range(start + 3, min(start + longest, len(marked)) + 1):
                piece = marked[start:stop]
                codes = [ord(c) for c in piece] if letters else piece.encode()
                rows.append(huella(codes, **options) % len(table))
        if not rows:
            rows = [huella(marked.encode(), **options) % len(table)]
        found = table[list(dict.fromkeys(rows)) if once else rows]
        return found.sum(0) if end == "sum" else found.mean(0)

    return bucket_vector


BUCKETS = (
    Wrong("sin-marcas", "entre < y >", bucket("", "")),
    Wrong("caracteres", "bytes de UTF-8", bucket(letters=True)),
    Wrong("producto-primero", "es al revés", bucket(product_first=True)),
    Wrong("suma", "su media", bucket(end="sum")),
    Wrong("sin-repetir", "cuenta dos", bucket(once=True)),
    Wrong("hasta-seis", "de tres a cinco", bucket(longest=6)),
)


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
    "casillas": BUCKETS,
    "ventana": WINDOW,
}

# Con los dos puntajes a cero, el modelo dice un medio a todo.
EXAMPLES = {
    "lo-que-empuja-a-cada-vector": (
        [[[1.0, 0.0]], [[0.0, 2.0]], [[[0.0, 4.0]]]],
        ([[0.0, 1.0]], [[-0.5, 0.0]], [[[0.5, 0.0]]]),
    ),
}
