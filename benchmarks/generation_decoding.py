"""Tokens por segundo al escribir: caché propia, sin caché y `generate` de transformers.

`python -m benchmarks decodificacion --escribir` los mide con el tamaño de GPT-2, los mismos hilos
y el mismo tipo de número, y además la ventaja de la caché según cuánto se escribe.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import torch

from tfcourse.decoding import continue_tokens, writing_layout
from tfcourse.models.gpt import GPT, VARIANTS, GPTConfig

NAME = "decodificacion"
Name = TypeVar("Name")
N_TOKENS, PROMPT, WRITTEN, REPEATS = 50_257, 16, 64, 3
LENGTHS = (16, 32, 64, 128, 256)
OURS, THEIRS, UNCACHED = "caché propia", "transformers, generate", "sin caché"


def settings() -> dict:
    """Todo lo que define la medida."""
    return {
        "size": VARIANTS["gpt-2"],
        "n_tokens": N_TOKENS,
        "prompt": PROMPT,
        "written": WRITTEN,
        "repeats": REPEATS,
        "lengths": list(LENGTHS),
        "threads": 1,
        "dtype": "float32",
        "layout": "matrices por columnas",
    }


def library_model(config: GPTConfig):
    """El mismo tamaño, en transformers."""
    from transformers import GPT2Config, GPT2LMHeadModel

    same = GPT2Config(
        vocab_size=config.n_tokens,
        n_positions=config.max_length,
        n_embd=config.d_model,
        n_layer=config.n_layers,
        n_head=config.n_heads,
        bos_token_id=0,
        eos_token_id=None,
    )
    return GPT2LMHeadModel(same).eval()


def best_rates(
    writers: dict[Name, Callable[[], object]], written: int, repeats: int
) -> dict[Name, float]:
    """Tokens por segundo de procesador: el mejor de varios intentos, alternándolos."""
    best = dict.fromkeys(writers, float("inf"))
    for _ in range(repeats):
        for name, write in writers.items():
            started = time.process_time()
            write()
            best[name] = min(best[name], time.process_time() - started)
    return {name: written / seconds for name, seconds in best.items()}


def compare(config: GPTConfig, written: int = WRITTEN, repeats: int = REPEATS) -> dict[str, float]:
    """Los tres, con el mismo comienzo y la misma cantidad de tokens."""
    torch.manual_seed(0)
    model, library = writing_layout(GPT(config).eval()), library_model(config)
    prompt = torch.randint(config.n_tokens, (1, PROMPT))
    options = {"max_new_tokens": written, "do_sample": False, "pad_token_id": 0}
    writers = {
        OURS: lambda: continue_tokens(model, prompt, max_length=written),
        THEIRS: lambda: library.generate(prompt, attention_mask=torch.ones_like(prompt), **options),
        UNCACHED: lambda: continue_tokens(model, prompt, max_length=written, cached=False),
    }
    assert library.generate(prompt, **options).shape[1] == PROMPT + written
    continue_tokens(model, prompt, max_length=2)  # la primera llamada reserva y no se cuenta
    slow = {UNCACHED: writers.pop(UNCACHED)}
    return best_rates(writers, written, repeats) | best_rates(slow, written, 1)


def speedups(config: GPTConfig, lengths=LENGTHS, repeats: int = 1) -> dict[int, float]:
    """Cuántas veces más deprisa se escribe con caché, según cuántos tokens se escriben."""
    torch.manual_seed(0)
    model = writing_layout(GPT(config).eval())
    prompt = torch.randint(config.n_tokens, (1, PROMPT))
    gains = {}
    for length in lengths:
        writers = {
            cached: lambda cached=cached, length=length: continue_tokens(
                model, prompt, max_length=length, cached=cached
            )
            for cached in (True, False)
        }
        rates = best_rates(writers, length, repeats)
        gains[length] = rates[True] / rates[False]
    return gains


def measure(_seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por manera de escribir y otra por longitud; no hay nada que sembrar."""
    config = GPTConfig(N_TOKENS, **VARIANTS["gpt-2"])
    rates = compare(config)
    yield from ({"kind": "ritmo", "name": name, "value": rate} for name, rate in rates.items())
    gains = speedups(config)
    yield from ({"kind": "ventaja", "name": n, "value": gain} for n, gain in gains.items())


def ratio(rows: list[dict]) -> float:
    """Nuestro ritmo entre el de `generate`."""
    rates = {row["name"]: row["value"] for row in rows if row["kind"] == "ritmo"}
    return rates[OURS] / rates[THEIRS]


def markdown(number: Callable[[float], str], rows: list[dict]) -> str:
    """Las dos tablas para el libro."""
    rates = {row["name"]: row["value"] for row in rows if row["kind"] == "ritmo"}
    gains = {row["name"]: row["value"] for row in rows if row["kind"] == "ventaja"}
    lines = [
        f"Tamaño de GPT-2 (124 millones de parámetros), {WRITTEN} tokens tras un comienzo de "
        f"{PROMPT}, un hilo, `float32`; tokens por segundo de procesador, el mejor de {REPEATS} "
        "intentos alternados. El nuestro guarda las matrices por columnas (`writing_layout`).",
        "",
        "| manera de escribir | tokens por segundo | frente a `generate` |",
        "|---|---|---|",
    ]
    lines += [f"| {n} | {number(v)} | {number(v / rates[THEIRS])} |" for n, v in rates.items()]
    lines += ["", "| tokens escritos | veces más deprisa con caché |", "|---|---|"]
    return "\n".join(lines + [f"| {n} | {number(gain)} |" for n, gain in gains.items()])
