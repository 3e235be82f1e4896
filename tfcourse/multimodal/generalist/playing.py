"""Usar un Gato: escribir una respuesta detrás de una fila, y jugar paso a paso."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from tfcourse.datasets.agents.control import CONTROL, Episode, open_env
from tfcourse.datasets.agents.generalist import LENGTH, SPACE
from tfcourse.models.gato import Gato, allowed_only
from tfcourse.tokenizers.token_rows import TokenBatch, TokenRow, collate
from tfcourse.training.batches import moved

AT_ONCE = 250  # filas que se escriben a la vez, para que quepan sus cachés
KEPT_STEPS = 2  # cuántos pasos se recuerdan al empezar una ventana nueva


@torch.no_grad()
def write(model: Gato, rows: Sequence[TokenRow], most: int = 10) -> list[list[str]]:
    """Las palabras que el modelo pone detrás de cada fila, la más probable cada vez.

    Se leen juntas las filas de la misma longitud, unas pocas cada vez; cada una acaba en la marca
    de fin o a las `most`.
    """
    model.eval()
    device = model.table.weight.device
    by_length = defaultdict(list)
    for i, row in enumerate(rows):
        by_length[len(row)].append(i)
    written: list[list[str]] = [[] for _ in rows]
    words = torch.arange(len(SPACE.words), device=device)
    groups = (g[i : i + AT_ONCE] for g in by_length.values() for i in range(0, len(g), AT_ONCE))
    for group in groups:
        cache, chosen = model.cache(), []
        batch = moved(collate([rows[i] for i in group]), device)
        for _ in range(most):
            word = allowed_only(model.logits(model.states(batch, cache)[:, -1]), words)
            chosen.append(word)
            place = batch.places[:, -1:] + 1
            batch = _only_ids(word[:, None], place)
        for i, ids in zip(group, torch.stack(chosen, dim=1).tolist(), strict=True):
            written[i] = SPACE.words.decode(ids)
    return written


@torch.no_grad()
def play_with(
    model: Gato,
    task: str,
    seeds: Sequence[int],
    prompts: Sequence[TokenRow],
    goals: Sequence[str],
    world: Mapping[str, float] | None = None,
) -> list[Episode]:
    """Juega varios episodios a la vez, cada uno detrás de su demostración.

    Cuando la ventana se llena, se empieza otra con la demostración y los últimos pasos.
    """
    model.eval()
    envs, seen = zip(*(open_env(task, seed, world) for seed in seeds), strict=True)
    rules, n = CONTROL[task], len(seeds)
    device = model.table.weight.device
    allowed = len(SPACE.words) + torch.arange(rules.choices, device=device)
    logs: list[dict] = [{"seen": [], "bins": [], "score": 0.0} for _ in seeds]
    alive, seen, cache, pending = [True] * n, list(seen), None, None
    while any(alive):
        rows = [SPACE.observation(torch.tensor(s)) for s in seen]
        if cache is None or cache.length + rules.per_step > LENGTH:
            cache, pending = model.cache(), None
            rows = [
                prompt + _recent(log) + row
                for prompt, log, row in zip(prompts, logs, rows, strict=True)
            ]
        elif pending is not None:
            rows = [SPACE.action(bins) + row for bins, row in zip(pending, rows, strict=True)]
        states = model.states(moved(collate(rows), device), cache)[:, -1]
        pending = [[b] for b in allowed_only(model.logits(states), allowed).tolist()]
        for i in range(n):
            _log_step(logs[i], seen[i], pending[i])
            if alive[i]:
                seen[i], reward, fallen, late, _ = envs[i].step(rules.force(pending[i]))
                logs[i]["score"] += float(reward)
                alive[i] = not (fallen or late)
                if not alive[i]:
                    logs[i]["length"] = len(logs[i]["seen"])
    for env in envs:
        env.close()
    return [_episode(task, goal, log) for goal, log in zip(goals, logs, strict=True)]


def _recent(log: dict) -> TokenRow:
    """Los últimos pasos jugados, como fila."""
    row = TokenRow()
    for seen, bins in zip(log["seen"][-KEPT_STEPS:], log["bins"][-KEPT_STEPS:], strict=True):
        row = row + SPACE.timestep(torch.tensor(seen), bins)
    return row


def _log_step(log: dict, seen: np.ndarray, bins: list[int]) -> None:
    log["seen"].append(seen)
    log["bins"].append(bins)


def _episode(task: str, goal: str, log: dict) -> Episode:
    """Lo jugado hasta que acabó, sin lo que se siguió leyendo para esperar a los demás."""
    n = log["length"]
    seen = torch.tensor(np.stack(log["seen"][:n]))
    return Episode(task, goal, seen, torch.tensor(log["bins"][:n]), log["score"])


def _only_ids(ids: Tensor, places: Tensor) -> TokenBatch:
    """Un lote de palabras o valores, sin parches ni sonido."""
    nothing = torch.zeros(0, 1, device=ids.device)
    return TokenBatch(ids, places, ids > 0, nothing[..., None, None], nothing)
