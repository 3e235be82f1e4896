"""Entrenar el traductor de juguete con las cuentas a la vista: gradiente, recorte y Adam."""

import math

import torch
from torch import Tensor

from tfcourse.projects.steps.traductor.sums import masked_loss

BETAS, EPSILON = (0.9, 0.999), 1e-8


def toy_loss(weights: dict[str, Tensor], source: Tensor, target: Tensor, flaw: str = "") -> Tensor:
    """La pérdida del juguete con el forzado del profesor."""
    seen, wanted = target[:, :-1], target[:, 1:]
    if flaw == "sin-desplazar":
        seen = wanted = target
    read = weights["source"][source].mean(1, keepdim=True)
    logits = (weights["target"][seen] + read) @ weights["output"].T + weights["bias"]
    return masked_loss(logits, wanted)


def toy_training(
    weights: dict[str, Tensor],
    batches: list,
    lr: float,
    limit: float,
    flaw: str = "",
    dtype: torch.dtype = torch.float64,
) -> dict[str, object]:
    """Lo que deja un entrenamiento con Adam y con el gradiente recortado."""
    values = {name: value.to(dtype) for name, value in weights.items()}
    moments = {name: (torch.zeros_like(v), torch.zeros_like(v)) for name, v in values.items()}
    kept = {name: torch.zeros_like(v) for name, v in values.items()}
    losses, sizes = [], []
    for step, (source, target) in enumerate(batches, start=1):
        leaves = {name: value.requires_grad_() for name, value in values.items()}
        loss = toy_loss(leaves, source, target, flaw)
        losses.append(loss.item())
        found = torch.autograd.grad(loss, [*leaves.values()])
        grads = dict(zip(leaves, found, strict=True))
        if flaw == "acumula":
            grads = {name: kept[name] + grad for name, grad in grads.items()}
        size = math.sqrt(sum(grad.square().sum().item() for grad in grads.values()))
        factor = limit / (size + 1e-6)
        if flaw != "recorta-siempre":
            factor = 1.0 if flaw == "sin-recorte" else min(1.0, factor)
        kept = grads = {
            name: grad.clamp(-limit, limit) if flaw == "por-valor" else grad * factor
            for name, grad in grads.items()
        }
        sizes.append(size * factor if flaw == "tamaño-recortado" else size)
        for name, value in values.items():
            old, first, second = value.detach(), *moments[name]
            first = BETAS[0] * first + (1 - BETAS[0]) * grads[name]
            second = BETAS[1] * second + (1 - BETAS[1]) * grads[name].square()
            moments[name] = first, second
            m, v = first / (1 - BETAS[0] ** step), second / (1 - BETAS[1] ** step)
            plain = flaw == "sin-adam"
            values[name] = old - lr * (grads[name] if plain else m / (v.sqrt() + EPSILON))
    return {
        "pérdidas": losses, "tamaños del gradiente": sizes,
        "veces que se usa el modelo": len(batches),
        "tokens que lee cada vez": batches[0][1].shape[1] - (flaw != "sin-desplazar"),
        "modo mientras aprende": "evaluación" if flaw == "modo" else "aprendizaje",
        "modo al terminar": "aprendizaje" if flaw == "modo-final" else "evaluación",
        **{name: value.detach().float() for name, value in values.items()},
    }  # fmt: skip
