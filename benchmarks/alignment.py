"""Las once funciones de alineamiento, y las cinco maneras de repartir, con varias semillas.

`python -m benchmarks alineamientos --semillas 5 --escribir` mide tres cosas: las once tal como
nacen, con pocos pasos y con más; las mismas, con los puntajes igual de separados al empezar; y
cada manera de repartir, con los puntajes a tres escalas.
"""

from collections.abc import Iterator, Sequence

from tfcourse.metrics.multiplications import n_parameters
from tfcourse.text.alignment.contenders import (
    ALIGNMENTS,
    DISTRIBUTIONS,
    VARIANTS,
    MeanAlignment,
    RescaledAlignment,
    with_softmax,
)
from tfcourse.text.alignment.recipe import (
    Recipe,
    build,
    date_weights,
    dates,
    exact_dates,
    initial_spread,
    positions_used,
    train,
)

NAME = "alineamientos"
FEW, MANY, SHARING = 80, 240, 120
FACTORS = (0.25, 1.0, 4.0)
ROOT = "producto"  # a la separación con que nace este se llevan las demás
AS_BORN = ALIGNMENTS | VARIANTS | {"media (control)": MeanAlignment}


def settings() -> dict:
    """Todo lo que define la tabla."""
    recipe = vars(Recipe(with_softmax(ALIGNMENTS[ROOT]), dates))
    return {name: value for name, value in recipe.items() if not callable(value)} | {
        "alignments": list(AS_BORN), "steps": [FEW, MANY], "distributions": list(DISTRIBUTIONS),
        "sharing_steps": SHARING, "factors": list(FACTORS), "root": ROOT,
    }  # fmt: skip


def as_born(seeds: Sequence[int]) -> Iterator[dict]:
    """Cada función, tal como nace, con pocos pasos y con más."""
    for name, make in AS_BORN.items():
        for steps in (FEW, MANY):
            recipe = Recipe(with_softmax(make), dates, steps)
            size = n_parameters(build(recipe).decoder.attention)
            for seed in seeds:
                row = {"part": "once", "name": name, "steps": steps, "factor": 1.0, "seed": seed}
                hits = exact_dates(train(recipe, seed).model)
                yield row | {"hits": hits, "spread": initial_spread(recipe, seed), "size": size}


def equally_spread(seeds: Sequence[int]) -> Iterator[dict]:
    """Las once, con los puntajes tan separados al nacer como los del producto."""
    for name, make in ALIGNMENTS.items():
        for seed in seeds:
            born, root = (
                initial_spread(Recipe(with_softmax(maker), dates), seed)
                for maker in (make, ALIGNMENTS[ROOT])
            )
            factor = root / born
            recipe = Recipe(
                with_softmax(lambda make=make, by=factor: RescaledAlignment(make(), by)), dates, FEW
            )
            hits = exact_dates(train(recipe, seed).model)
            yield {
                "part": "igualadas", "name": name, "steps": FEW, "factor": factor, "seed": seed,
                "hits": hits, "spread": initial_spread(recipe, seed),
            }  # fmt: skip


def shared_out(seeds: Sequence[int]) -> Iterator[dict]:
    """Cada manera de repartir, con los puntajes a tres escalas."""
    for name, make in DISTRIBUTIONS.items():
        for factor in FACTORS:
            recipe = Recipe(lambda make=make, by=factor: make(by), dates, SHARING)
            for seed in seeds:
                model = train(recipe, seed).model
                weights, _ = date_weights(model)
                totals = weights.sum(dim=-1)
                yield {
                    "part": "repartos", "name": name, "steps": SHARING, "factor": factor,
                    "seed": seed, "hits": exact_dates(model), "positions": positions_used(weights),
                    "least": float(totals.min()), "most": float(totals.max()),
                }  # fmt: skip


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por parte, receta y semilla."""
    yield from as_born(seeds)
    yield from equally_spread(seeds)
    yield from shared_out(seeds)
