"""Fuera de lo visto: la misma red ante una escena o un mundo un poco distintos."""

from dataclasses import replace

import torch

from tfcourse.datasets.scenes.told_scenes import PATCH, ToldScene, told_scenes
from tfcourse.models.gato import Gato
from tfcourse.multimodal.generalist.metrics import (
    TEST_SEED,
    caption_accuracy,
    control_episodes,
    control_references,
    expert_share,
    held_out_scenes,
    mean_score,
)

# Nombre del cambio → tarea y física: el palo mide 0,5 (de la base al centro) y la gravedad es 10.
WORLDS = {
    "carro: palo el doble de largo": ("carro", {"length": 1.0, "polemass_length": 0.1}),
    "péndulo: la mitad de gravedad": ("péndulo", {"g": 5.0}),
    "péndulo: un cuarto más de gravedad": ("péndulo", {"g": 12.5}),
}
CROWDED = "describir: tres figuras"


def crowded_scenes(n: int, seed: int = TEST_SEED + 1) -> list[ToldScene]:
    """Escenas con tres figuras: a una de dos se le pega un cuadrante de otra."""
    generator = torch.Generator().manual_seed(seed)
    made: list[ToldScene] = []
    while len(made) < n:
        base, other = told_scenes(2, generator)
        used = {quarter for quarter, _, _ in base.things}
        extra = [thing for thing in other.things if thing[0] not in used]
        if len(base.things) == 2 and extra:
            made.append(_pasted(base, other, extra[0]))
    return made


def shifted_scores(model: Gato, n: int = 100, n_play: int = 10) -> dict[str, dict]:
    """Por cada cambio, la nota de siempre, la del mundo cambiado y la del experto en él.

    La nota de control es la parte del camino del azar al experto, los dos en el mundo de siempre.
    """
    scores = {
        CROWDED: {
            "como siempre": caption_accuracy(model, held_out_scenes(n)),
            "cambiado": caption_accuracy(model, crowded_scenes(n)),
            "experto": None,
        }
    }
    tasks = {task for task, _ in WORLDS.values()}
    usual = {task: control_references(task, n_play) for task in tasks}
    calm = {task: mean_score(control_episodes(model, task, n_play)) for task in tasks}
    for name, (task, world) in WORLDS.items():
        shifted = control_references(task, n_play, world)
        changed = mean_score(control_episodes(model, task, n_play, world))
        scores[name] = {
            "como siempre": expert_share(calm[task], usual[task]),
            "cambiado": expert_share(changed, usual[task]),
            "experto": expert_share(shifted["experto"], usual[task]),
        }
    return scores


def _pasted(base: ToldScene, other: ToldScene, thing: tuple[int, str, str]) -> ToldScene:
    """La escena con el cuadrante de otra en el mismo sitio."""
    row, column = divmod(thing[0], 2)
    rows = slice(PATCH * row, PATCH * (row + 1))
    columns = slice(PATCH * column, PATCH * (column + 1))
    image = base.image.clone()
    image[:, rows, columns] = other.image[:, rows, columns]
    return replace(base, image=image, things=tuple(sorted((*base.things, thing))))
