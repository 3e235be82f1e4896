"""Lo que le faltaba al GPT del curso: repetir lo que acaba de leer, aprendido sin instrucciones.

Es un entrenamiento intermedio, entre el de textos y el de instrucciones: una parte de cada lote
sigue siendo texto de Wikipedia y la otra, listas de palabras que se repiten.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import torch
from jaxtyping import Int
from torch import Tensor, nn
from torch.nn import functional as F

from tfcourse.datasets.tasks.instruction_words import shared_words
from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.datasets.windows import random_windows
from tfcourse.losses import next_token_loss
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.generation.recipe import TrainedGPT, with_its_tokenizer
from tfcourse.text.generation.recipe import load as load_gpt
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

START = "gpt_espanol"
SEPARATORS = (", ", " ", "; ")


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se enseña a repetir: pasos, ritmos, y cuántas ventanas de cada clase tiene un lote."""

    steps: int = 700
    muon_lr: float = 0.015
    adam_lr: float = 1e-3
    n_texts: int = 12
    n_lists: int = 20
    length: int = 64
    max_words: int = 7


COPIES = Recipe()


def invented(words: Sequence[str], rng: random.Random) -> str:
    """Una palabra que no existe: el principio de una y el final de otra."""
    first, second = rng.choice(words), rng.choice(words)
    return first[: len(first) // 2] + second[len(second) // 2 :]


def repeated_list(words: Sequence[str], rng: random.Random, max_words: int = 7) -> str:
    """Una lista de palabras y, detrás, otra vez las mismas: en su orden o en otro, tres veces.

    Una de cada tres palabras se inventa, para que no baste con saberse las que hay.
    """
    some = [
        invented(words, rng) if rng.random() < 1 / 3 else rng.choice(words)
        for _ in range(rng.randint(1, max_words))
    ]
    separator, shuffled = rng.choice(SEPARATORS), rng.random() < 0.5
    turns = [separator.join(some)]
    for _ in range(3):
        turns.append(separator.join(rng.sample(some, len(some)) if shuffled else some))
    return " " + ". ".join(turns) + "."


def repeated_lists(
    tokenizer: Tokenizer, recipe: Recipe, seed: int, part: str = "entrenar"
) -> Iterator[Int[Tensor, "B L+1"]]:
    """Lotes sin fin de listas que se repiten, unas detrás de otras hasta llenar la ventana."""
    rng, words = random.Random(seed), shared_words()[part]["words"]
    while True:
        rows = []
        for _ in range(recipe.n_lists):
            ids: list[int] = []
            while len(ids) <= recipe.length:
                ids += tokenizer.encode(repeated_list(words, rng, recipe.max_words))
            rows.append(ids[: recipe.length + 1])
        yield torch.tensor(rows)


def batches(recipe: Recipe, seed: int, start: TrainedGPT) -> Iterator[tuple[Tensor]]:
    """Lotes sin fin: ventanas de texto y, debajo, listas que se repiten."""
    texts = random_windows(
        start.encode(spanish_corpus().train), batch_size=recipe.n_texts, length=recipe.length,
        seed=seed,
    )  # fmt: skip
    for (text,), lists in zip(texts, repeated_lists(start.tokenizer, recipe, seed), strict=False):
        yield (torch.cat([text, lists]),)


def build(_recipe: Recipe) -> GPT:
    """El GPT del curso, del que se parte."""
    return load_gpt(START).model


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Enseña a repetir al GPT del curso."""
    start = load_gpt(START)
    return trained(
        lambda: build(recipe), batches(recipe, seed, start), next_token_loss, recipe, seed, budget
    )


@torch.no_grad()
def repeat_costs(
    model: GPT | nn.Module,
    tokenizer: Tokenizer,
    part: str = "evaluar",
    n: int = 100,
    n_words: int = 5,
    seed: int = 0,
) -> tuple[float, float]:
    """Nats por token al leer unas palabras por primera vez, y al leerlas por segunda, en su orden.

    Quien no copia paga lo mismo las dos veces.
    """  # fmt: skip
    rng, words = random.Random(seed), shared_words()[part]["words"]
    device = next(model.parameters()).device
    first, second = [], []
    for _ in range(n):
        text = " " + ", ".join(rng.sample(words, n_words)) + "."
        once = tokenizer.encode(text)
        tokens = torch.tensor([once + once], device=device)
        costs = F.cross_entropy(model(tokens[:, :-1])[0], tokens[0, 1:], reduction="none")
        first.append(costs[: len(once) - 1].mean())
        second.append(costs[len(once) :].mean())
    return float(torch.stack(first).mean()), float(torch.stack(second).mean())


def _score(model: nn.Module) -> dict[str, float]:
    start = load_gpt(START)
    return {
        "nats_al_repetir": repeat_costs(model, start.tokenizer)[1],
        "bits_por_caracter": with_its_tokenizer(model).bits(spanish_corpus().test),
    }


def _blind() -> dict[str, float]:
    before = load_gpt(START)
    return {"nats_al_repetir_antes": repeat_costs(before.model, before.tokenizer)[1]}


WEIGHTS = {
    "gpt_copia": Shipped(
        train=lambda: train(COPIES, 0),
        score=_score,
        blind=_blind,
        data="resúmenes de Wikipedia en español, CC BY-SA 4.0; parte de gpt_espanol",
        recipe=lambda done: asdict(done.recipe),
    )
}


def load(name: str) -> TrainedGPT:
    """Un GPT que sabe repetir, con su tokenizador. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = GPT(GPTConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return with_its_tokenizer(model)
