"""Una recompensa aprendida de preferencias: cuánto acierta, y qué pasa cuando se la persigue.

`python -m benchmarks asistente_recompensa --escribir` aprende a puntuar con las parejas de la fila
DPO de `asistente`; mide qué respuestas reservadas ordena bien, qué sale al quedarse con la mejor de
n y qué sale al reforzar el modelo con ella, con los pasos de GRPO de aquella tabla.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache
from statistics import mean

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from benchmarks.assistant import DPO, GRPO, N_PER_KIND, READING, SHIPPED_NAME, as_digits
from tfcourse.datasets.tasks.instructions import Instruction, is_right
from tfcourse.models.gpt import GPT
from tfcourse.text.assistant.losses import answer_log_probability
from tfcourse.text.assistant.metrics import refusals
from tfcourse.text.assistant.preferences import fresh_examples, preference_pairs
from tfcourse.text.assistant.recipe import held_out, load, template
from tfcourse.text.assistant.reinforcement import train_grpo
from tfcourse.text.assistant.reward_model import (
    RewardModel,
    RewardRecipe,
    as_reward,
    many_answers,
    ordered,
    scores,
    train_reward,
)
from tfcourse.text.assistant.writing import answers
from tfcourse.training import seed_everything

NAME = "asistente_recompensa"
REWARD = RewardRecipe(kinds=READING, n_prompts=DPO.n_prompts, copies=DPO.copies)
BEST_OF = (1, 2, 4, 8)


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "reward": asdict(REWARD),
        "n_per_kind": N_PER_KIND,
        "best_of": list(BEST_OF),
        "grpo": asdict(GRPO),
    }


@cache
def tests() -> list[Instruction]:
    """Las preguntas reservadas: las de leer y las que no constan."""
    return [example for example in held_out(N_PER_KIND) if example.kind in READING]


@cache
def learned(seed: int) -> tuple[RewardModel, int, float]:
    """La recompensa de una semilla, con cuántas parejas se aprendió y qué parte de ellas ordena."""
    model = load(SHIPPED_NAME)
    seed_everything(seed)
    examples = fresh_examples(REWARD.n_prompts, seed, kinds=REWARD.kinds)
    pairs = preference_pairs(model, examples, REWARD.copies, seed)
    reward = train_reward(model, REWARD, seed, pairs=pairs).model
    return reward, len(pairs), round(mean(ordered(reward, pairs)), 4)


@cache
def written(seed: int) -> list[list[str]]:
    """Respuestas sorteadas del asistente a cada pregunta reservada."""
    prompts = [example.prompt for example in tests()]
    return many_answers(load(SHIPPED_NAME), prompts, max(BEST_OF), seed)


def right(seed: int) -> Bool[Tensor, "Q N"]:
    """Cuáles de esas respuestas son correctas."""
    return torch.tensor(
        [
            [is_right(example, text) for text in own]
            for example, own in zip(tests(), written(seed), strict=True)
        ]
    )


@torch.no_grad()
def likelihoods(seed: int, batch_size: int = 64) -> Float[Tensor, "Q N"]:
    """El logaritmo de la probabilidad que el asistente da a cada respuesta: no aprende nada."""
    model, form = load(SHIPPED_NAME), template()
    turns = [
        (form.prompt(example.prompt), form.answer(text))
        for example, own in zip(tests(), written(seed), strict=True)
        for text in own
    ]
    found = [
        answer_log_probability(model, *form.turns(turns[start : start + batch_size]))
        for start in range(0, len(turns), batch_size)
    ]
    return torch.cat(found).view(len(tests()), -1)


def worth(seed: int) -> Float[Tensor, "Q N"]:
    """Lo que vale cada respuesta, según la recompensa aprendida."""
    told = written(seed)
    asked = [example.prompt for example in tests() for _ in told[0]]
    flat = [text for own in told for text in own]
    return scores(learned(seed)[0], asked, flat).view(len(tests()), -1)


def order(values: Float[Tensor, "Q N"], good: Bool[Tensor, "Q N"]) -> list[float | None]:
    """De cada pregunta, qué parte de sus parejas correcta e incorrecta ordena bien quien puntúa.

    Nada, si todas sus respuestas son correctas o no lo es ninguna.
    """
    return [
        None if hits.all() or not hits.any()
        else round(float((own[hits][:, None] > own[~hits]).float().mean()), 3)
        for own, hits in zip(values, good, strict=True)
    ]  # fmt: skip


def ordering(seed: int) -> dict:
    """Qué parejas ordena bien la recompensa, las suyas y las reservadas, y quien no aprende."""
    _, n_pairs, own = learned(seed)
    return {
        "part": "orden", "name": "aprendida", "seed": seed, "pairs": n_pairs, "own": own,
        "learned": order(worth(seed), right(seed)),
        "likelier": order(likelihoods(seed), right(seed)),
    }  # fmt: skip


def best_of(seed: int) -> Iterator[dict]:
    """Qué se acierta con la mejor de n respuestas, según cada cual, y lo que dice que vale."""
    values, good = {"learned": worth(seed), "likelier": likelihoods(seed)}, right(seed)
    for n in BEST_OF:
        picks = {name: some[:, :n].argmax(dim=1, keepdim=True) for name, some in values.items()}
        hits = {name: _digits(good.gather(1, best)[:, 0]) for name, best in picks.items()}
        best = values["learned"].gather(1, picks["learned"])
        yield {
            "part": "mejor de n", "name": str(n), "seed": seed,
            "reward": round(float(best.mean()), 3), **hits,
            "verifier": _digits(good[:, :n].any(dim=1)),
        }  # fmt: skip


def chase(seed: int) -> dict:
    """Refuerza el asistente con la recompensa aprendida y mide lo que responde."""
    model, reward = load(SHIPPED_NAME), learned(seed)[0]
    before = answered(model, reward)
    done = train_grpo(model, GRPO, seed, reward=as_reward(reward))
    curves = {term: [round(x, 3) for x in values] for term, values in done.history.terms.items()}
    row = {"part": "GRPO", "name": "aprendida", "seed": seed, "before": before["reward"]}
    return row | answered(done.model, reward) | {"curves": curves}


def answered(model: GPT, reward: RewardModel) -> dict:
    """Lo que un modelo acierta de cada clase, sus «No lo sé» y lo que vale, según la recompensa."""
    prompts = [example.prompt for example in tests()]
    told = answers(model, template(), prompts)
    return {
        "hits": as_digits(tests(), told),
        "refusals": list(refusals(tests(), told)),
        "reward": round(float(scores(reward, prompts, told).mean()), 3),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de cada semilla: el orden, la mejor de n y el refuerzo."""
    for seed in seeds:
        yield ordering(seed)
        yield from best_of(seed)
        yield chase(seed)


def _digits(hits: Bool[Tensor, "Q"]) -> str:
    return "".join(str(int(hit)) for hit in hits)
