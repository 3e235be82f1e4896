"""Respuestas equivocadas de los ejercicios de «Ver sin etiquetas»."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "castigar-lo-tapado": (
        [[[[0.0, 0.0], [1.0, -1.0]]], [[[5.0, 7.0], [3.0, 3.0]]], [[2, 7]], 1],
        [1.0],
    ),
    "un-paso-del-maestro": (
        [[[0.0, 0.0]], [[1.0, 3.0]], [1.0, 1.0]],
        [0.6931, [1.0, 1.2]],
    ),
    "fallos-del-alumno": (
        [[[[0.0, 0.0], [0.0, 0.0]]], [[[1.0, 0.0], [0.0, 2.0]]], [1.0], [0.0]],
        [0.6931, [0.25]],
    ),
}


def counted(lee, pinta, parejas, parejas_sin_tapar, numeros):
    return lambda: {
        "lee": lee, "pinta": pinta, "parejas": parejas, "parejas_sin_tapar": parejas_sin_tapar,
        "números": numeros,
    }  # fmt: skip


COVERED = (
    Wrong("al-reves", "y no los tapados", counted(148, 197, 21904, 38809, 37632)),
    Wrong("sin-el-de-clase", "falta el token de clase", counted(49, 196, 2401, 38416, 112896)),
    Wrong("parejas-de-uno", "son el cuadrado", counted(50, 197, 50, 197, 112896)),
    Wrong("toda-la-imagen", "los parches tapados", counted(50, 197, 2500, 38809, 150528)),
    Wrong("un-canal", "tres números", counted(50, 197, 2500, 38809, 37632)),
)


def said(de_la_media, media, informacion, por_igual):
    return lambda: {
        "de_la_media": de_la_media, "media": media, "información": informacion,
        "por_igual": por_igual, "a_uno": 0.0,
    }  # fmt: skip


LN = {n: math.log(n) for n in (3, 5, 15, 64)}
ENTROPIES = (
    Wrong("cambiadas", "has cambiado", said(LN[3], LN[15], LN[3] - LN[15], LN[64])),
    Wrong("en-bits", "son bits", said(math.log2(15), math.log2(3), math.log2(5), math.log2(64))),
    Wrong("todos-usados", "no se usan todos", said(LN[64], LN[3], LN[64] - LN[3], LN[64])),
    Wrong("sumadas", "es la diferencia", said(LN[15], LN[3], LN[15] + LN[3], LN[64])),
    Wrong("por-igual-a-cero", "lo que más entropía", said(LN[15], LN[3], LN[5], 0.0)),
)


def whitened(rows, over=1):
    centred = rows - rows.mean(-1, True)
    n = rows.shape[-1]
    return centred * ((centred.square().sum(-1, True) / (n - over) + 1e-6) ** -0.5)


def punished(target=whitened, ranks=lambda order, k: order >= k, mean=None, over=None):
    """`ranks` dice qué puestos del sorteo se castigan."""

    def masked_error(painted, patches, noise, n_kept):
        order = noise.argsort(1).argsort(1)
        chosen = ranks(order, n_kept)
        gap = F.mse_loss(painted, target(patches), reduction="none").mean(2)
        return torch.where(chosen, gap, 0.0).sum() / (over or torch.Tensor.sum)(chosen)

    return masked_error


HIDDEN = (
    Wrong("los-que-se-ven", "cuentan los tapados", punished(ranks=lambda order, k: order < k)),
    Wrong("todos", "castigado todos", punished(ranks=lambda order, k: order >= 0)),
    Wrong(
        "los-mayores", "y no los mayores",
        punished(ranks=lambda order, k: order < order.shape[1] - k),
    ),
    Wrong("entre-todos", "entre todos los parches", punished(over=torch.Tensor.numel)),
    Wrong("pixeles", "su media y su escala", punished(lambda rows: rows)),
    Wrong("sin-la-escala", "la desviación", punished(lambda rows: rows - rows.mean(-1, True))),
    Wrong("entre-p", "entre uno menos", punished(lambda rows: whitened(rows, 0))),
    Wrong("por-imagen", "se pide la media", punished(over=len)),
)  # fmt: skip


def one_step(told=lambda t, c: t - c, heats=(0.04, 0.1), seen=lambda s, c: s, keep=0.9,
             centre=lambda told, shares: told, sign=-1.0):  # fmt: skip
    """El paso, con `einsum`; `heats` son las temperaturas del maestro y del alumno."""

    def teacher_step(student, teacher, center):
        shares = F.softmax(told(teacher, center).div(heats[0]), dim=1)
        logs = F.log_softmax(seen(student, center).div(heats[1]), dim=1)
        loss = sign * torch.einsum("bk,bk->", shares, logs) / student.shape[0]
        return loss, torch.lerp(centre(teacher, shares).mean(0), center, keep)

    return teacher_step


STEP = (
    Wrong("sin-centrar", "falta restar el centro", one_step(lambda t, c: t)),
    Wrong("suma-el-centro", "no se suma", one_step(lambda t, c: t + c)),
    Wrong("temperaturas-cambiadas", "cambiado las temperaturas", one_step(heats=(0.1, 0.04))),
    Wrong("sin-afilar", "no con la del alumno", one_step(heats=(0.1, 0.1))),
    Wrong("centra-al-alumno", "al alumno no", one_step(seen=lambda s, c: s - c)),
    Wrong("centro-al-reves", "nueve décimas", one_step(keep=0.1)),
    Wrong("centro-del-reparto", "antes del softmax", one_step(centre=lambda told, shares: shares)),
    Wrong("sin-el-menos", "falta el signo", one_step(sign=1.0)),
)


def crossed(student, teacher):
    told = teacher.softmax(2)
    return -(told * student.log_softmax(2)).sum(2).mean()


def backwards(student, teacher):
    told = student.softmax(2)
    return -(told * teacher.log_softmax(2)).sum(2).mean()


def taught(loss=crossed, turned=True, keep=0.75):
    """Alumno y maestro con las piezas que se le den."""

    def pupil(student, teacher, weights, followed):
        told = teacher[:, [1, 0]] if turned else teacher
        return loss(student, told), torch.lerp(weights, followed, keep)

    return pupil


FAULTS = (
    Wrong("queda-vistas", "queda uno", taught(turned=False)),
    Wrong("queda-papeles", "queda uno", taught(backwards)),
    Wrong("queda-media", "queda uno", taught(keep=0.25)),
    Wrong("queda-vistas-papeles", "quedan dos", taught(backwards, turned=False)),
    Wrong("queda-vistas-media", "quedan dos", taught(turned=False, keep=0.25)),
    Wrong("queda-papeles-media", "quedan dos", taught(backwards, keep=0.25)),
    Wrong("queda-vistas-papeles-media", "los tres", taught(backwards, False, 0.25)),
)


def asking(table=None, weigh=lambda c: torch.exp(c / 0.07), sign=1, ask=None, right=True):
    """`table` da los parecidos, y `ask`, a cuántos se pregunta."""
    likeness = table or (lambda a, b: F.cosine_similarity(a[:, None], b[None], dim=2))

    def neighbour_hits(known, labels, asked, answers, k):
        hits = []
        for row, answer in zip(likeness(asked, known), answers, strict=True):
            order = torch.argsort(sign * row, descending=True)[: ask or k]
            votes = torch.zeros(int(labels.max()) + 1, dtype=row.dtype)
            votes.index_add_(0, labels[order], weigh(row[order]))
            hits.append(bool(votes.argmax() == answer) is right)
        return sum(hits) / len(hits)

    return neighbour_hits


NEIGHBOURS = (
    Wrong("sin-normalizar", "no es un coseno", asking(lambda a, b: a @ b.T, torch.ones_like)),
    Wrong("distancia", "depende de las longitudes", asking(lambda a, b: -torch.cdist(a, b))),
    Wrong("un-voto-cada-uno", "pesan lo mismo", asking(weigh=torch.ones_like)),
    Wrong("peso-del-coseno", "falta el exponencial", asking(weigh=lambda c: c)),
    Wrong("los-mas-lejanos", "menos parecidos", asking(sign=-1)),
    Wrong("solo-el-primero", "solo al más parecido", asking(ask=1)),
    Wrong("los-fallos", "contado los fallos", asking(right=False)),
)

WRONG = {
    "lo-que-no-se-lee": COVERED,
    "castigar-lo-tapado": HIDDEN,
    "dos-colapsos": ENTROPIES,
    "un-paso-del-maestro": STEP,
    "fallos-del-alumno": FAULTS,
    "rasgos-y-vecinos": NEIGHBOURS,
}
