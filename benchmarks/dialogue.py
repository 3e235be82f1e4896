"""Conversar sobre una imagen: acierto por clase de pregunta, lo que se inventa y cuántos tokens.

`python -m benchmarks dialogo --escribir` entrena cada manera con cada semilla. Todas parten del
mismo lector y, menos la de otra torre, de la misma torre, con los mismos pasos y preguntas.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cache

from tfcourse.datasets.scenes.asked_scenes import held_out
from tfcourse.models.vit import ViT
from tfcourse.multimodal.dialogue import reader, recipe, specialist, tower
from tfcourse.multimodal.dialogue.decoding import answers
from tfcourse.multimodal.dialogue.metrics import (
    Pairs,
    commonest,
    hits_by_kind,
    measured,
    share,
)
from tfcourse.text.assistant.lora import trainable
from tfcourse.training.loop import seed_everything

NAME, N_PER_KIND = "dialogo", 200
SPECIALIST, DESCRIPTION, MAJORITY = "especialista", "lee la descripción", "la más común"
OTHER = "LoRA, con otra torre"
TOLD, OTHER_TOLD = "lee lo que cuenta la torre", "lee lo que cuenta la otra"
RECIPES = {
    "a ciegas": recipe.Recipe(blind=True),
    "congelado": recipe.Recipe(way="congelado"),
    "LoRA": recipe.Recipe(way="LoRA"),
    "entero": recipe.Recipe(),
    "64 tokens": recipe.Recipe(factor=1),
    "4 tokens": recipe.Recipe(factor=4),
    "1 token": recipe.Recipe(factor=8),
    OTHER: recipe.Recipe(way="LoRA"),
}
OTHER_TOWER = tower.Recipe(every_pair=True)  # la única que ha visto las parejas reservadas
# Lo bastante barata para volver a medirla en una prueba.
SHORT = {"corta": recipe.Recipe(steps=5, batch_size=8, way="congelado")}
CONTROLS = (MAJORITY, DESCRIPTION, TOLD, OTHER_TOLD)


def settings() -> dict:
    """Todo lo que define la tabla."""
    recipes = {name: asdict(one) for name, one in (RECIPES | SHORT).items()}
    return {
        "recipes": recipes, "specialist": asdict(specialist.Recipe()), "n_per_kind": N_PER_KIND,
        "other_tower": asdict(OTHER_TOWER),
    }  # fmt: skip


@cache
def questions(reserved: bool) -> Pairs:
    """Las preguntas de evaluar: corrientes, o de parejas de forma y color nunca vistas juntas."""
    return held_out(N_PER_KIND, reserved=reserved)


def row(name: str, seed: int, said: dict[bool, Sequence[str]], **more) -> dict:
    """Una fila: las medidas en las preguntas corrientes y, con `new`, en las parejas nuevas."""
    numbers = {key: round(v, 4) for key, v in measured(questions(False), said[False]).items()}
    by_kind = hits_by_kind(questions(True), said[True])
    new = {kind: round(share(own), 4) for kind, own in by_kind.items()}
    return {"name": name, "seed": seed, **numbers, "new": new, **more}


def control(name: str) -> dict:
    """Con quien se compara, sin entrenar nada."""
    return row(name, 0, {new: _without_training(name, questions(new)) for new in (False, True)})


def _without_training(name: str, pairs: Pairs) -> list[str]:
    """Lo que dice la respuesta más común, o el lector con la descripción buena o con otra."""
    if name == MAJORITY:
        return [commonest()[question.kind] for _, question in pairs]
    if name in (TOLD, OTHER_TOLD):
        scenes, asked = zip(*pairs, strict=True)
        seeing = tower.load("torre_escenas") if name == TOLD else other_tower()
        pairs = list(zip(tower.told(seeing, scenes), asked, strict=True))
    return answers(reader.load("lector_escenas"), pairs)


@cache
def other_tower() -> ViT:
    """Una torre como la del curso que sí ha visto juntas las parejas reservadas."""
    return tower.train(OTHER_TOWER, 0).model


def run(name: str, seed: int) -> dict:
    """Entrena una manera y la mide."""
    if name == SPECIALIST:
        done = specialist.train(specialist.Recipe(), seed)
        said = {new: specialist.choices(done.model, questions(new)) for new in (False, True)}
    else:
        own = (RECIPES | SHORT)[name]
        seeing = other_tower() if name == OTHER else None
        reader.load("lector_escenas")  # antes de sembrar: al cargarse por primera vez, gasta azar
        seed_everything(seed)
        done = recipe.train(own, seed, model=recipe.build(own, seeing))
        said = {new: answers(done.model, questions(new), blind=own.blind) for new in (False, True)}
    learned = sum(p.numel() for p in trainable(done.model))
    losses = done.history.loss
    curve = [round(sum(part) / len(part), 4) for part in _chunks(losses, max(1, len(losses) // 8))]
    return row(name, seed, said, learned=learned, loss=curve)


def _chunks(values: list[float], size: int) -> list[list[float]]:
    return [values[start : start + size] for start in range(0, len(values), size)]


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de comparación, y una por manera y semilla."""
    yield from (control(name) for name in CONTROLS)
    for seed in seeds:
        for name in (*RECIPES, SPECIALIST, *SHORT):
            yield run(name, seed)
