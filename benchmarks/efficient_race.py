"""La carrera de los núcleos: cuánto aciertan las agujas en el mismo tiempo, y en el triple.

El tiempo es el que tarda la atención fusionada en dar sus pasos, según la tabla `nucleos`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.stored.results import equal_time_steps, load_results
from tfcourse.text.efficient.recipe import (
    EDGES,
    N_TEST,
    TEST_SEED,
    Recipe,
    accuracy,
    accuracy_between,
    evaluation_needles,
    hits,
    majority,
    train,
)

NAME = "carrera_de_nucleos"
RACERS = ("fusionada", "ventana", "saltos", "Longformer", "LSH", "Linformer", "Performer", "FNet")
TIMES = (1, 3)  # el mismo tiempo que la fusionada, y el triple


def fair_steps() -> dict[str, int]:
    """Pasos que da cada núcleo en el tiempo en que la fusionada da los suyos."""
    length = Recipe().length
    paces = [row for row in load_results("nucleos") if row["length"] == length]
    return equal_time_steps(paces, "kernel", "fusionada", Recipe().steps)


def settings() -> dict:
    """Todo lo que define la tabla."""
    steps = fair_steps()
    return {
        "recipe": asdict(Recipe()),
        "racers": {name: steps[name] for name in RACERS},
        "times": list(TIMES),
        "edges": list(EDGES),
        "test": [N_TEST, TEST_SEED],
    }


def race(kernel: str, times: int, steps: int, seed: int) -> dict:
    """Una fila: un núcleo, entrenado esos pasos con una semilla."""
    needles = evaluation_needles(Recipe().length)
    model = train(Recipe(kernel, steps=steps), seed).model
    right = hits(model, needles)
    total, near, far = accuracy(right, needles, Recipe().budget)
    names = [f"hasta_{edge}" for edge in EDGES[1:]]
    between = dict(zip(names, accuracy_between(right, needles), strict=True))
    return {
        "kernel": kernel, "times": times, "seed": seed, "steps": steps, "total": total,
        "near": near, "far": far, **between, "trivial": majority(needles),
    }  # fmt: skip


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por tiempo, núcleo y semilla."""
    steps = fair_steps()
    for times in TIMES:
        for kernel in RACERS:
            for seed in seeds:
                yield race(kernel, times, times * steps[kernel], seed)
