"""Las cuentas de lo que CLIP aprende y de cómo se mide, de funciones sueltas.

Cada `flaw` es un error que se comete; sin ninguno, la cuenta buena.
"""

import torch
from torch import Tensor


def symmetric_loss(logits: Tensor, flaw: str = "") -> Tensor:
    """La sorpresa media de la pareja, por filas y por columnas."""
    own = logits.diagonal()
    rows, columns = (torch.logsumexp(logits, axis) - own for axis in (1, 0))
    if flaw == "filas":
        return rows.mean()
    if flaw == "columnas":
        return columns.mean()
    if flaw == "suma-de-sentidos":
        return (rows + columns).mean()
    if flaw == "suma":
        return (rows + columns).sum() / 2
    if flaw == "tabla-entera":
        return torch.logsumexp(logits.flatten(), 0) - own.mean()
    if flaw == "signo":
        return -(rows + columns).mean() / 2
    return (rows + columns).mean() / 2


def symmetric_gradient(logits: Tensor, flaw: str = "") -> Tensor:
    """La derivada de la pérdida respecto de cada logit."""
    rows, columns = logits.softmax(1), logits.softmax(0)
    if flaw == "columnas-traspuestas":
        columns = columns.T
    own = torch.eye(len(logits), dtype=logits.dtype)
    if flaw == "filas":
        return (rows - own) / len(logits)
    if flaw == "columnas":
        return (columns - own) / len(logits)
    if flaw == "resta-una":
        return (rows + columns - own) / (2 * len(logits))
    if flaw == "sin-restar":
        return (rows + columns) / (2 * len(logits))
    if flaw == "sin-dividir":
        return (rows + columns - 2 * own) / 2
    if flaw == "sin-mitad":
        return (rows + columns - 2 * own) / len(logits)
    if flaw == "signo":
        return (2 * own - rows - columns) / (2 * len(logits))
    return (rows + columns - 2 * own) / (2 * len(logits))


def sigmoid_loss(cosines: Tensor, scale: Tensor, bias: Tensor, flaw: str = "") -> Tensor:
    """La de SigLIP: en cada casilla, ¿van juntos?, entre las parejas que hay."""
    logits = scale * cosines + (0.0 if flaw == "sin-sesgo" else bias)
    if flaw == "sesgo-dentro":
        logits = scale * (cosines + bias)
    signs = 2 * torch.eye(len(logits), dtype=logits.dtype) - 1
    if flaw == "signo":
        signs = -signs
    if flaw == "desborda":
        return -(signs * logits).sigmoid().log().sum() / len(logits)
    doubt = (-signs * logits).clamp(min=0) + torch.log1p((-(signs * logits).abs()).exp())
    if flaw == "solo-las-parejas":
        return doubt.diagonal().mean()
    if flaw == "entre-casillas":
        return doubt.mean()
    if flaw == "suma":
        return doubt.sum()
    if flaw == "mitad-y-mitad":
        others = ~torch.eye(len(logits), dtype=torch.bool)
        return doubt.diagonal().mean() + doubt[others].mean()
    return doubt.sum() / len(logits)


def recall(scores: Tensor, k: int, flaw: str = "") -> tuple[float, float]:
    """Qué parte de las parejas queda entre las `k` primeras, por filas y por columnas."""
    found = []
    for table in (scores, scores.T):
        hits = 0
        for row, values in enumerate(table.tolist()):
            own = values[row]
            ahead = sum(v > own for v in values)
            ties = sum(v == own for v in values) - 1
            if flaw == "empate-delante":
                ties = 0
            if flaw == "empate-por-orden":
                ties = sum(v == own for v in values[:row])
            hits += ahead + ties + (flaw == "corrido") < k
        found.append(hits if flaw == "cuantas" else hits / len(scores))
    if flaw == "un-sentido":
        return found[0], found[0]
    return (found[1], found[0]) if flaw == "cruzados" else (found[0], found[1])


def class_vectors(vectors: Tensor, owners: Tensor, n_classes: int, flaw: str = "") -> Tensor:
    """El vector de cada clase: la dirección media de sus frases, todas de longitud 1."""
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    if flaw == "sin-normalizar-las-frases":
        unit = vectors
    found = []
    for kind in range(n_classes):
        own = unit[owners == kind]
        found.append(own[0] if flaw == "una-frase" else own.mean(0))
    if flaw == "a-partes-iguales":
        found = [part.mean(0) for part in unit.chunk(n_classes)]
    if flaw == "entre-todas":
        found = [unit[owners == kind].sum(0) / len(unit) for kind in range(n_classes)]
    means = torch.stack(found)
    bare = flaw in ("sin-normalizar-la-media", "entre-todas")
    return means if bare else means / means.norm(dim=-1, keepdim=True)


def toy_logits(w: dict[str, Tensor], images: Tensor, tokens: Tensor, lengths: Tensor) -> Tensor:
    """Los logits del CLIP de juguete con el que se prueba a quien aprende por trozos."""
    mask = torch.arange(tokens.shape[1]) < lengths[:, None]
    summary = (w["tokens"][tokens] * mask[..., None]).sum(1) / lengths[:, None]
    seen, said = images @ w["image"].T, summary @ w["text"].T
    unit = [x / x.norm(dim=-1, keepdim=True) for x in (seen, said)]
    return w["log_scale"].exp() * unit[0] @ unit[1].T


def lopsided_loss(logits: Tensor) -> Tensor:
    """La pérdida que se da a quien aprende por trozos: por filas pesa más que por columnas."""
    return 0.7 * symmetric_loss(logits, "filas") + 0.3 * symmetric_loss(logits, "columnas")


def chunked(
    weights: dict[str, Tensor], images: Tensor, tokens: Tensor, lengths: Tensor, size: int,
    flaw: str = "",
) -> dict[str, object]:  # fmt: skip
    """La pérdida de un lote y sus gradientes, sin leer con gradiente más de `size` a la vez."""
    leaves = {name: value.clone().requires_grad_() for name, value in weights.items()}
    n = len(images)
    places = [slice(i, i + size) for i in range(0, n, size)]
    parts = [
        lopsided_loss(toy_logits(leaves, images[own], tokens[own], lengths[own])) for own in places
    ]
    if flaw == "por-trozos":
        loss = sum(parts) / len(parts)
    elif flaw == "suma-de-trozos":
        loss = sum(parts)
    else:
        table = toy_logits(leaves, images, tokens, lengths)
        loss = lopsided_loss(table.T if flaw == "traspuesta" else table)
    grads = dict(zip(leaves, torch.autograd.grad(loss, [*leaves.values()]), strict=True))
    none = {
        "sin-textos": ("tokens", "text"), "sin-imagenes": ("image",), "sin-escala": ("log_scale",),
        "sin-gradientes": tuple(grads),
    }.get(flaw, ())  # fmt: skip
    for name in none:
        grads[name] = torch.zeros_like(grads[name])
    if flaw == "escala-de-mas":
        grads["log_scale"] = grads["log_scale"] * len(places)
    widest = n if flaw in ("de-una-vez", "relee-entero") else min(size, n)
    partly = flaw in ("por-trozos", "suma-de-trozos", "de-una-vez", "guarda-todo")
    return {
        "pérdida": loss.item(), "los que se leen con gradiente a la vez, como mucho": widest,
        "parejas leídas antes sin gradiente": 0 if partly else n,
        "la pérdida vuelve con gradiente": int(flaw == "con-gradiente"),
        **{f"gradiente de {name}": value for name, value in grads.items()},
    }  # fmt: skip
