"""Recetas de las tareas de texto a texto: el tokenizador, el entrenamiento y las notas."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import sacrebleu
import torch
from torch import nn

from tfcourse.datasets.tasks.mixture import (
    Pair,
    TaskData,
    all_tasks,
    mixing_rates,
    with_prefix,
)
from tfcourse.datasets.tasks.phonology import letters_as_sounds
from tfcourse.datasets.text.articles import split_articles
from tfcourse.losses import teacher_forcing_loss
from tfcourse.metrics import exact_match
from tfcourse.metrics.edit_distance import error_rate
from tfcourse.models.t5 import T5, VARIANTS, T5Config
from tfcourse.text.tasks.batches import SENTINELS, Batch, answer, span_batches, task_batches
from tfcourse.text.tasks.filling import blind_filling, filling_accuracy, held_out_spans
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.parameter_scale import scaled_groups
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

N_TOKENS, TOKENIZER_TEXTS, MIN_CHARACTER = 600, 12_000, 20
WINDOW = 48  # tokens de cada ventana en la que se tapan tramos


@dataclass(frozen=True)
class Recipe:
    """Cómo se entrena con las tareas mezcladas: pasos, lote, ritmo y proporciones.

    `rate` es el ritmo de un parámetro de tamaño 1; `limit` y `temperature`, los de `mixing_rates`.
    """

    steps: int = 8_000
    batch_size: int = 32
    rate: float = 0.03
    limit: int = 6_000
    temperature: float = 2.0
    betas: tuple[float, float] = (0.9, 0.98)
    # Sin anotar no son campos: no se escriben en la ficha de los pesos.
    size = "aula"
    warmup = 0.05


PRETRAINING = Recipe(steps=12_000)


def task_tokenizer(tasks: Mapping[str, TaskData], n_tokens: int = N_TOKENS) -> UnigramTokenizer:
    """Un tokenizador para todas las tareas, aprendido de lo que se lee y de lo que se escribe.

    Los caracteres muy raros, de otras escrituras, quedan como desconocidos.
    """
    texts = [
        text
        for name, data in tasks.items()
        for pair in data.train
        for text in (with_prefix(name, pair[0]), pair[1])
    ]
    counts = Counter("".join(texts))
    kept = {ord(c): None for c, n in counts.items() if n < MIN_CHARACTER}
    sample = random.Random(0).sample(texts, min(len(texts), TOKENIZER_TEXTS))
    return UnigramTokenizer.train(
        [text.translate(kept) for text in sample], n_tokens, special_tokens=SENTINELS
    )


def build(recipe: Recipe, n_tokens: int) -> T5:
    """El modelo de la receta, para un vocabulario de ese tamaño."""
    return T5(T5Config(n_tokens, **VARIANTS[recipe.size]))


def batches(
    recipe: Recipe,
    seed: int,
    tokenizer: UnigramTokenizer,
    tasks: Mapping[str, Sequence[Pair]],
) -> Iterator[Batch]:
    """Lotes sin fin de las tareas que se den, mezcladas con límite y temperatura."""
    sizes = {name: len(pairs) for name, pairs in tasks.items()}
    rates = mixing_rates(sizes, limit=recipe.limit, temperature=recipe.temperature)
    return task_batches(tokenizer, tasks, rates, batch_size=recipe.batch_size, seed=seed)


def scaled_adam(model: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """AdamW con un ritmo proporcional al tamaño de cada parámetro, y sin decaimiento."""
    return torch.optim.AdamW(
        scaled_groups(model.parameters(), recipe.rate), betas=recipe.betas, weight_decay=0.0
    )


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    tokenizer: UnigramTokenizer,
    tasks: Mapping[str, Sequence[Pair]],
    model: T5 | None = None,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Entrena con las tareas que se den un modelo nuevo, o el que se dé en `model`."""
    seed_everything(seed)
    model = build(recipe, len(tokenizer)) if model is None else model
    lots = batches(recipe, seed, tokenizer, tasks)
    return _fitted(model, lots, recipe, budget or Steps(recipe.steps), checkpoint)


