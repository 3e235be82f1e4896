"""Las recetas del asistente: SFT entero o con LoRA, desde el GPT del curso.

Con cada lote de instrucciones va otro de texto corriente, para que no olvide lo que sabía.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.tasks.instructions import Instruction, endless, instructions, is_right
from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.datasets.windows import random_windows
from tfcourse.losses import next_token_loss
from tfcourse.models.gpt import GPT, GPTConfig, initialize_gpt
from tfcourse.text.assistant.copying import load as load_copier
from tfcourse.text.assistant.lora import add_lora, trainable
from tfcourse.text.assistant.losses import answer_loss
from tfcourse.text.assistant.metrics import majority_hits
from tfcourse.text.assistant.template import Template, Turns, with_marks
from tfcourse.text.assistant.writing import answers
from tfcourse.text.generation.recipe import TrainedGPT
from tfcourse.text.generation.recipe import load as load_gpt
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.recipe import MuonRecipe, Trained, muon
from tfcourse.training.schedules import cycle
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

STARTS = ("gpt_copia", "gpt_espanol", "azar")


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se afina: pasos, instrucciones por lote, ritmos y, si se usa LoRA, su rango.

    `n_texts` son las ventanas de texto corriente de cada lote, de `length` tokens. `all_tokens`
    cuenta también la instrucción en la pérdida; `start` dice de qué pesos se parte. Con LoRA todo
    va con Adam, a `adam_lr`. Errores: `ValueError` si el comienzo no se conoce.
    """

    steps: int = 200
    batch_size: int = 24
    muon_lr: float = 0.01
    adam_lr: float = 1e-3
    n_texts: int = 4
    length: int = 64
    rank: int | None = None
    all_tokens: bool = False
    start: str = STARTS[0]

    def __post_init__(self):
        if self.start not in STARTS:
            raise ValueError(f"start={self.start!r}: usa {', '.join(STARTS)}")


SFT = Recipe()
SHIPPED = replace(SFT, steps=800)
LORA_RATE = 1e-2  # el mejor de 3e-3 y 1e-2 en validación


class Mixture(NamedTuple):
    """Un lote: instrucciones con su respuesta y ventanas de texto corriente, si las hay."""

    tokens: Int[Tensor, "B L"]
    answer: Bool[Tensor, "B L"]
    text: Int[Tensor, "B2 L2"]


def mixed_loss(model: nn.Module, batch: Mixture) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
    """La pérdida de las respuestas más la del texto corriente; da aparte la primera."""
    told = answer_loss(model, batch[:2])
    if not len(batch[2]):
        return told, {"respuestas": told}
    return told + next_token_loss(model, batch[2:]), {"respuestas": told}


@cache
def base(start: str = STARTS[0]) -> TrainedGPT:
    """El GPT del que se parte, con su tokenizador: el mismo para todos."""
    return load_copier(start) if start == STARTS[0] else load_gpt(STARTS[1])


@cache
def template() -> Template:
    """La plantilla, con el tokenizador del GPT del curso."""
    return Template(base(STARTS[1]).tokenizer)


@cache
def text_ids() -> Int[Tensor, "N"]:
    """El texto corriente, en números: una parte del que leyó el GPT."""
    return base(STARTS[1]).encode(spanish_corpus().train[:600_000])


def build(recipe: Recipe) -> GPT:
    """El modelo del que se parte, con las tres marcas, y LoRA si se pide."""
    model = with_marks(base(recipe.start).model)
    if recipe.start == "azar":
        initialize_gpt(model)
    return model if recipe.rank is None else add_lora(model, recipe.rank)


def as_turns(examples: Sequence[Instruction], all_tokens: bool = False) -> Turns:
    """Unas instrucciones con su respuesta, en un lote; con `all_tokens`, todo cuenta."""
    form = template()
    turns = form.turns([(form.prompt(e.prompt), form.answer(e.answer)) for e in examples])
    if not all_tokens:
        return turns
    ends = turns.answer.long().cumsum(1).argmax(1)
    places = torch.arange(turns.tokens.shape[1])
    return Turns(turns.tokens, places <= ends[:, None])


def batches(recipe: Recipe, seed: int) -> Iterator[Mixture]:
    """Lotes sin fin de instrucciones de entrenar y de texto corriente."""
    stream = endless(seed)
    nothing = torch.zeros(0, recipe.length + 1, dtype=torch.long)
    texts = random_windows(
        text_ids(), batch_size=recipe.n_texts, length=recipe.length, seed=seed
    ) if recipe.n_texts else iter(lambda: (nothing,), None)  # fmt: skip
    while True:
        examples = [next(stream) for _ in range(recipe.batch_size)]
        yield Mixture(*as_turns(examples, recipe.all_tokens), *next(texts))


def build_optimizer(model: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """Muon y Adam si se entrena entero; con LoRA, Adam en lo que se entrena."""
    if recipe.rank is None:
        return muon(model, recipe)
    return torch.optim.AdamW(
        trainable(model), lr=recipe.adam_lr, betas=recipe.betas, weight_decay=0.0
    )


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Afina con instrucciones; sin `budget`, los pasos de la receta."""
    budget = budget or Steps(recipe.steps)
    seed_everything(seed)
    model = build(recipe)
    history = fit(
        model, batches(recipe, seed), mixed_loss, budget=budget,
        optimizer=build_optimizer(model, recipe), schedule=cycle(budget, recipe.warmup),
    )  # fmt: skip
    return Trained(model, recipe, history)


def frozen_copy(model: nn.Module) -> nn.Module:
    """Una copia que no se entrena: el modelo de referencia."""
    return deepcopy(model).eval().requires_grad_(False)


def held_out(n_per_kind: int = 60, *, reserved: bool = False) -> list[Instruction]:
    """Las instrucciones con que se evalúa; con `reserved`, pedidas como no se pidió nunca."""
    return instructions("evaluar", n_per_kind, reserved=reserved)


def accuracy(model: GPT, examples: Sequence[Instruction]) -> float:
    """Parte de las instrucciones cuya respuesta, la más probable, es la correcta."""
    written = answers(model, template(), [example.prompt for example in examples])
    return sum(map(is_right, examples, written)) / len(examples)


WEIGHTS = {
    "asistente": Shipped(
        train=lambda: train(SHIPPED, 0),
        score=lambda model: {"acierto": accuracy(model, held_out())},
        blind=lambda: {"acierto_de_la_mas_comun": majority_hits(held_out())},
        data="instrucciones generadas por el curso, CC0; parte de gpt_copia, entrenado con "
        "resúmenes de Wikipedia en español, CC BY-SA 4.0",
        recipe=lambda done: asdict(done.recipe),
    )
}


def load(name: str) -> GPT:
    """Un asistente de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = GPT(GPTConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return model
