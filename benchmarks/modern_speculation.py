"""Especular, en tiempo: cuántas veces menos tarda en escribirse lo mismo, según quién proponga.

`python -m benchmarks bloque_actual_especular --escribir` escribe con el GPT del curso, de uno en
uno y con cada pequeño de la página, por turnos y con un hilo. Cuentan segundos de procesador, y lo
que se guarda es el cociente, así que vale para una máquina: la que lo midió.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from statistics import median

import torch
import torch.nn.functional as F
from jaxtyping import Int
from torch import Tensor

from benchmarks.modern import seconds
from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.decoding.speculative import Reader, Speculated, draw, speculative_decode
from tfcourse.layers.quantized import quantize_model
from tfcourse.models.ngrams import CountModel
from tfcourse.text.generation.recipe import TrainedGPT, load

NAME = "bloque_actual_especular"
TEST_CHARACTERS, COUNTED = 25_000, 300_000
SPEED = {"rounds": 9, "prompts": 3, "prompt": 20, "written": 60, "n_draft": 3}
BITS, GROUP = 4, 32
NAMES = ("parejas", "tríos", "él mismo, en 4 bits")


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "test_characters": TEST_CHARACTERS,
        "counted": COUNTED,
        "speed": SPEED,
        "bits": [BITS, GROUP],
        "names": list(NAMES),
    }


@cache
def target() -> TrainedGPT:
    """El grande: el GPT que viene con el curso."""
    return load("gpt_espanol")


@cache
def prompts() -> tuple[Int[Tensor, "1 L"], ...]:
    """Los comienzos, del texto reservado: los de la página."""
    ids = target().encode(spanish_corpus(TEST_CHARACTERS).test)
    starts = range(0, 1000 * SPEED["prompts"], 1000)
    return tuple(ids[None, start : start + SPEED["prompt"]] for start in starts)


@cache
def counting_draft(order: int) -> Reader:
    """Un pequeño que cuenta grupos; lo que ya ha contestado no lo vuelve a calcular."""
    tokenizer = target().tokenizer
    ids = target().encode(spanish_corpus(TEST_CHARACTERS).train[:COUNTED])
    counter = CountModel(order, len(tokenizer), strength=1.0).fit(ids)
    candidates = torch.arange(len(tokenizer))[:, None]

    @cache
    def answer(*last: int) -> Tensor:
        rows = torch.cat([torch.tensor([last]).expand(len(candidates), -1), candidates], dim=1)
        return counter.probability(rows).log()[None, None]

    def read(tokens: Int[Tensor, "1 L"]) -> Tensor:
        padded = F.pad(tokens[0, 1 - order :], (max(0, order - 1 - tokens.shape[1]), 0))
        return answer(*padded.tolist())

    return read


@cache
def drafts() -> dict[str, Reader]:
    """Los pequeños de la página."""
    readers = (counting_draft(2), counting_draft(3), quantize_model(target().model, BITS, GROUP))
    return dict(zip(NAMES, readers, strict=True))


@torch.no_grad()
def one_by_one(prompt: Int[Tensor, "1 L"], generator: torch.Generator) -> Int[Tensor, "1 T"]:
    """Sin especular: una pasada por token, leyendo cada vez todo lo escrito, sin caché."""
    written = prompt
    for _ in range(SPEED["written"]):
        shares = target().model(written)[0, -1].softmax(-1)
        written = torch.cat([written, draw(shares, generator)[None]], dim=1)
    return written[:, prompt.shape[1] :]


def speculated(draft: Reader, seed: int) -> list[Speculated]:
    """Lo que se escribe especulando, con cada comienzo."""
    generator = torch.Generator().manual_seed(seed)
    return [
        speculative_decode(
            target().model, draft, prompt, max_length=SPEED["written"], n_draft=SPEED["n_draft"],
            generator=generator,
        )
        for prompt in prompts()
    ]  # fmt: skip


def jobs(seed: int, runs: dict[str, list[Speculated]]) -> dict[str, Callable[[], object]]:
    """Lo que se cronometra: de uno en uno y con cada pequeño; lo especulado se apunta en `runs`."""

    def plain() -> None:
        generator = torch.Generator().manual_seed(seed)
        for prompt in prompts():
            one_by_one(prompt, generator)

    def guessed(name: str) -> Callable[[], object]:
        return lambda: runs[name].extend(speculated(drafts()[name], seed))

    return {"de uno en uno": plain, **{name: guessed(name) for name in NAMES}}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por pequeño y semilla: la mediana de las vueltas, y los tokens por pasada."""
    for seed in seeds:
        runs: dict[str, list[Speculated]] = {name: [] for name in NAMES}
        ratios: dict[str, list[float]] = {name: [] for name in NAMES}
        for job in jobs(seed, {name: [] for name in NAMES}).values():
            job()  # la primera vez reserva memoria, y no se cuenta
        for turn in range(SPEED["rounds"]):
            told = jobs(1000 * seed + turn, runs)
            spent = {name: seconds(job) for name, job in told.items()}
            for name in NAMES:
                ratios[name].append(spent["de uno en uno"] / spent[name])
        for name, own in runs.items():
            passes = sum(run.passes for run in own)
            per_pass = SPEED["written"] * len(own) / passes
            yield {
                "name": name, "seed": seed, "speedup": round(median(ratios[name]), 3),
                "fastest": round(max(ratios[name]), 3), "slowest": round(min(ratios[name]), 3),
                "per_pass": round(per_pass, 3),
            }  # fmt: skip