def pretrain(
    recipe: Recipe,
    seed: int,
    *,
    tokenizer: UnigramTokenizer,
    texts: Sequence[str],
    length: int,
    model: T5,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Entrena un modelo a escribir los tramos tapados de unos textos, sin ninguna tarea.

    Se leen ventanas de `length` tokens.
    """
    seed_everything(seed)
    lots = span_batches(tokenizer, texts, batch_size=recipe.batch_size, length=length, seed=seed)
    return _fitted(model, lots, recipe, Steps(recipe.steps), checkpoint)


def _fitted(
    model: T5,
    lots: Iterator[Batch],
    recipe: Recipe,
    budget: Budget,
    checkpoint: Checkpoint | None,
) -> Trained:
    history = fit(
        model, lots, teacher_forcing_loss, budget=budget, optimizer=scaled_adam(model, recipe),
        schedule=cycle(budget, recipe.warmup), checkpoint=checkpoint,
    )  # fmt: skip
    return Trained(model, recipe, history)


def trivial_answer(task: str, train: Sequence[Pair]) -> Callable[[str], str]:
    """La respuesta de quien no ha aprendido nada: copiar, o decir siempre lo más frecuente."""
    copies: dict[str, Callable[[str], str]] = {
        "corrige": lambda text: text,
        "pronuncia": letters_as_sounds,
        "plural": lambda text: text + "s",
    }
    if task in copies:
        return copies[task]
    commonest = Counter(answer for _, answer in train).most_common(1)[0][0]
    if task == "fecha":  # en una regresión, la mediana
        commonest = sorted(answer for _, answer in train)[len(train) // 2]
    return lambda text: commonest


def score(written: Sequence[str], expected: Sequence[str]) -> dict[str, float]:
    """Coincidencia exacta, tasa de error por carácter y chrF (de 0 a 1)."""
    return {
        "exacta": exact_match(written, expected),
        "CER": error_rate(written, expected),
        "chrF": sacrebleu.corpus_chrf(list(written), [list(expected)]).score / 100,
    }


def score_task(
    model: T5, tokenizer: UnigramTokenizer, task: str, pairs: Sequence[Pair]
) -> dict[str, float]:
    """Las notas de un modelo en una tarea."""
    texts, expected = zip(*pairs, strict=True)
    return score(answer(model, tokenizer, task, texts), expected)


def article_texts(part: str = "train") -> list[str]:
    """Los textos de entrenamiento, sin etiquetas; con `"test"`, los reservados."""
    train, test = split_articles()
    return [article.text for article in (train if part == "train" else test)]


EXAMINED = 200  # ejemplos reservados de cada tarea con los que se examina lo que viene con el curso
_tasks = cache(all_tasks)


@cache
def _tokenizer() -> UnigramTokenizer:
    return task_tokenizer(_tasks())


def _train_shipped() -> Trained:
    train_pairs = {name: data.train for name, data in _tasks().items()}
    return train(Recipe(), 0, tokenizer=_tokenizer(), tasks=train_pairs)


def _pretrain_shipped() -> Trained:
    seed_everything(0)
    model = build(Recipe(), len(_tokenizer()))
    return pretrain(
        PRETRAINING, 0, tokenizer=_tokenizer(), texts=article_texts(), length=WINDOW, model=model
    )


@cache
def held_out_exam() -> Batch:
    """Los tramos tapados de artículos reservados con los que se examinan los pesos del curso."""
    return held_out_spans(_tokenizer(), article_texts("test"), length=WINDOW)


def filling_scores(model: T5) -> dict[str, float]:
    """El acierto del modelo en tramos tapados de artículos reservados."""
    return {"acierto en lo tapado": filling_accuracy(model, _tokenizer(), held_out_exam())}


def blind_filling_scores() -> dict[str, float]:
    """El acierto, en los mismos tramos, de quien solo cuenta."""
    common, counted = blind_filling(_tokenizer(), article_texts(), held_out_exam())
    return {
        "acierto diciendo siempre lo más frecuente": common,
        "acierto contando 3-gramas": counted,
    }


def all_scores(model: T5) -> dict[str, float]:
    """Las notas del modelo en las siete tareas, con el tokenizador de los pesos del curso."""
    return {
        f"{name}, {key}": value
        for name, data in _tasks().items()
        for key, value in score_task(model, _tokenizer(), name, data.test[:EXAMINED]).items()
    }


def trivial_scores() -> dict[str, float]:
    """Las notas, en las mismas tareas, de quien no ha aprendido nada."""
    found = {}
    for name, data in _tasks().items():
        texts, expected = zip(*data.test[:EXAMINED], strict=True)
        guess = trivial_answer(name, data.train)
        scores = score([guess(text) for text in texts], expected)
        found |= {f"{name}, {key} trivial": value for key, value in scores.items()}
    return found


def shipped_config(model: T5) -> dict:
    """Lo que se apunta para construir el modelo y su tokenizador."""
    sizes = {"n_tokens": model.config.n_tokens} | VARIANTS[Recipe.size]
    return {"model": sizes, "tokenizer": _tokenizer().state()}


WEIGHTS = {
    "t5_tareas": Shipped(
        train=_train_shipped,
        score=all_scores,
        blind=trivial_scores,
        data="Resúmenes de Wikipedia en español, CC BY-SA 4.0, y reglas propias, CC0",
        config=shipped_config,
    ),
    "t5_tramos": Shipped(
        train=_pretrain_shipped,
        score=filling_scores,
        blind=blind_filling_scores,
        data="Resúmenes de Wikipedia en español, CC BY-SA 4.0: los artículos de entrenar",
        config=shipped_config,
    ),
}


def load(name: str) -> tuple[T5, UnigramTokenizer]:
    """Un modelo de los que vienen con el curso, con su tokenizador.

    Errores: los de `check_shipped`.
    """
    check_shipped(name, WEIGHTS)
    config = weights_card(name).config
    model = T5(T5Config(**config["model"]))
    load_weights(name, model)
    return model.eval(), UnigramTokenizer(**config["tokenizer"])
