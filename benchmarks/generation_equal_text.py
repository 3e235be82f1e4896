"""Bits por carácter de las recetas de GPT a igual texto: los mismos tokens o los mismos caracteres.

`python -m benchmarks gpt_igual_texto --escribir` entrena la receta de nanoGPT para procesador, la
del curso, la del curso sin cada uno de sus cambios y la red recurrente. Con un BPE, un token son
casi tres caracteres: leer los mismos tokens no es leer el mismo texto, y se miden las dos cosas.
Contar 6-gramas, sin azar, va con el texto que leen las redes y con todo el que hay.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from benchmarks.generation_corpus import (
    BASELINE,
    CHOSEN,
    RECIPES,
    RECURRENT,
    RNN_BATCH,
    RNN_RATE,
    RNN_WINDOW,
    character_ids,
    fit_recurrent,
    recurrent_bits,
)
from tfcourse.datasets.text.articles import Corpus, spanish_corpus
from tfcourse.models.language import VARIANTS as RNN_SIZES
from tfcourse.text.generation.recipe import build_tokenizer, ngram_bits, train
from tfcourse.training.budget import Steps

NAME = "gpt_igual_texto"
TOKENS, TEST_CHARACTERS = 40_000, 25_000
COUNTING = "6-gramas (contar)"
BY_CHARACTERS = (BASELINE, "sin BPE", RECURRENT)  # las demás leen lo mismo de las dos maneras


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "tokens": TOKENS,
        "test_characters": TEST_CHARACTERS,
        "recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()},
        "by_characters": list(BY_CHARACTERS),
        "recurrent": {
            **RNN_SIZES["aula"], "batch_size": RNN_BATCH, "window": RNN_WINDOW, "lr": RNN_RATE
        },
    }  # fmt: skip


def characters_per_token(corpus: Corpus) -> float:
    """Lo que mide un token de la receta del curso, en el texto reservado."""
    tokenizer = build_tokenizer(RECIPES[CHOSEN], corpus.train)
    return len(corpus.test) / len(tokenizer.encode(corpus.test))


def run_recipe(name: str, corpus: Corpus, tokens: int, seed: int) -> dict:
    """Bits y pasos de una receta que lee tantos tokens."""
    recipe = RECIPES[name]
    steps = round(tokens / (recipe.batch_size * recipe.length))
    trained = train(recipe, seed, Steps(steps), text=corpus.train)
    return {"bits": trained.bits(corpus.test), "steps": steps}


def run_recurrent(corpus: Corpus, tokens: int, seed: int) -> dict:
    """Bits y pasos de la red recurrente, que lee tantos caracteres."""
    kept, held_out = character_ids(corpus)
    model, steps = fit_recurrent(kept, seed, Steps(round(tokens / (RNN_BATCH * RNN_WINDOW))))
    return {"bits": recurrent_bits(model, held_out), "steps": steps}


def counted(corpus: Corpus, equal: str, characters: int) -> dict:
    """Bits de contar 6-gramas en el principio del texto."""
    part = Corpus(corpus.train[:characters], corpus.test)
    row = {"recipe": COUNTING, "equal": equal, "seed": 0, "bits": ngram_bits(part)}
    return row | {"steps": 0, "tokens": len(part.train), "characters": len(part.train)}


def measure(
    seeds: Sequence[int], tokens: int = TOKENS, test_characters: int = TEST_CHARACTERS
) -> Iterator[dict]:
    """Una fila por receta, reparto y semilla; contar no depende de la semilla."""
    corpus = spanish_corpus(test_characters)
    per_token = characters_per_token(corpus)
    characters = round(tokens * per_token)
    if 0 in seeds:
        yield counted(corpus, "tokens", tokens)
        yield counted(corpus, "caracteres", characters)
        yield counted(corpus, "nada", len(corpus.train))
    for seed in seeds:
        for name in (*RECIPES, RECURRENT):
            for equal in ("tokens", "caracteres"):
                if equal == "caracteres" and name not in BY_CHARACTERS:
                    continue
                read = characters if equal == "caracteres" else tokens
                run = (
                    run_recurrent(corpus, read, seed)
                    if name == RECURRENT
                    else run_recipe(name, corpus, read, seed)
                )
                width = 1.0 if name in BY_CHARACTERS else per_token
                row = {"recipe": name, "equal": equal, "seed": seed} | run
                yield row | {"tokens": read, "characters": round(read * width)}
