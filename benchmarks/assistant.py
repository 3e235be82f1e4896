"""De modelo a asistente: cada manera de afinar, con las mismas instrucciones reservadas.

`python -m benchmarks asistente --escribir` afina desde cada comienzo y con LoRA de varios rangos;
DPO y GRPO siguen desde los pesos `asistente`. De cada uno se guarda qué acertó, de cada clase y
pedido como nunca se pidió, y los bits por carácter en texto corriente.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache

from tfcourse.datasets.tasks.instructions import Instruction, instructions
from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.models.gpt import GPT
from tfcourse.text.assistant.lora import trainable
from tfcourse.text.assistant.metrics import bits_of, commonest, few_shot, hits_by_kind, refusals
from tfcourse.text.assistant.preferences import DPORecipe, train_dpo, verified
from tfcourse.text.assistant.recipe import (
    LORA_RATE,
    SFT,
    STARTS,
    Recipe,
    base,
    held_out,
    load,
    template,
    train,
)
from tfcourse.text.assistant.reinforcement import GRPORecipe, grounded, train_grpo
from tfcourse.text.assistant.writing import answers
from tfcourse.training.recipe import Trained

NAME = "asistente"
TEST_CHARACTERS, N_PER_KIND, SHOTS = 12_000, 60, 3
RANKS = (1, 4, 16)
TUNED: dict[str, Recipe] = {
    "SFT": SFT,
    **{f"LoRA, r = {rank}": replace(SFT, rank=rank, adam_lr=LORA_RATE) for rank in RANKS},
    "desde gpt_espanol": replace(SFT, start=STARTS[1]),
    "desde cero": replace(SFT, start=STARTS[2]),
    "todos los tokens": replace(SFT, all_tokens=True),
    "sin texto corriente": replace(SFT, n_texts=0),
    "corta": replace(SFT, steps=5),  # lo bastante barata para volver a medirla en una prueba
}
READING = ("lectura", "no consta")
DPO, GRPO = DPORecipe(kinds=READING), GRPORecipe(kinds=READING)
REWARDS = {"GRPO, verificador": verified, "GRPO, la que parece razonable": grounded}
SHIPPED_NAME = "asistente"
UNTUNED = ("sin instrucciones", "con ejemplos delante", "la más común")


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "test_characters": TEST_CHARACTERS,
        "n_per_kind": N_PER_KIND,
        "shots": SHOTS,
        "tuned": {name: asdict(recipe) for name, recipe in TUNED.items()},
        "dpo": asdict(DPO),
        "grpo": asdict(GRPO),
        "rewards": {name: reward.__name__ for name, reward in REWARDS.items()},
    }


def names() -> tuple[str, ...]:
    """Las filas que dependen de la semilla, en el orden en que se miden."""
    return (*TUNED, "DPO", *REWARDS)


@cache
def tests() -> tuple[list[Instruction], list[Instruction]]:
    """Las instrucciones de evaluar: pedidas como al entrenar, y como nunca se pidió."""
    return held_out(N_PER_KIND), held_out(N_PER_KIND, reserved=True)


def trained(name: str, seed: int) -> Trained:
    """El modelo de una fila: afinado o, si es de preferencias o de refuerzo, desde `asistente`."""
    if name in TUNED:
        return train(TUNED[name], seed)
    if name == "DPO":
        return train_dpo(load(SHIPPED_NAME), DPO, seed)
    return train_grpo(load(SHIPPED_NAME), GRPO, seed, reward=REWARDS[name])


def measured(model: GPT) -> dict:
    """Los aciertos por clase, con unos y ceros, las negativas y los bits por carácter."""
    row: dict = {}
    for side, examples in zip(("hits", "reserved"), tests(), strict=True):
        written = answers(model, template(), [example.prompt for example in examples])
        row[side] = as_digits(examples, written)
        if side == "hits":
            row["refusals"] = list(refusals(examples, written))
    text = spanish_corpus(TEST_CHARACTERS).test
    return row | {"bits": round(bits_of(model, template().tokenizer, text), 4)}


def as_digits(examples: Sequence[Instruction], written: Sequence[str]) -> dict[str, str]:
    """De cada clase, un 1 por acierto y un 0 por fallo."""
    return {
        kind: "".join(str(int(hit)) for hit in hits)
        for kind, hits in hits_by_kind(examples, written).items()
    }


def run(name: str, seed: int) -> dict:
    """Afina y mide una fila."""
    done = trained(name, seed)
    curves = {term: [round(x, 3) for x in values] for term, values in done.history.terms.items()}
    row = {"name": name, "seed": seed, "learnt": sum(p.numel() for p in trainable(done.model))}
    return row | measured(done.model) | {"curves": {} if name in TUNED else curves}


def untuned() -> Iterator[dict]:
    """Lo que se acierta sin afinar: sin más, con ejemplos delante y con la respuesta más común."""
    examples, _ = tests()
    start = base(STARTS[0])
    for name, written in zip(
        UNTUNED,
        (
            few_shot(start, examples, []),
            few_shot(start, examples, instructions("entrenar", SHOTS)),
            [commonest()[example.kind] for example in examples],
        ),
        strict=True,
    ):
        yield {"name": name, "seed": 0, "hits": as_digits(examples, written)}
    bits = start.bits(spanish_corpus(TEST_CHARACTERS).test)
    yield {"name": "antes de afinar", "seed": 0, "bits": round(bits, 4)}
    yield {"name": SHIPPED_NAME, "seed": 0} | measured(load(SHIPPED_NAME))


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por manera de afinar y semilla, y las de no afinar."""
    yield from untuned()
    for name in names():
        for seed in seeds:
            yield run(name, seed)
