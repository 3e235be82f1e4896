"""Las cuentas de las cajas, de las parejas y de la pérdida de conjunto, caso a caso.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import itertools

import torch
from torch import Tensor

CORNERS, CENTER = "esquinas", "centro"
NO_OBJECT = 0.1


def convert(boxes: Tensor, to: str, flaw: str = "") -> Tensor:
    """De centro y tamaño a esquinas, o al revés."""
    if flaw == "siempre-a-esquinas":
        to = CORNERS
    a, b, c, d = boxes.unbind(-1)
    if to == CORNERS:
        half = 1.0 if flaw == "sin-mitad" else 0.5
        if flaw == "desde-la-esquina":
            return torch.stack([a, b, a + c, b + d], -1)
        parts = [a - half * c, b - half * d, a + half * c, b + half * d]
        order = (0, 2, 1, 3) if flaw == "intercaladas" else (0, 1, 2, 3)
        return torch.stack([parts[n] for n in order], -1)
    if flaw == "intercaladas":
        b, c = c, b
    if flaw == "desde-la-esquina":
        return torch.stack([a, b, c - a, d - b], -1)
    half = 1.0 if flaw == "sin-mitad" else 0.5
    return torch.stack([half * (a + c), half * (b + d), c - a, d - b], -1)


def giou(first: Tensor, second: Tensor, flaw: str = "") -> tuple[Tensor, Tensor]:
    """IoU y GIoU de cada caja con cada otra, por sus esquinas."""
    (x1, y1, x2, y2), (u1, v1, u2, v2) = first.unbind(-1), second.unbind(-1)
    if flaw != "una-a-una":
        x1, y1, x2, y2 = (value[..., :, None] for value in (x1, y1, x2, y2))
        u1, v1, u2, v2 = (value[..., None, :] for value in (u1, v1, u2, v2))
    wide = torch.minimum(x2, u2) - torch.maximum(x1, u1)
    high = torch.minimum(y2, v2) - torch.maximum(y1, v1)
    inner = wide * high if flaw == "sin-cortar" else wide.clamp(min=0) * high.clamp(min=0)
    both = (x2 - x1) * (y2 - y1) + (u2 - u1) * (v2 - v1)
    union = both if flaw == "union-doble" else both - inner
    outer = (torch.maximum(x2, u2) - torch.minimum(x1, u1)) * (
        torch.maximum(y2, v2) - torch.minimum(y1, v1)
    )
    iou = inner / union.clamp(min=1e-9)
    lost = (outer - union) / (union if flaw == "entre-la-union" else outer).clamp(min=1e-9)
    if flaw == "hueco-entero":
        lost = (outer - inner) / outer.clamp(min=1e-9)
    return iou, iou + lost if flaw == "suma" else iou if flaw == "solo-iou" else iou - lost


def costs(
    logits: Tensor, boxes: Tensor, true_classes: Tensor, true_boxes: Tensor, flaw: str = ""
) -> Tensor:
    """El coste de dar a cada predicción cada objeto, pareja a pareja."""
    if flaw == "sin-nada-en-el-softmax":
        odds = logits[..., :-1].softmax(-1)
    else:
        odds = {
            "logits": logits, "logaritmo": logits.log_softmax(-1), "sigmoide": logits.sigmoid(),
        }.get(flaw, logits.softmax(-1))  # fmt: skip
    l1, overlap = (2.0, 5.0) if flaw == "pesos-cambiados" else (5.0, 2.0)
    if flaw == "sin-pesos":
        l1 = overlap = 1.0
    images = []
    for b in range(len(boxes)):
        likely = torch.stack([odds[b, :, k] for k in true_classes[b].tolist()], -1)
        apart = boxes[b, :, None] - true_boxes[b, None]
        apart = {"media": apart.abs().mean(-1), "euclidea": apart.square().sum(-1).sqrt()}.get(
            flaw, apart.abs().sum(-1)
        )
        own, true = convert(boxes[b], CORNERS), convert(true_boxes[b], CORNERS)
        alike = giou(own, true)[0 if flaw == "iou" else 1]
        if flaw == "sin-esquinas":
            alike = giou(boxes[b], true_boxes[b])[1]
        if flaw == "clase-suma":
            likely = -likely
        if flaw == "giou-suma":
            alike = -alike
        images.append(l1 * apart - likely - overlap * alike)
    table = torch.stack(images)
    return table.transpose(1, 2) if flaw == "objetos-por-filas" else table


def match(table: Tensor, counts: Tensor, flaw: str = "") -> Tensor:
    """Qué predicción responde de cada objeto, probando todas las maneras; −1, de ninguno."""
    sign = -1 if flaw == "maximiza" else 1
    found = []
    for costs, count in zip(table.tolist(), counts.tolist(), strict=True):
        size = len(costs[0])
        n = size if flaw == "cuenta-el-relleno" else count
        options = itertools.permutations(range(len(costs)), n)
        if flaw in ("repite", "voraz"):
            chosen = _greedy(costs, n, again=flaw == "repite")
        else:
            chosen = min(options, key=lambda rows: sign * _total(costs, rows))
        fill = 0 if flaw == "relleno-a-cero" else -1
        found.append([*chosen] + [fill] * (size - n))
    return torch.tensor(found, dtype=torch.long).reshape(len(table), -1)


def _total(costs: list[list[float]], rows: tuple[int, ...]) -> float:
    return sum(costs[r][m] for m, r in enumerate(rows))


def _greedy(costs: list[list[float]], n: int, *, again: bool) -> list[int]:
    """La predicción más barata de cada objeto, por orden; sin repetir, si no `again`."""
    chosen: list[int] = []
    for m in range(n):
        free = [r for r in range(len(costs)) if again or r not in chosen]
        chosen.append(min(free, key=lambda r: costs[r][m]))
    return chosen


def set_loss(
    logits: Tensor, boxes: Tensor, true_classes: Tensor, true_boxes: Tensor, counts: Tensor,
    flaw: str = "",
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Los tres términos de la pérdida, consulta a consulta."""
    with torch.no_grad():
        if flaw == "en-su-orden":
            places = torch.arange(true_classes.shape[1]).repeat(len(boxes), 1)
            matched = places.where(places < counts[:, None], -1)
        else:
            matched = match(costs(logits, boxes, true_classes, true_boxes), counts)
    nothing = 0 if flaw == "nada-es-la-cero" else logits.shape[-1] - 1
    surprise, weight, l1, shape = [], [], [], []
    for b in range(len(boxes)):
        wanted = [nothing] * boxes.shape[1]
        for m, query in enumerate(matched[b].tolist()):
            if query < 0:
                continue
            wanted[query] = int(true_classes[b, m])
            apart = (boxes[b, query] - true_boxes[b, m]).abs()
            l1.append(apart.mean() if flaw == "media-de-cuatro" else apart.sum())
            own, true = (convert(x[None], CORNERS) for x in (boxes[b, query], true_boxes[b, m]))
            alike = giou(own, true)[1][0, 0]
            shape.append(alike if flaw == "giou-al-reves" else 1 - alike)
        kept = range(boxes.shape[1])
        if flaw == "solo-emparejadas":
            kept = [q for q in kept if wanted[q] != nothing]
        for query in kept:
            logs = logits[b, query].log_softmax(-1)
            surprise.append(-logs[wanted[query]])
            light = wanted[query] == nothing and flaw != "nada-pesa-igual"
            weight.append(NO_OBJECT if light else 1.0)
    total = 0 * logits.sum() + sum(w * s for w, s in zip(weight, surprise, strict=True))
    divisor = len(weight) if flaw == "entre-consultas" else sum(weight)
    n = max(1, len(l1))
    if flaw == "cajas-por-imagen":
        n = len(boxes)
    zero = 0 * boxes.sum()
    return total / divisor, (zero + sum(l1)) / n, (zero + sum(shape)) / n
