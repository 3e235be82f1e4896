"""El emparejamiento que baila: cuántos objetos cambian de consulta de un paso al siguiente."""

from itertools import islice

import torch
from jaxtyping import Int
from torch import Tensor, nn

from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, Scenes, reserved_scenes
from tfcourse.losses.matching import match
from tfcourse.training import seed_everything
from tfcourse.vision.detection.losses import SetLoss, matching_costs
from tfcourse.vision.detection.recipe import Recipe, batches, build

N_STEPS, N_WATCHED, BATCH_SIZE, RATE = 30, 50, 8, 1e-3


@torch.no_grad()
def owners(model: nn.Module, scenes: Scenes, loss: SetLoss) -> Int[Tensor, "B M"]:
    """La consulta que responde de cada objeto, o −1 en el relleno, según la última capa."""
    last = model.eval()(scenes.images)[-1]
    target = scenes.classes, scenes.boxes
    costs = matching_costs(loss.scores(last.logits), last.boxes, *target, loss.weights)
    image, query, thing = match(costs, scenes.counts)
    found = torch.full_like(scenes.classes, -1)
    found[image, thing] = query
    return found


def changes_of_owner(recipe: Recipe, seed: int, n_steps: int = N_STEPS) -> float:
    """Parte de los objetos que cambian de consulta en un paso, de media en los primeros.

    Se aprende con AdamW, al mismo ritmo todas las recetas, y se mira en unas escenas reservadas.
    Con dos etapas no significa nada: en cada paso las consultas salen de otras casillas.
    Errores: `ValueError` si la receta las lleva.
    """
    if recipe.two_stage:
        raise ValueError("con dos etapas, la consulta número 3 no es siempre la misma")
    watched = reserved_scenes(N_WATCHED, SHAPE_SCENES)
    seed_everything(seed)
    model = build(recipe, len(SHAPE_SCENES.classes))
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    before, changed = owners(model, watched, recipe.loss), []
    for batch in islice(batches(recipe, seed, batch_size=BATCH_SIZE), n_steps):
        optimizer.zero_grad()
        recipe.loss(model.train(), batch).backward()
        optimizer.step()
        after = owners(model, watched, recipe.loss)
        changed.append((before != after)[watched.present].float().mean())
        before = after
    return float(torch.stack(changed).mean())
