"""GRPO: se sortean varias respuestas a lo mismo y se refuerzan las mejores de cada grupo."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.tasks.instructions import KINDS, UNKNOWN, Instruction, is_right, tidy
from tfcourse.models.gpt import GPT
from tfcourse.text.assistant.losses import (
    group_advantages,
    grpo_loss,
    kl_estimate,
    token_log_probabilities,
)
from tfcourse.text.assistant.preferences import Reward, fresh_examples, verified
from tfcourse.text.assistant.recipe import frozen_copy, template
from tfcourse.text.assistant.writing import write
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle


@dataclass(frozen=True)
class GRPORecipe:
    """Cómo se refuerza: pasos, instrucciones por lote, respuestas por grupo, ritmo y β.

    `kinds` son las clases de instrucciones con que se entrena.
    """

    steps: int = 40
    batch_size: int = 8
    group: int = 8
    rate: float = 2e-4
    beta: float = 0.04
    kinds: tuple[str, ...] = KINDS
    n_prompts: int = 2000


def grounded(example: Instruction, written: str) -> float:
    """Una recompensa que parece razonable: responde algo, y con palabras de la instrucción.

    Quien la escribió quería respuestas que no se inventen nada; «No lo sé» no le sirve.
    """
    asked = {tidy(word.strip("¿?.,:")) for word in example.prompt.split()}
    words = tidy(written).split()
    return float(bool(words) and tidy(written) != tidy(UNKNOWN) and asked.issuperset(words))


class GroupLoss:
    """La pérdida de GRPO de un lote: escribe los grupos con el modelo de ahora y los puntúa.

    Cada respuesta se usa una vez, así que ρ = 1 y el recorte no llega a actuar; su gradiente es el
    del modelo que la escribió. Da aparte la recompensa media, el acierto y la divergencia.
    """

    def __init__(
        self, examples: Sequence[Instruction], reference: nn.Module, recipe: GRPORecipe,
        reward: Reward,
    ):  # fmt: skip
        self.examples, self.reference = examples, reference
        self.recipe, self.reward = recipe, reward

    def __call__(
        self, model: GPT, batch: tuple[Int[Tensor, "B"]]
    ) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
        """La pérdida y sus términos; el lote dice qué instrucciones tocan."""
        some = [self.examples[place] for place in batch[0].tolist()]
        device = model.embedding.weight.device
        tokens, answer, rewards, right = self.groups(model, some)
        tokens, answer, rewards = tokens.to(device), answer.to(device), rewards.to(device)
        now = token_log_probabilities(model, tokens)
        with torch.no_grad():
            known = token_log_probabilities(self.reference.to(device), tokens)
        advantage = group_advantages(rewards).flatten()
        loss = grpo_loss(now, now.detach(), known, advantage, answer[:, 1:], beta=self.recipe.beta)
        apart = kl_estimate(now.detach(), known)[answer[:, 1:]].mean()
        return loss, {"recompensa": rewards.mean(), "acierto": right, "divergencia": apart}

    def groups(self, model: GPT, some: Sequence[Instruction]) -> tuple:
        """Los grupos de respuestas, en un lote, y lo que vale cada una; y qué parte es correcta."""
        form, size = template(), self.recipe.group
        prompts = [form.prompt(example.prompt) for example in some]
        written = write(model, prompts, form.end_id, copies=size, temperature=1.0)
        asked = [prompt for prompt in prompts for _ in range(size)]
        told = [form.read(ids) for ids in written]
        owners = [example for example in some for _ in range(size)]
        rewards = torch.tensor([self.reward(e, t) for e, t in zip(owners, told, strict=True)])
        right = torch.tensor([float(is_right(e, t)) for e, t in zip(owners, told, strict=True)])
        turns = form.turns(list(zip(asked, written, strict=True)))
        return *turns, rewards.view(len(some), size), right.mean()


def prompt_batches(n: int, batch_size: int, seed: int) -> Iterator[tuple[Int[Tensor, "B"]]]:
    """Lotes sin fin de instrucciones, por su número."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield (torch.randint(n, (batch_size,), generator=generator),)


def train_grpo(
    model: GPT, recipe: GRPORecipe, seed: int, budget: Budget | None = None,
    reward: Reward = verified,
) -> Trained:  # fmt: skip
    """Refuerza `model` desde donde está, con palabras que no vio en SFT."""
    seed_everything(seed)
    examples = fresh_examples(recipe.n_prompts, seed, kinds=recipe.kinds)
    loss = GroupLoss(examples, frozen_copy(model), recipe, reward)
    budget = budget or Steps(recipe.steps)
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=0.0)
    history = fit(
        model, prompt_batches(len(examples), recipe.batch_size, seed), loss, budget=budget,
        optimizer=optimizer, schedule=cycle(budget),
    )  # fmt: skip
    return Trained(model, recipe, history)
