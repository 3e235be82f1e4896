"""Las recetas del asistente: SFT entero o con LoRA, recompensa, DPO y GRPO, desde el GPT del curso."""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from functools import cache

import torch
from torch import nn

from tfcourse.datasets.tasks.instructions import Instruction, endless, instructions, is_right
from tfcourse.models.gpt import GPT, GPTConfig, initialize_gpt
from tfcourse.text.assistant.lora import add_lora, trainable
from tfcourse.text.assistant.losses import answer_loss
from tfcourse.text.assistant.metrics import majority_hits
from tfcourse.text.assistant.template import Template, Turns, with_marks
from tfcourse.text.assistant.writing import answers
from tfcourse.text.generation.recipe import TrainedGPT
from tfcourse.text.generation.recipe import load as load_gpt
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

BASE = "gpt_espanol"


@dataclass(frozen=True)
class Recipe:
    """Cómo se afina: pasos, lote, ritmo de Adam y, si se usa LoRA, su rango.

    `all_tokens` cuenta también la instrucción en la pérdida; `from_scratch` empieza con pesos al
    azar en lugar de los del GPT.
    """

    steps: int = 240
    batch_size: int = 16
    rate: float = 2e-3
    rank: int | None = None
    all_tokens: bool = False
    from_scratch: bool = False


SFT = Recipe()
SHIPPED = replace(SFT, steps=600)


@cache
def base() -> TrainedGPT:
    """El GPT del curso, del que se parte, con su tokenizador."""
    return load_gpt(BASE)


@cache
def template() -> Template:
    """La plantilla, con el tokenizador del GPT del curso."""
    return Template(base().tokenizer)


def build(recipe: Recipe) -> GPT:
    """El modelo del que se parte: el GPT del curso con las tres marcas, y LoRA si se pide."""
    model = with_marks(base().model)
    if recipe.from_scratch:
        initialize_gpt(model)
    return model if recipe.rank is None else add_lora(model, recipe.rank)


def as_turns(examples: Sequence[Instruction], all_tokens: bool = False) -> Turns:
    """Unas instrucciones con su respuesta, en un lote; con `all_tokens`, todo cuenta."""
    form = template()
    turns = form.turns([(form.prompt(e.prompt), form.answer(e.answer)) for e in examples])
    if not all_tokens:
        return turns
    lengths = turns.answer.cumsum(1).argmax(1)
    places = torch.arange(turns.tokens.shape[1])
    return Turns(turns.tokens, places <= lengths[:, None])


def batches(recipe: Recipe, seed: int) -> Iterator[Turns]:
    """Lotes sin fin de instrucciones de entrenar."""
    stream = endless(seed)
    while True:
        examples = [next(stream) for _ in range(recipe.batch_size)]
        yield as_turns(examples, recipe.all_tokens)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Afina con instrucciones; sin `budget`, los pasos de la receta."""
    seed_everything(seed)
    model = build(recipe)
    return tuned(model, batches(recipe, seed), answer_loss, recipe, budget)


def tuned(
    model: nn.Module,
    stream: Iterator,
    loss: Callable,
    recipe: "Recipe",
    budget: Budget | None = None,
) -> Trained:
    """Entrena con Adam lo que esté por entrenar de un modelo; el ritmo sube y baja en un ciclo."""
    budget = budget or Steps(recipe.steps)
    optimizer = torch.optim.AdamW(
        trainable(model), lr=recipe.rate, betas=(0.9, 0.95), weight_decay=0.0
    )
    history = fit(
        model, stream, loss, budget=budget, optimizer=optimizer, schedule=cycle(budget, 0.1)
    )
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
        data="instrucciones generadas por el curso, CC0; parte de gpt_espanol, entrenado con "
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
