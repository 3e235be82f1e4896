"""Recetas de las tareas de texto a texto: el tokenizador, el entrenamiento y las notas."""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import sacrebleu
import torch

from tfcourse.datasets.articles import split_articles
from tfcourse.datasets.tasks.mixture import (
    Pair,
    TaskData,
    all_tasks,
    mixing_rates,
    with_prefix,
)
from tfcourse.datasets.tasks.phonology import letters_as_sounds
from tfcourse.edit_distance import error_rate
from tfcourse.losses import teacher_forcing_loss
from tfcourse.metrics import exact_match
from tfcourse.models.t5 import T5, VARIANTS, T5Config
from tfcourse.parameter_scale import scaled_groups
from tfcourse.shipped import WeightsCard, weights_card
from tfcourse.text_to_text import SENTINELS, answer, task_batches
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training import History, fit, one_cycle, seed_everything

SHIPPED = "t5_tareas"
LIMIT, TEMPERATURE = 6_000, 2.0
RATE, BATCH_SIZE, BETAS = 0.03, 32, (0.9, 0.98)
N_TOKENS, TOKENIZER_TEXTS, MIN_CHARACTER = 600, 12_000, 20
SHIPPED_STEPS = 8_000


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


def shipped_tokenizer() -> UnigramTokenizer:
    """El tokenizador con el que se entrenaron los pesos que vienen con el curso."""
    return UnigramTokenizer(**weights_card(SHIPPED).config["tokenizer"])


def shipped_config() -> T5Config:
    """El tamaño del modelo de los pesos que vienen con el curso."""
    return T5Config(**weights_card(SHIPPED).config["model"])


def train_on_tasks(
    tokenizer: UnigramTokenizer,
    tasks: Mapping[str, Sequence[Pair]],
    *,
    steps: int,
    seed: int,
    model: T5 | None = None,
    batch_size: int = BATCH_SIZE,
) -> tuple[T5, History]:
    """Entrena un modelo con las tareas que se le den, mezcladas con límite y temperatura."""
    seed_everything(seed)
    model = T5(T5Config(len(tokenizer))) if model is None else model
    sizes = {name: len(pairs) for name, pairs in tasks.items()}
    rates = mixing_rates(sizes, limit=LIMIT, temperature=TEMPERATURE)
    batches = task_batches(tokenizer, tasks, rates, batch_size=batch_size, seed=seed)
    optimizer = torch.optim.AdamW(
        scaled_groups(model.parameters(), RATE), betas=BETAS, weight_decay=0.0
    )
    history = fit(
        model, batches, teacher_forcing_loss, steps=steps, optimizer=optimizer,
        schedule=one_cycle(steps, warmup=0.05),
    )  # fmt: skip
    return model, history


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


def train_shipped() -> tuple[T5, WeightsCard]:
    """Vuelve a entrenar los pesos que vienen con el curso: unos diez minutos de procesador."""
    tasks, seed = all_tasks(), 0
    tokenizer, started = task_tokenizer(tasks), time.process_time()
    train = {name: data.train for name, data in tasks.items()}
    model, _ = train_on_tasks(tokenizer, train, steps=SHIPPED_STEPS, seed=seed)
    spent = time.process_time() - started
    quality = {}
    for name, data in tasks.items():
        found = score_task(model, tokenizer, name, data.test[:200])
        trivial = trivial_answer(name, data.train)
        texts, expected = zip(*data.test[:200], strict=True)
        base = score([trivial(text) for text in texts], expected)
        quality |= {f"{name}, {key}": round(value, 4) for key, value in found.items()}
        quality |= {f"{name}, {key} trivial": round(value, 4) for key, value in base.items()}
    card = WeightsCard(
        config={"model": {"n_tokens": len(tokenizer)} | VARIANTS["aula"],
                "tokenizer": tokenizer.state()},
        recipe={"steps": SHIPPED_STEPS, "batch_size": BATCH_SIZE, "rate": RATE,
                "limit": LIMIT, "temperature": TEMPERATURE, "betas": list(BETAS)},
        seed=seed,
        cpu_seconds=round(spent, 1),
        quality=quality,
        data="Resúmenes de Wikipedia en español, CC BY-SA 4.0, y reglas propias, CC0",
    )  # fmt: skip
    return model, card


def article_texts() -> list[str]:
    """Los textos de entrenamiento, sin etiquetas."""
    return [article.text for article in split_articles()[0]]
