"""Respuestas equivocadas de los ejercicios de embeddings."""

import torch
import torch.nn.functional as F

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


def dots(centre, negatives):
    return torch.einsum("bd,bkd->bk", centre, negatives)


def loss(negative, end=lambda x: x.mean()):
    def sgns_loss(centre, context, negatives):
        first = torch.log(torch.sigmoid(torch.einsum("bd,bd->b", centre, context)))
        return end(-(first + negative(dots(centre, negatives))))

    return sgns_loss


def loss_of_probabilities(centre, context, negatives):
    first = torch.sigmoid((centre * context).sum(1))
    return -(first + torch.sigmoid(-dots(centre, negatives)).sum(1)).mean()


LOSS = (
    Wrong("signo-de-las-negativas", "signo menos", loss(lambda x: F.logsigmoid(x).sum(1))),
    Wrong(
        "uno-menos-el-logaritmo",
        "log(1 − σ(x))",
        loss(lambda x: (1 - torch.log(torch.sigmoid(x))).sum(1)),
    ),
    Wrong("media-de-las-negativas", "se suman", loss(lambda x: F.logsigmoid(-x).mean(1))),
    Wrong("suma-del-lote", "se pide la media", loss(lambda x: F.logsigmoid(-x).sum(1), torch.sum)),
    Wrong("sin-media", "por par", loss(lambda x: F.logsigmoid(-x).sum(1), lambda x: x)),
    Wrong("sin-logaritmo", "falta el logaritmo", loss_of_probabilities),
    Wrong(
        "signo-cambiado",
        "menos el logaritmo",
        loss(lambda x: F.logsigmoid(-x).sum(1), lambda x: -x.mean()),
    ),
    Wrong("sin-negativas", "faltan las negativas", loss(lambda x: 0.0)),
    Wrong(
        "sin-gradiente",
        "ninguna entrada",
        loss(lambda x: F.logsigmoid(-x).sum(1), lambda x: x.mean().detach()),
    ),
)


def by(score, skip=True):
    def nearest(table, word, k):
        values = score(table, table[word])
        order = torch.sort(values, descending=True).indices.tolist()
        return [number for number in order if not (skip and number == word)][:k]

    return nearest


def cosine(table, vector):
    return (table @ vector) / (table.norm(dim=1) * vector.norm())


NEAREST = (
    Wrong("sin-normalizar", "vectores largos", by(torch.mv)),
    Wrong("ella-misma", "quítala", by(cosine, skip=False)),
    Wrong("distancia", "no mira", by(lambda t, v: -((t - v) ** 2).sum(1))),
    Wrong("las-mas-lejanas", "más parecidas", by(lambda t, v: -cosine(t, v))),
    Wrong("valor-absoluto", "apuntar al revés", by(lambda t, v: cosine(t, v).abs())),
    Wrong("longitud", "se esperaban", lambda t, w, k: by(cosine)(t, w, k + 1)[1:][:-1]),
)


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
    "muestras-negativas": LOSS,
    "vecinas": NEAREST,
    "casillas": BUCKETS,
    "ventana": WINDOW,
}

# La pérdida de un par de vectores nulos con una negativa: dos veces log 2.
EXAMPLES = {
    "muestras-negativas": ([[[0.0, 0.0]], [[1.0, 2.0]], [[[3.0, 4.0]]]], [1.3863]),
}
