"""Una recompensa aprendida: un modelo que puntúa respuestas, entrenado solo con preferencias."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.tasks.instructions import KINDS, Instruction
from tfcourse.models.gpt import GPT
from tfcourse.text.assistant.losses import preference_loss
from tfcourse.text.assistant.preferences import Preference, fresh_examples, preference_pairs
from tfcourse.text.assistant.recipe import frozen_copy, template
from tfcourse.text.assistant.writing import write
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle


@dataclass(frozen=True)
class RewardRecipe:
    """Cómo se aprende a puntuar: pasos, parejas por lote y ritmo de Adam.

    De cada una de `n_prompts` instrucciones, de las clases `kinds`, se sortean `copies` respuestas.
    """

    steps: int = 60
    batch_size: int = 16
    rate: float = 3e-4  # el mejor de 1e-4 y 3e-4 en validación
    n_prompts: int = 600
    copies: int = 6
    kinds: tuple[str, ...] = KINDS


class RewardModel(nn.Module):
    """Modelo de recompensa: un GPT y, del vector de la última marca, un número.

    Parte de los pesos del modelo que responde, y la fila que da el número empieza en cero.
    Fuente: Ouyang et al. (2022), § 3.5.
    """

    def __init__(self, model: GPT):
        super().__init__()
        self.model = frozen_copy(model).requires_grad_(True)
        self.value = nn.Linear(model.config.d_model, 1).to(model.embedding.weight)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(
        self, tokens: Int[Tensor, "B L"], answer: Bool[Tensor, "B L"]
    ) -> Float[Tensor, "B"]:
        """La recompensa de cada respuesta, leída donde acaba."""
        last = torch.where(answer, torch.arange(tokens.shape[1], device=tokens.device), 0).amax(1)
        rows = torch.arange(len(tokens), device=tokens.device)
        return self.value(self.model.states(tokens)[rows, last])[:, 0]


class RankedBatch(NamedTuple):
    """Un lote de preferencias, sin nada más que las dos respuestas."""

    chosen: Int[Tensor, "B L"]
    chosen_answer: Bool[Tensor, "B L"]
    rejected: Int[Tensor, "B L2"]
    rejected_answer: Bool[Tensor, "B L2"]


def ranked(pairs: Sequence[Preference]) -> RankedBatch:
    """Unas preferencias, en un lote."""
    form = template()
    chosen = form.turns([(pair.prompt, pair.chosen) for pair in pairs])
    return RankedBatch(*chosen, *form.turns([(pair.prompt, pair.rejected) for pair in pairs]))


def ranked_batches(
    pairs: Sequence[Preference], batch_size: int, seed: int
) -> Iterator[RankedBatch]:
    """Lotes sin fin de preferencias. Errores: `ValueError` si no hay ninguna."""
    if not pairs:
        raise ValueError("no hay parejas: el modelo acierta siempre, o nunca")
    rng = random.Random(seed)
    while True:
        yield ranked([rng.choice(pairs) for _ in range(batch_size)])


def ranking_loss(model: RewardModel, batch: RankedBatch) -> Float[Tensor, ""]:
    """La pérdida de Bradley–Terry de un lote."""
    return preference_loss(
        model(batch.chosen, batch.chosen_answer), model(batch.rejected, batch.rejected_answer)
    )


def train_reward(
    model: GPT, recipe: RewardRecipe, seed: int, budget: Budget | None = None,
    pairs: Sequence[Preference] | None = None,
) -> Trained:  # fmt: skip
    """Aprende a puntuar lo que responde `model`; sin `pairs`, con parejas suyas y el verificador.

    `model` no cambia.
    """
    seed_everything(seed)
    examples = fresh_examples(recipe.n_prompts, seed, kinds=recipe.kinds)
    if pairs is None:
        pairs = preference_pairs(model, examples, recipe.copies, seed)
    reward, budget = RewardModel(model), budget or Steps(recipe.steps)
    optimizer = torch.optim.AdamW(reward.parameters(), lr=recipe.rate, weight_decay=0.0)
    history = fit(
        reward, ranked_batches(pairs, recipe.batch_size, seed), ranking_loss, budget=budget,
        optimizer=optimizer, schedule=cycle(budget),
    )  # fmt: skip
    return Trained(reward, recipe, history)


@torch.no_grad()
def scores(
    model: RewardModel, prompts: Sequence[str], written: Sequence[str], batch_size: int = 64
) -> Float[Tensor, "B"]:
    """La recompensa de cada respuesta, en texto, a su instrucción."""
    form, device = template(), model.value.weight.device
    turns = [
        (form.prompt(asked), form.answer(told))
        for asked, told in zip(prompts, written, strict=True)
    ]
    found = []
    for start in range(0, len(turns), batch_size):
        tokens, answer = form.turns(turns[start : start + batch_size])
        found.append(model(tokens.to(device), answer.to(device)).cpu())
    return torch.cat(found)


def as_reward(model: RewardModel) -> Callable[[Instruction, str], float]:
    """La recompensa aprendida, con la forma de las escritas a mano."""
    return lambda example, written: float(scores(model, [example.prompt], [written]))


@torch.no_grad()
def ordered(model: RewardModel, pairs: Sequence[Preference]) -> list[bool]:
    """Qué parejas ordena bien: si puntúa más alta la preferida."""
    batch = ranked(pairs)
    chosen = model(batch.chosen, batch.chosen_answer)
    rejected = model(batch.rejected, batch.rejected_answer)
    return (chosen > rejected).tolist()


def many_answers(
    model: GPT, prompts: Sequence[str], n: int, seed: int, at_once: int = 8
) -> list[list[str]]:
    """`n` respuestas sorteadas a cada instrucción, escritas de pocas en pocas."""
    form, generator = template(), torch.Generator().manual_seed(seed)
    asked, found = [form.prompt(text) for text in prompts], [[] for _ in prompts]
    while len(found[0]) < n:
        copies = min(at_once, n - len(found[0]))
        written = write(
            model, asked, form.end_id, copies=copies, temperature=1.0, generator=generator
        )
        for place, own in enumerate(found):
            own += [form.read(ids) for ids in written[copies * place : copies * (place + 1)]]
    return found
