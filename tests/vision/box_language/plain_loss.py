"""La pérdida de cualquier modelo de lenguaje, para compararla con la de escribir cajas."""

import torch.nn.functional as F


def plain_cross_entropy(logits, targets, weights):
    """La de siempre, en las palabras que cuentan."""
    losses = F.cross_entropy(logits.flatten(0, -2), targets.flatten(), reduction="none")
    return float(losses[weights.flatten() > 0].mean().detach())
