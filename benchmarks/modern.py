"""La escalera de GPT-2 a hoy: bits por carácter, parámetros y caché de cada peldaño.

`python -m benchmarks bloque_actual --escribir` entrena todos los peldaños con los mismos tokens y
pasos; los expertos, además, con cada manera de repartir el trabajo, eligiendo dos o uno solo; y,
con un ritmo de más, el peldaño que norma consultas y claves y el que no. La última parte son las
velocidades, en partes de la del primer peldaño.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache
from statistics import mean, median

import torch
from torch import Tensor

from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.text.modern.recipe import (
    EXPERTS,
    LADDER,
    Recipe,
    TextLoss,
    bits_of,
    build,
    experts_in_use,
    facts,
    loads,
    shared_tokenizer,
    train,
)
from tfcourse.tokenizers.base import Tokenizer

NAME = "bloque_actual"
TEST_CHARACTERS, READ_CHARACTERS = 25_000, 600_000
SHORT = 20  # pasos: lo bastante barato para volver a medirlo en una prueba
FASTER = 8.0  # veces el ritmo de la receta
HOT = {
    name: replace(LADDER[name], muon_lr=FASTER * LADDER[name].muon_lr,
                  adam_lr=FASTER * LADDER[name].adam_lr)
    for name in ("GQA", "QK-norm (Qwen3)")
}  # fmt: skip
# Con un solo elegido, quien empieza mejor se lo lleva casi todo: aquí se provoca el colapso.
ALONE = {
    balance: replace(recipe, pieces=recipe.pieces | {"n_chosen": 1})
    for balance, recipe in EXPERTS.items()
}
SPEED = {"rounds": 9, "prompt": 32, "written": 16}
PARTS: dict[str, dict[str, Recipe]] = {
    "escalera": LADDER,
    "reparto": {name: recipe for name, recipe in EXPERTS.items() if name != "pérdida"},
    "colapso": ALONE,
    "ritmo": HOT,
    "corta": {"SwiGLU (Llama)": replace(LADDER["SwiGLU (Llama)"], steps=SHORT)},
}


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "test_characters": TEST_CHARACTERS,
        "read_characters": READ_CHARACTERS,
        "speed": SPEED,
        "parts": {
            part: {name: asdict(recipe) for name, recipe in recipes.items()}
            for part, recipes in PARTS.items()
        },
    }


@cache
def prepared() -> tuple[Tokenizer, Tensor, str]:
    """El tokenizador, el texto de entrenar en números y el reservado."""
    corpus = spanish_corpus(TEST_CHARACTERS)
    tokenizer = shared_tokenizer(corpus.train)
    return tokenizer, torch.tensor(tokenizer.encode(corpus.train[:READ_CHARACTERS])), corpus.test


def run(part: str, name: str, seed: int) -> dict:
    """Entrena un peldaño y lo mide."""
    tokenizer, ids, held_out = prepared()
    recipe = PARTS[part][name]
    row = {"part": part, "name": name, "seed": seed} | facts(recipe, len(tokenizer))
    row |= {"steps": recipe.steps, "tokens": recipe.steps * recipe.batch_size * recipe.length}
    try:
        model = train(recipe, seed, ids=ids, n_tokens=len(tokenizer)).model
    except FloatingPointError:
        return row | {"bits": None, "in_use": None}
    held = torch.tensor(tokenizer.encode(held_out))
    used = [round(n, 3) for n in experts_in_use(model, held)] or None
    row |= {"bits": bits_of(model, tokenizer, held_out), "in_use": used}
    if part != "colapso":
        return row
    return row | {"loads": [[round(x, 4) for x in one.tolist()] for one in loads(model, held)]}


def speeds(seed: int) -> Iterator[dict]:
    """Tokens por segundo de cada peldaño al entrenar y al escribir, en partes de los del primero.

    En cada vuelta les toca a todos, uno detrás de otro, y se divide entre el tiempo del primero en
    esa vuelta; se da la mediana de las vueltas. Cuentan segundos de procesador, con un hilo.
    """
    n_tokens, (first, *_) = len(prepared()[0]), LADDER
    jobs = {name: timed_jobs(LADDER[name], seed, n_tokens) for name in LADDER}
    for job in (job for own in jobs.values() for job in own.values()):
        job()  # la primera vez reserva memoria, y no se cuenta
    found: dict[str, dict[str, list[float]]] = {
        name: {"training": [], "writing": []} for name in LADDER
    }
    for _ in range(SPEED["rounds"]):
        for what in ("training", "writing"):
            spent = {name: seconds(own[what]) for name, own in jobs.items()}
            for name in LADDER:
                found[name][what].append(spent[first] / spent[name])
    for name, own in found.items():
        shares = {what: round(median(values), 3) for what, values in own.items()}
        yield {"part": "velocidad", "name": name, "seed": seed} | shares


def timed_jobs(recipe: Recipe, seed: int, n_tokens: int) -> dict[str, Callable[[], object]]:
    """Lo que se cronometra de un peldaño: un lote, ida y vuelta, y escribir con la caché."""
    torch.manual_seed(seed)
    model, loss = build(recipe, n_tokens), TextLoss(recipe)
    batch = (torch.randint(n_tokens, (recipe.batch_size, recipe.length + 1)),)

    def training() -> None:
        model.zero_grad()
        loss(model, batch)[0].backward()

    def writing() -> None:
        with torch.no_grad():
            cache = model.start(batch[0][:1, : SPEED["prompt"]])
            for place in range(SPEED["written"]):
                _, cache = model.step(batch[0][:1, place : place + 1], cache)

    return {"training": training, "writing": writing}


def seconds(job: Callable[[], object]) -> float:
    """Segundos de procesador que tarda algo."""
    started = time.process_time()
    job()
    return time.process_time() - started


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por peldaño y semilla."""
    for seed in seeds:
        for part, recipes in PARTS.items():
            for name in recipes:
                yield run(part, name, seed)
        yield from speeds(seed)


def averages(rows: list[dict], part: str = "escalera") -> dict[str, float]:
    """Bits de cada peldaño, en media de las semillas."""
    names = dict.fromkeys(row["name"] for row in rows if row["part"] == part)
    return {
        name: mean(r["bits"] for r in rows if (r["part"], r["name"]) == (part, name))
        for name in names
    }
