"""Respuestas equivocadas de los ejercicios de VideoBERT."""

import torch

from tests.exercises.wrong_answers import Wrong

VISUAL_COUNTS = (
    Wrong("pisos-sumados", "se multiplican", lambda: (30, 30, 20, 0.125)),
    Wrong("todas-las-distancias", "la ya elegida", lambda: [1000, 1000, 20, 5 / 40]),
    Wrong("sin-especiales", "[>]", lambda: (1000, 30, 17, 0.125)),
    Wrong("fotogramas-por-tubos", "abarca tres", lambda: (1000, 30, 36, 0.125)),
    Wrong("azar-del-primero", "cinco puestos", lambda: (1000, 30, 20, 1 / 40)),
)


def owners(points, centers):
    return torch.cdist(points, centers).argmin(1)


def moved(points, centers, which, divide=True):
    table = (which[None] == torch.arange(len(centers))[:, None]).float()
    sums = table @ points
    return sums / table.sum(1, keepdim=True) if divide else sums


def forgets_the_empty_one(points, centers):
    return moved(points, centers, owners(points, centers))


def kept(points, centers, which, divide=True):
    """Los centros movidos; el que no tiene puntos se queda donde estaba."""
    there = torch.isin(torch.arange(len(centers)), which)
    return torch.where(there[:, None], moved(points, centers, which, divide), centers)


def only_adds(points, centers):
    return kept(points, centers, owners(points, centers), divide=False)


def by_product(points, centers):
    return kept(points, centers, torch.einsum("np,kp->nk", points, centers).max(1).indices)


def far_away(points, centers):
    return kept(points, centers, torch.cdist(points, centers).max(1).indices)


def by_one_axis(points, centers):
    return kept(points, centers, owners(points[:, :1], centers[:, :1]))


def takes_the_median(points, centers):
    which = owners(points, centers)
    groups = [points[which == k] for k in range(len(centers))]
    pairs = zip(groups, centers, strict=True)
    return torch.stack([g.median(0)[0] if g.numel() else c for g, c in pairs])


def jumps_to_a_point(points, centers):
    return torch.stack([points[(points - c).norm(dim=1).argmin()] for c in centers])


def by_the_sum(points, centers):
    gaps = points.sum(1, keepdim=True) - centers.sum(1)
    return moved(points, centers, gaps.abs().min(1).indices)


CLUSTERS = (
    Wrong("sin-tocar", "siguen los dos fallos", by_the_sum),
    Wrong("centro-vacio", "se queda donde estaba", forgets_the_empty_one),
    Wrong("suma", "entre cuántos son", only_adds),
    Wrong("mediana", "se pide la media", takes_the_median),
    Wrong("un-solo-eje", "las de todos", by_one_axis),
    Wrong("producto", "el más cercano", by_product),
    Wrong("el-mas-lejano", "el centro más lejano", far_away),
    Wrong("punto-mas-cercano", "la media de los suyos", jumps_to_a_point),
)


def down(points, groups, words, number=None, far=False):
    away = torch.cdist(points, groups)
    first = away.max(1).indices if far else away.min(1).indices
    second = (words[first] - points[:, None]).norm(dim=-1).min(1).indices
    return first * words.size(1) + second if number is None else number(first, second)


def among_all(points, groups, words):
    return torch.cdist(points, words.reshape(-1, words.size(-1))).min(1).indices


TREE = (
    Wrong("todas-las-palabras", "las del grupo", among_all),
    Wrong("numero-en-su-grupo", "el puesto dentro", lambda *x: down(*x, number=lambda a, b: b)),
    Wrong("solo-el-grupo", "el segundo piso", lambda *x: down(*x, number=lambda a, b: a)),
    Wrong(
        "por-columnas",
        "cambiando los pisos",
        lambda p, g, w: down(p, g, w, number=lambda a, b: b * len(g) + a),
    ),
    Wrong("el-grupo-mas-lejano", "más lejano", lambda *x: down(*x, far=True)),
)


def searches(scores, words, ahead=torch.ge, dim=1, share=torch.all, itself=0):
    """Las búsquedas que fallan y las que tienen otro clip igual."""
    away = 1 - torch.eye(len(scores))
    beaten = ahead(scores, scores.diagonal().unsqueeze(dim)) * away
    alike = share(words.unsqueeze(0) == words.unsqueeze(1), dim=2) * (away + itself)
    lost = beaten.sum(dim) > 0
    return lost.sum().item(), (lost * alike.sum(1) > 0).sum().item()


def only_the_first(scores, words):
    rivals = scores - 1e9 * torch.eye(len(scores))
    top = rivals.max(dim=1)
    lost = top.values >= scores.diagonal()
    alike = words.eq(words[top.indices]).all(dim=1)
    return lost.sum().item(), (lost & alike).sum().item()


FAILING = (
    Wrong("empates-acertados", "también es un fallo", lambda s, w: searches(s, w, ahead=torch.gt)),
    Wrong("por-columnas", "dentro de la fila", lambda s, w: searches(s, w, dim=0)),
    Wrong("consigo-mismo", "quita la diagonal", lambda s, w: searches(s, w, itself=1)),
    Wrong("alguna-palabra", "todas iguales", lambda s, w: searches(s, w, share=torch.any)),
    Wrong("solo-el-primero", "lo adelante un tercero", only_the_first),
)

WRONG = {
    "contar-en-videobert": VISUAL_COUNTS,
    "una-vuelta-de-k-medias": CLUSTERS,
    "palabra-del-arbol": TREE,
    "cuantas-palabras-visuales": FAILING,
}

EXAMPLES = {}
