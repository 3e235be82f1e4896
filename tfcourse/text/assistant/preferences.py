"""Preferencias: parejas de respuestas a lo mismo, una mejor que otra, y DPO con ellas."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.tasks.instructions import KINDS, Instruction, endless, is_right
from tfcourse.models.gpt import GPT
from tfcourse.text.assistant.losses import answer_log_probability, dpo_loss
from tfcourse.text.assistant.recipe import frozen_copy, template
from tfcourse.text.assistant.writing import write
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle

Reward = Callable[[Instruction, str], float]


@dataclass(frozen=True)
class DPORecipe:
    """Cómo se ajusta con preferencias: pasos, parejas por lote, ritmo de Adam y β.

    De cada una de `n_prompts` instrucciones, de las clases `kinds`, se sortean `copies` respuestas.
    """

    steps: int = 60
    batch_size: int = 16
    rate: float = 1e-4
    beta: float = 0.1
    n_prompts: int = 400
    copies: int = 6
    kinds: tuple[str, ...] = KINDS


class Preference(NamedTuple):
    """Una instrucción, la respuesta preferida y la descartada, en números."""

    prompt: list[int]
    chosen: list[int]
    rejected: list[int]


class PairBatch(NamedTuple):
    """Un lote de preferencias, con lo que da a cada respuesta el modelo de referencia."""

    chosen: Int[Tensor, "B L"]
    chosen_answer: Bool[Tensor, "B L"]
    rejected: Int[Tensor, "B L2"]
    rejected_answer: Bool[Tensor, "B L2"]
    reference_chosen: Float[Tensor, "B"]
    reference_rejected: Float[Tensor, "B"]


def verified(example: Instruction, written: str) -> float:
    """La recompensa del verificador: 1 si la respuesta es la buena y 0 si no."""
    return float(is_right(example, written))


def fresh_examples(n: int, seed: int, **options) -> list[Instruction]:
    """Instrucciones con palabras que no se vieron en SFT ni se usan para evaluar."""
    stream = endless(seed, "preferir", **options)
    return [next(stream) for _ in range(n)]


def preference_pairs(
    model: GPT, examples: Sequence[Instruction], copies: int, seed: int, reward: Reward = verified
) -> list[Preference]:
    """De cada instrucción, dos respuestas del propio modelo que la recompensa distingue.

    Se sortean `copies` y se toman al azar una de las mejores y una de las peores; si todas valen lo
    mismo, esa instrucción no da pareja.
    """
    form, rng = template(), random.Random(seed)
    prompts = [form.prompt(example.prompt) for example in examples]
    written = write(model, prompts, form.end_id, copies=copies, temperature=1.0)
    pairs = []
    for place, (example, prompt) in enumerate(zip(examples, prompts, strict=True)):
        some = written[copies * place : copies * (place + 1)]
        worth = [reward(example, form.read(ids)) for ids in some]
        if max(worth) > min(worth):
            best, worst = (
                rng.choice([ids for ids, value in zip(some, worth, strict=True) if value == end])
                for end in (max(worth), min(worth))
            )
            pairs.append(Preference(prompt, best, worst))
    return pairs


@torch.no_grad()
def pair_batches(
    pairs: Sequence[Preference], reference: nn.Module, batch_size: int, seed: int
) -> Iterator[PairBatch]:
    """Lotes sin fin de preferencias. Errores: `ValueError` si no hay ninguna."""
    if not pairs:
        raise ValueError("no hay parejas: el modelo acierta siempre, o nunca")
    form, rng = template(), random.Random(seed)
    device = next(reference.parameters()).device
    while True:
        some = [rng.choice(pairs) for _ in range(batch_size)]
        sides = [form.turns([(p.prompt, told) for p, told in zip(some, side, strict=True)])
                 for side in zip(*((p.chosen, p.rejected) for p in some), strict=True)]  # fmt: skip
        known = [
            answer_log_probability(reference, *(tensor.to(device) for tensor in side)).cpu()
            for side in sides
        ]
        yield PairBatch(*sides[0], *sides[1], *known)


class DPOLoss:
    """La pérdida de DPO de un lote de preferencias.

    Da aparte cuánto ha subido el logaritmo de la probabilidad de las preferidas y de las
    descartadas desde el modelo de referencia.
    """

    def __init__(self, beta: float):
        self.beta = beta

    def __call__(
        self, model: nn.Module, batch: PairBatch
    ) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
        """La pérdida y sus términos."""
        chosen = answer_log_probability(model, batch.chosen, batch.chosen_answer)
        rejected = answer_log_probability(model, batch.rejected, batch.rejected_answer)
        known = batch.reference_chosen, batch.reference_rejected
        risen = {
            "preferidas": (chosen - known[0]).mean().detach(),
            "descartadas": (rejected - known[1]).mean().detach(),
        }
        return dpo_loss(chosen, rejected, *known, self.beta), risen


def train_dpo(
    model: GPT, recipe: DPORecipe, seed: int, budget: Budget | None = None,
    pairs: Sequence[Preference] | None = None,
) -> Trained:  # fmt: skip
    """Ajusta `model` con DPO, desde donde está; sin `pairs`, con parejas suyas y el verificador."""
    seed_everything(seed)
    reference = frozen_copy(model)
    examples = fresh_examples(recipe.n_prompts, seed, kinds=recipe.kinds)
    if pairs is None:
        pairs = preference_pairs(model, examples, recipe.copies, seed)
    stream = pair_batches(pairs, reference, recipe.batch_size, seed)
    budget = budget or Steps(recipe.steps)
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=0.0)
    history = fit(
        model, stream, DPOLoss(recipe.beta), budget=budget, optimizer=optimizer,
        schedule=cycle(budget),
    )  # fmt: skip
    return Trained(model, recipe, history)
