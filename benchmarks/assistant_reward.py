"""Una recompensa aprendida de preferencias: cuánto acierta, y qué pasa cuando se la persigue.

`python -m benchmarks asistente_recompensa --escribir` aprende a puntuar con parejas de respuestas
del asistente; mide qué parejas reservadas ordena bien, qué sale al quedarse con la mejor de n
respuestas y qué sale al reforzar el modelo con ella, con los pasos de la tabla `asistente`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache

import torch

from benchmarks.assistant import GRPO, READING, SHIPPED_NAME, measured
from tfcourse.datasets.tasks.instructions import Instruction
from tfcourse.text.assistant.losses import answer_log_probability
from tfcourse.text.assistant.preferences import (
    Preference,
    fresh_examples,
    preference_pairs,
    verified,
)
from tfcourse.text.assistant.recipe import held_out, load
from tfcourse.text.assistant.reinforcement import train_grpo
from tfcourse.text.assistant.reward_model import (
    RewardModel,
    RewardRecipe,
    as_reward,
    many_answers,
    ordered,
    ranked,
    scores,
    train_reward,
)
from tfcourse.training import seed_everything

NAME = "asistente_recompensa"
REWARD = RewardRecipe(kinds=READING)
N_PER_KIND, COPIES = 60, 6  # de cada clase se evalúan tantas instrucciones
BEST_OF = (1, 2, 4, 8, 16)


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "reward": asdict(REWARD),
        "n_per_kind": N_PER_KIND,
        "copies": COPIES,
        "best_of": list(BEST_OF),
        "grpo": asdict(GRPO),
    }


@cache
def tests() -> list[Instruction]:
    """Las preguntas reservadas: las de leer y las que no constan."""
    return [example for example in held_out(N_PER_KIND) if example.kind in READING]


@cache
def learned(seed: int) -> tuple[RewardModel, int]:
    """La recompensa de una semilla y con cuántas parejas se aprendió."""
    model = load(SHIPPED_NAME)
    seed_everything(seed)
    examples = fresh_examples(REWARD.n_prompts, seed, kinds=REWARD.kinds)
    pairs = preference_pairs(model, examples, REWARD.copies, seed)
    return train_reward(model, REWARD, seed, pairs=pairs).model, len(pairs)


@torch.no_grad()
def likelier(pairs: Sequence[Preference]) -> list[bool]:
    """Qué parejas ordena bien quien prefiere la respuesta que el asistente ve más probable."""
    model, batch = load(SHIPPED_NAME), ranked(pairs)
    chosen = answer_log_probability(model, *batch[:2])
    return (chosen > answer_log_probability(model, *batch[2:])).tolist()


def ordering(seed: int) -> dict:
    """Qué parejas reservadas ordena bien la recompensa, y sin aprender nada."""
    reward, n_pairs = learned(seed)
    seed_everything(100 + seed)
    pairs = preference_pairs(load(SHIPPED_NAME), tests(), COPIES, seed)
    found = {"learned": ordered(reward, pairs), "likelier": likelier(pairs)}
    told = {name: _digits(hits) for name, hits in found.items()}
    return {"part": "parejas", "name": "aprendida", "seed": seed, "pairs": n_pairs} | told


def best_of(seed: int) -> Iterator[dict]:
    """Qué se acierta con la mejor de n respuestas, según la recompensa y según el verificador."""
    reward, prompts = learned(seed)[0], [example.prompt for example in tests()]
    written = many_answers(load(SHIPPED_NAME), prompts, max(BEST_OF), seed)
    flat = [text for own in written for text in own]
    repeated = [prompt for prompt in prompts for _ in range(max(BEST_OF))]
    worth = scores(reward, repeated, flat).view(len(prompts), -1)
    right = torch.tensor([[verified(example, text) for text in own]
                          for example, own in zip(tests(), written, strict=True)])  # fmt: skip
    for n in BEST_OF:
        best = worth[:, :n].argmax(dim=1, keepdim=True)
        yield {
            "part": "mejor de n", "name": str(n), "seed": seed,
            "reward": round(float(worth.gather(1, best).mean()), 3),
            "learned": _digits(right.gather(1, best)[:, 0].tolist()),
            "verifier": _digits(right[:, :n].amax(dim=1).tolist()),
        }  # fmt: skip


def chase(seed: int) -> dict:
    """Refuerza el asistente con la recompensa aprendida y lo mide."""
    reward = as_reward(learned(seed)[0])
    done = train_grpo(load(SHIPPED_NAME), GRPO, seed, reward=reward)
    curves = {term: [round(x, 3) for x in values] for term, values in done.history.terms.items()}
    row = {"part": "GRPO", "name": "aprendida", "seed": seed}
    return row | measured(done.model) | {"curves": curves}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de cada semilla: las parejas, la mejor de n y el refuerzo."""
    for seed in seeds:
        yield ordering(seed)
        yield from best_of(seed)
        yield chase(seed)


def _digits(hits: Sequence[float]) -> str:
    return "".join(str(int(hit)) for hit in hits)
