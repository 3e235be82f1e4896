"""Aprender: la pérdida del token siguiente y el bucle que entrena."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_tokens, drawn_weights, steady, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.training_sums import toy_training


def loss(logits: Tensor, tokens: Tensor, flaw: str = "") -> Tensor:
    """Sorpresa media, en nats, de cada token dado lo anterior."""
    seen, wanted = logits[:, :-1], tokens[:, 1:]
    if flaw == "sin-desplazar":
        seen, wanted = logits, tokens
    elif flaw == "hacia-atras":
        seen, wanted = logits[:, 1:], tokens[:, :-1]
    elif flaw == "aplana-y-desplaza":  # el último de un texto predice el primero del siguiente
        seen, wanted = logits.flatten(0, 1)[None, :-1], tokens.flatten()[None, 1:]
    surprise = torch.logsumexp(seen, -1) - seen.gather(-1, wanted[..., None])[..., 0]
    if flaw == "suma":
        return surprise.sum()
    return surprise.sum(-1).mean() if flaw == "por-texto" else surprise.mean()


def _loss_case(batch: int, length: int, n_tokens: int, seed: int, factor: float = 1.0) -> Callable:
    def make() -> tuple:
        (logits,) = random_tensors((batch, length, n_tokens), seed=seed)
        return factor * logits, drawn_tokens(batch, length, n_tokens=n_tokens, seed=seed + 1)

    return make


LOSS = Step(
    Card(
        "gpt-perdida", "La pérdida", "codigo", 1, 15, 2,
        "enfrentar cada predicción con el token que viene después",
        (
            "Los logits de la posición i predicen el token i + 1: sobra el último logit y sobra el "
            "primer token.",
            "`F.cross_entropy` quiere (N, V) y (N,): aplana los dos ejes con `flatten(0, 1)`, "
            "después "
            "de desplazar.",
        ),
    ),
    Task(
        "next_token_loss",
        (
            Case("3 textos de 5 tokens", _loss_case(3, 5, 7, seed=80)),
            Case("logits de ±200: no se desborda", _loss_case(2, 4, 5, seed=82, factor=100.0)),
            Case("un texto de 2 tokens", _loss_case(1, 2, 4, seed=84)),
        ),
        lambda logits, tokens: loss(logits, tokens),
        (
            Mistake("sin-desplazar", "comparas cada predicción con el token que ya se ha leído: "
                    "los "
                    "logits de la posición i predicen el token i + 1",
                    with_flaw(loss, "sin-desplazar")),
            Mistake("hacia-atras", "desplazas hacia el otro lado: predices el token anterior",
                    with_flaw(loss, "hacia-atras")),
            Mistake("suma", "se pide la media de todas las predicciones del lote, y sumas",
                    with_flaw(loss, "suma", "por-texto")),
            Mistake("aplana-y-desplaza", "aplanas antes de desplazar, y el último token de un "
                    "texto "
                    "predice el primero del siguiente", with_flaw(loss, "aplana-y-desplaza")),
        ),
        tolerance=1e-4,
    ),
)  # fmt: skip


def _training_case(
    n_tokens: int, d_model: int, steps: int, lr: float, warmup: int, seed: int, *shown: str,
    scale: float = 3.0,
) -> Callable:  # fmt: skip
    def draw(seed: int) -> tuple:
        shapes = {"embedding": (n_tokens, d_model), "output": (n_tokens, d_model)}
        weights = drawn_weights(shapes | {"bias": (n_tokens,)}, seed)
        weights = {name: scale * value for name, value in weights.items()}
        # Todos los tokens salen en cada lote: con el gradiente en cero, AdamW divide cero entre ε.
        batches = []
        for step in range(steps):
            drawn = drawn_tokens(2, 4, n_tokens=n_tokens, seed=seed + 1 + step)
            row = torch.arange(n_tokens).repeat(2, 1)
            batches.append(torch.cat([row, drawn], dim=1))
        return weights, batches, lr, warmup

    return lambda: steady(draw, toy_training, seed, shown)


TRAINER = Step(
    Card(
        "gpt-entrenador", "El entrenador", "codigo", 3, 45, 5,
        "escribir un bucle de entrenamiento entero",
        (
            "Dos grupos de parámetros para AdamW: los de dos ejes o más, con `weight_decay=0.1`, "
            "y los "
            "demás, con 0. Las betas son (0.9, 0.99).",
            "En cada paso, por este orden: poner el ritmo, borrar gradientes, pérdida, `backward`, "
            "recorte y `step`.",
            "El ritmo del paso t, contado desde 0, es lr · (t + 1)/warmup si t < warmup y, "
            "después, "
            "lr · ½(1 + cos(π (t − warmup)/(T − warmup))), con T el número de lotes.",
        ),
    ),
    Task(
        "train",
        (
            Case("6 lotes y 2 pasos de calentamiento", _training_case(5, 4, 6, 0.1, 2, 90)),
            Case("4 lotes y 1 paso de calentamiento", _training_case(4, 6, 4, 0.03, 1, 120)),
            Case("6 lotes, y no en todos se recorta",
                    _training_case(5, 4, 6, 0.1, 2, 150, "recorta-siempre", "recorta-a-dos",
                                   scale=1.2)),
        ),
        lambda weights, batches, lr, warmup: toy_training(weights, batches, lr, warmup),
        (
            Mistake("acumula", "no borras los gradientes, y cada paso suma los de todos los "
                    "anteriores: "
                    "`optimizer.zero_grad()`", with_flaw(toy_training, "acumula")),
            Mistake("sin-recorte", "falta recortar el gradiente: `nn.utils.clip_grad_norm_(…, "
                    "1.0)`, "
                    "entre `backward` y `step`", with_flaw(toy_training, "sin-recorte")),
            Mistake("recorta-siempre", "cambias siempre el tamaño del gradiente: la norma es 1 "
                    "**como mucho**", with_flaw(toy_training, "recorta-siempre")),
            Mistake("recorta-a-dos", "recortas a otra norma: la del gradiente entero es 1 como "
                    "mucho", with_flaw(toy_training, "recorta-a-dos")),
            Mistake("calentamiento", "el ritmo no sube como se pide: en el paso t, contado desde "
                    "0, es "
                    "lr · (t + 1)/warmup", with_flaw(toy_training, "sin-calentar", "desde-cero")),
            Mistake("coseno", "tras el calentamiento, el ritmo baja con un coseno que empieza en "
                    "el "
                    "paso `warmup` y acabaría en 0 en el paso T",
                    with_flaw(toy_training, "sin-coseno", "coseno-entero")),
            Mistake("decaimiento", "el decaimiento es 0,1, y solo en las matrices: los vectores no "
                    "decaen", with_flaw(toy_training, "decae-todo", "sin-decaer")),
            Mistake("betas", "las betas de AdamW son (0.9, 0.99), no las que trae por omisión",
                    with_flaw(toy_training, "betas")),
            Mistake("modo", "entrena con el modelo en modo de aprendizaje, `model.train()`",
                    with_flaw(toy_training, "modo")),
            Mistake("modo-final", "al terminar, deja el modelo en modo de evaluación, "
                    "`model.eval()`",
                    with_flaw(toy_training, "modo-final")),
        ),
        tolerance=1e-4, differentiable=False,
    ),
    driver="entrenador", needs=(LOSS,),
)  # fmt: skip
