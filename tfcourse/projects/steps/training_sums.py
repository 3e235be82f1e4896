"""Entrenar el modelo de juguete con las cuentas a la vista: gradiente, recorte y AdamW."""

import math

import torch
from torch import Tensor

BETAS, EPSILON, DECAY = (0.9, 0.99), 1e-8, 0.1


def toy_loss(weights: dict[str, Tensor], tokens: Tensor) -> Tensor:
    """La pérdida del modelo de juguete: la sorpresa media del token siguiente."""
    logits = weights["embedding"][tokens] @ weights["output"].T + weights["bias"]
    surprise = torch.logsumexp(logits[:, :-1], -1)
    return (surprise - logits[:, :-1].gather(-1, tokens[:, 1:, None])[..., 0]).mean()


def rate(step: int, steps: int, lr: float, warmup: int, flaw: str = "") -> float:
    """El ritmo de un paso: sube en línea recta y baja con un coseno hasta cero."""
    if step < warmup and flaw != "sin-calentar":
        return lr * (step if flaw == "desde-cero" else step + 1) / warmup
    if flaw == "sin-coseno":
        return lr
    start = 0 if flaw in ("sin-calentar", "coseno-entero") else warmup
    return lr * 0.5 * (1 + math.cos(math.pi * (step - start) / (steps - start)))


def toy_training(
    weights: dict[str, Tensor],
    batches: list[Tensor],
    lr: float,
    warmup: int,
    flaw: str = "",
    dtype: torch.dtype = torch.float64,
) -> dict[str, object]:
    """Lo que deja un entrenamiento: AdamW con recorte a 1 y decaimiento solo en las matrices."""
    values = {name: value.to(dtype) for name, value in weights.items()}
    moments = {name: (torch.zeros_like(v), torch.zeros_like(v)) for name, v in values.items()}
    kept = {name: torch.zeros_like(v) for name, v in values.items()}
    losses = []
    for step, tokens in enumerate(batches):
        leaves = {name: value.requires_grad_() for name, value in values.items()}
        loss = toy_loss(leaves, tokens)
        losses.append(loss.item())
        grads = dict(zip(leaves, torch.autograd.grad(loss, [*leaves.values()]), strict=True))
        if flaw == "acumula":
            grads = kept = {name: kept[name] + grads[name] for name in grads}
        size = math.sqrt(sum(g.square().sum().item() for g in grads.values()))
        factor = (2 if flaw == "recorta-a-dos" else 1) / (size + 1e-6)
        if flaw != "recorta-siempre":
            factor = 1.0 if flaw == "sin-recorte" else min(1.0, factor)
        if flaw == "acumula":
            kept = {name: g * factor for name, g in grads.items()}
        now = rate(step, len(batches), lr, warmup, flaw)
        for name, value in values.items():
            old = value.detach()
            grad = (
                (grads[name] * factor).clamp(-1, 1) if flaw == "por-valor" else grads[name] * factor
            )
            first, second = moments[name]
            first = BETAS[0] * first + (1 - BETAS[0]) * grad
            beta = 0.999 if flaw == "betas" else BETAS[1]
            second = beta * second + (1 - beta) * grad.square()
            moments[name] = first, second
            m, v = first / (1 - BETAS[0] ** (step + 1)), second / (1 - beta ** (step + 1))
            decays = value.ndim > 1 or flaw == "decae-todo"
            decay = DECAY if decays and flaw != "sin-decaer" else 0.0
            values[name] = old * (1 - now * decay) - now * m / (v.sqrt() + EPSILON)
    finished = {name: value.detach().float() for name, value in values.items()}
    return {
        "pérdidas": losses,
        "veces que se usa el modelo": len(batches),
        "modo mientras aprende": "evaluación" if flaw == "modo" else "aprendizaje",
        "modo al terminar": "aprendizaje" if flaw == "modo-final" else "evaluación",
        **finished,
    }
