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


def entropy(p, log=torch.log):
    """La de cada reparto, sin los ceros."""
    return -torch.where(p > 0, p * log(torch.where(p > 0, p, torch.ones_like(p))), 0.0).sum(-1)


def with_nan(p):
    return -(p * torch.log(p)).sum(-1)


def in_use(
    first=lambda x: x.mean(0), end=lambda x: x, size=entropy, real_only=True, power=torch.exp
):
    """Los pasos, en orden: quedarse con lo real, `first`, la entropía, la potencia y `end`."""

    def codes_in_use(shares, real):
        rows = [row for row, exists in zip(shares, real, strict=True) if exists or not real_only]
        return end(power(size(first(torch.stack(rows)))))

    return codes_in_use


def same(x):
    return x


def over_time(x):
    return x.mean(0)


def ever_chosen(shares, real):
    picked = shares[real].max(-1).indices.T.tolist()
    return torch.tensor([float(len(set(table))) for table in picked], dtype=shares.dtype)


APART = {"first": same, "end": over_time}

PERPLEXITY = (
    Wrong("queda-cada-una", "queda uno", in_use(**APART)),
    Wrong("queda-relleno", "el relleno cuenta", in_use(real_only=False)),
    Wrong("queda-ceros", "da NaN", in_use(size=with_nan)),
    Wrong("queda-cada-una-relleno", "quedan dos", in_use(real_only=False, **APART)),
    Wrong("queda-cada-una-ceros", "quedan dos", in_use(size=with_nan, **APART)),
    Wrong("queda-relleno-ceros", "quedan dos", in_use(size=with_nan, real_only=False)),
    Wrong("queda-cada-una-relleno-ceros", "los tres siguen ahí", in_use(
        size=with_nan, real_only=False, **APART)),
    Wrong("media-de-entropias", "antes los repartos", in_use(
        first=same, power=lambda h: torch.exp(h.mean(0)))),
    Wrong("sin-exponencial", "falta la exponencial", in_use(power=same)),
    Wrong("signo", "el signo menos", in_use(power=lambda h: 1 / torch.exp(h))),
    Wrong("vistas", "alguna vez", ever_chosen),
)  # fmt: skip


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


def pushes(error=None, towards=None, scale=None):
    """El gradiente de cada posición, por la matriz que proyecta fuera de `c`."""
    error = error or (lambda p: torch.cat([p[:1] - 1, p[1:]]))
    scale = scale or (lambda c, kappa, n: 1 / (kappa * c.norm() * n))

    def contrast_gradient(predicted, true, others, kappa):
        rows = []
        for c, q, rivals in zip(predicted, true, others, strict=True):
            every = torch.cat([q.unsqueeze(0), rivals])
            unit = every / every.norm(dim=1, keepdim=True)
            away = torch.eye(len(c), dtype=c.dtype) - torch.outer(c, c) / (c @ c)
            share = torch.softmax(unit @ c / c.norm() / kappa, 0)
            moved = towards(every, unit, away) if towards else unit @ away
            rows.append(error(share) @ moved * scale(c, kappa, len(predicted)))
        return torch.stack(rows)

    return contrast_gradient


CONTRAST = (
    Wrong("sin-proyectar", "no cambia ningún", pushes(towards=lambda x, unit, away: unit)),
    Wrong("sin-la-longitud", "la longitud de c", pushes(scale=lambda c, k, n: 1 / (k * n))),
    Wrong("sin-kappa", "entre κ al derivar", pushes(scale=lambda c, k, n: 1 / (c.norm() * n))),
    Wrong("sin-kappa", "entre κ al derivar", pushes(scale=lambda c, k, n: k / (c.norm() * n))),
    Wrong("sin-la-verdadera", "lejos de todas", pushes(error=lambda p: p)),
    Wrong("signo", "acercar c", pushes(scale=lambda c, k, n: -1 / (k * c.norm() * n))),
    Wrong("suma", "es su media", pushes(scale=lambda c, k, n: 1 / (k * c.norm()))),
)


def long_candidates(predicted, true, others, kappa):
    c = predicted / predicted.norm(dim=1, keepdim=True)
    every = torch.cat([true.unsqueeze(1), others], 1)
    cosines = torch.cosine_similarity(every, c.unsqueeze(1), dim=2)
    error = torch.softmax(cosines / kappa, 1)
    error[:, 0] -= 1
    moved = torch.einsum("nk,nkd->nd", error, every) - (error * cosines).sum(1, keepdim=True) * c
    return moved / (kappa * len(c) * predicted.norm(dim=1, keepdim=True))


CONTRAST += (Wrong("sin-normalizar-candidatos", "solo cuenta la dirección", long_candidates),)


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
    "fallos-al-contar-entradas": PERPLEXITY,
    "de-comienzos-a-tramos": SPANS,
    "hacia-donde-empuja-el-contraste": CONTRAST,
    "cuando-compensa-preentrenar": FEW,
}
