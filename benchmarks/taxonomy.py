"""Las casillas de la taxonomía, con varias semillas: posiciones, secuencias, niveles y rasgos.

`python -m benchmarks taxonomia --semillas 5 --escribir` repite los experimentos del capítulo.
"""

from collections.abc import Callable, Iterator, Sequence

from tfcourse.text.alignment.recipe import exact_dates
from tfcourse.text.alignment.recipe import train as train_translator
from tfcourse.text.taxonomy.cards import (
    SEARCH_LOSSES,
    match_recipe,
    mixer_recipe,
    score_match,
    score_mixer,
    search_accuracy,
    search_recipe,
)
from tfcourse.text.taxonomy.positions import (
    HALF_WIDTHS,
    LENGTHS,
    NAMES,
    exact_lists,
    list_recipe,
    local_date_recipe,
)
from tfcourse.text.taxonomy.recipe import Recipe, train
from tfcourse.text.taxonomy.texts import (
    READERS,
    USES,
    opening_recipe,
    reader_recipe,
    score_openings,
    score_reader,
)
from tfcourse.training import Evaluation

NAME = "taxonomia"
EVERY = 50  # cada cuántos pasos se mide la búsqueda


def card_recipes() -> dict[tuple[str, str], Recipe]:
    """Experimento y contendiente → su receta."""
    return (
        {("buscar", name): search_recipe(name) for name in SEARCH_LOSSES}
        | {("pareja", name): match_recipe(joint) for name, joint in JOINT.items()}
        | {("rasgos", name): mixer_recipe(feature) for name, feature in PER_FEATURE.items()}
        | {("intrusa", name): reader_recipe(name) for name in READERS}
        | {("palabras", " + ".join(use)): opening_recipe(use) for use in USES}
    )


JOINT = {"coatención": True, "por separado": False}
PER_FEATURE = {"un peso por rasgo": True, "un peso por posición": False}
# Experimento → lo que se mide de su modelo, ya entrenado.
SCORES: dict[str, Callable] = {
    "pareja": lambda model: dict(zip(("hits", "mass"), score_match(model), strict=True)),
    "rasgos": lambda model: {"hits": score_mixer(model)},
    "intrusa": lambda model: dict(zip(("hits", "mass", "used"), score_reader(model), strict=True)),
    "palabras": lambda model: dict(
        zip(("hits", "unknown", "known"), score_openings(model), strict=True)
    ),
}


def windows(task: str) -> Iterator[tuple[str, int]]:
    """La global una vez, y las locales con cada ventana de esa tarea."""
    for name in NAMES:
        for half_width in HALF_WIDTHS[task][: 1 if name == "global" else None]:
            yield name, half_width


def settings() -> dict:
    """Todo lo que define la tabla."""
    sizes = {
        f"{part}: {name}": [r.steps, r.batch_size, r.lr, r.weight_decay, r.one_cycle]
        for (part, name), r in card_recipes().items()
    }
    positions = {
        "listas": list_recipe("global", 1).steps,
        "fechas": local_date_recipe("global", 1).steps,
    }
    widths = {task: list(found) for task, found in HALF_WIDTHS.items()}
    return {"steps": positions, "half_widths": widths, "lengths": list(LENGTHS), "recipes": sizes}


def positions(seeds: Sequence[int]) -> Iterator[dict]:
    """Todas las posiciones o una ventana, en las listas y en las fechas."""
    for name, half_width in windows("listas"):
        for seed in seeds:
            hits = exact_lists(train_translator(list_recipe(name, half_width), seed).model)
            row = {"part": "listas", "name": name, "half_width": half_width, "seed": seed}
            yield row | {f"hits_{n}": hit for n, hit in zip(LENGTHS, hits, strict=True)}
    for name, half_width in windows("fechas"):
        for seed in seeds:
            hits = exact_dates(train_translator(local_date_recipe(name, half_width), seed).model)
            row = {"part": "fechas", "name": name, "half_width": half_width, "seed": seed}
            yield row | {"hits": hits}


def search_curve(recipe: Recipe, seed: int) -> dict:
    """Aciertos al final y en media de toda la curva."""
    done = train(recipe, seed, evaluation=Evaluation(search_accuracy, every=EVERY))
    curve = done.history.curve("aciertos")[1]
    return {"hits": curve[-1], "area": sum(curve) / len(curve)}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por experimento, contendiente y semilla."""
    yield from positions(seeds)
    for (part, name), recipe in card_recipes().items():
        for seed in seeds:
            row = {"part": part, "name": name, "seed": seed}
            if part == "buscar":
                yield row | search_curve(recipe, seed)
            else:
                yield row | SCORES[part](train(recipe, seed).model)
