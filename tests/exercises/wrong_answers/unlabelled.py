"""Respuestas equivocadas de los ejercicios de wav2vec 2.0."""

import torch

from tests.exercises.wrong_answers import Wrong


def sizes(salto=40, campo=105, vectores=198, codigos=64, entradas=16):
    found = {"salto": salto, "campo": campo, "vectores": vectores}
    return lambda: found | {"codigos": codigos, "entradas": entradas}


SIZES = (
    Wrong("suma-de-zancadas", "se multiplican", sizes(salto=11)),
    Wrong("producto-de-nucleos", "lo agranda", sizes(campo=320)),
    Wrong("sin-borde", "el campo entero", sizes(vectores=200)),
    Wrong("suma-de-codigos", "las entradas se suman", sizes(codigos=16)),
)


def paths(uno=6, dos=5, repetido=1):
    return lambda: {"uno": uno, "dos": dos, "repetido": repetido}


PATHS = (
    Wrong("sin-blancos", "sin blancos", paths(uno=1, dos=2, repetido=0)),
    Wrong("con-agujeros", "eso escribe", paths(uno=7)),
    Wrong("repetidas-juntas", "se juntarían", paths(repetido=3)),
    Wrong("sin-repetir", "puede durar más", paths(uno=3, dos=3)),
)


def parts(counts):
    return counts / counts.sum(-1, keepdim=True)


def entropy(p, log=torch.log):
    return -(p * log(p + 1e-30)).sum(-1)


PERPLEXITY = (
    Wrong("sin-exponencial", "falta la exponencial", lambda c: entropy(parts(c))),
    Wrong("bases-mezcladas", "en base 2", lambda c: entropy(parts(c), torch.log2).exp()),
    Wrong("signo", "el signo menos", lambda c: torch.exp(-entropy(parts(c)))),
    Wrong("todas-las-tablas", "su reparto", lambda c: entropy(c / c.sum()).exp()),
    Wrong("vistas", "alguna vez", lambda c: c.gt(0).sum(1).float()),
)


def covered(starts, offsets, wrap=False):
    result = torch.zeros(starts.shape, dtype=torch.bool)
    size = starts.shape[1]
    for row, place in starts.nonzero().tolist():
        for offset in offsets:
            spot = place + offset
            if wrap:
                result[row, spot % size] = True
            elif 0 <= spot < size:
                result[row, spot] = True
    return result


SPANS = (
    Wrong("uno-de-mas", "de más", lambda s, n: covered(s, range(n + 1))),
    Wrong("uno-de-menos", "de menos", lambda s, n: covered(s, range(n - 1))),
    Wrong("hacia-atras", "hacia la derecha", lambda s, n: covered(s, range(1 - n, 1))),
    Wrong("da-la-vuelta", "por la izquierda", lambda s, n: covered(s, range(n), wrap=True)),
    Wrong("solo-comienzos", "solo la posición", lambda s, n: s.clone()),
    Wrong("al-reves", "True es tapada", lambda s, n: covered(s, range(n)).logical_not()),
)


def scores(c, q, others, unit=True):
    every = torch.cat([q.unsqueeze(1), others], dim=1)
    if unit:
        c, every = (x / x.norm(dim=-1, keepdim=True) for x in (c, every))
    return torch.einsum("nd,nkd->nk", c, every)


def rank(s, right=0):
    return -s.log_softmax(-1)[:, right]


CONTRAST = (
    Wrong("producto", "el coseno", lambda c, q, o, k: rank(scores(c, q, o, False) / k).mean()),
    Wrong("por-kappa", "se divide", lambda c, q, o, k: rank(scores(c, q, o) * k).mean()),
    Wrong("sin-kappa", "la temperatura", lambda c, q, o, k: rank(scores(c, q, o)).mean()),
    Wrong(
        "sin-la-verdadera",
        "en el denominador",
        lambda c, q, o, k: (
            (scores(c, q, o)[:, 1:] / k).exp().sum(-1).log() - scores(c, q, o)[:, 0] / k
        ).mean(),
    ),
    Wrong("suma", "la media", lambda c, q, o, k: rank(scores(c, q, o) / k).sum()),
    Wrong("otra-clase", "la primera", lambda c, q, o, k: rank(scores(c, q, o) / k, -1).mean()),
)


def chosen(labels, count, newest=False):
    found = []
    for label in labels.unique().tolist():
        places = (labels == label).nonzero().flatten()
        found.append(places[-count:] if newest else places[:count])
    return torch.cat(found)


FEW = (
    Wrong("los-primeros", "sean de la clase", lambda y, n: torch.arange(n * len(set(y.tolist())))),
    Wrong("los-ultimos", "los últimos", lambda y, n: chosen(y, n, newest=True).sort().values),
    Wrong("uno-de-mas", "uno de más", lambda y, n: chosen(y, n + 1).sort().values),
    Wrong("etiquetas", "los índices", lambda y, n: y[chosen(y, n).sort().values]),
    Wrong("agrupados", "agrupados", chosen),
    Wrong("mascara", "una máscara", lambda y, n: torch.isin(torch.arange(len(y)), chosen(y, n))),
)

WRONG = {
    "cuanto-ve-un-vector": SIZES,
    "cuantos-caminos": PATHS,
    "entradas-en-uso": PERPLEXITY,
    "de-comienzos-a-tramos": SPANS,
    "perdida-contrastiva": CONTRAST,
    "cuando-compensa-preentrenar": FEW,
}
