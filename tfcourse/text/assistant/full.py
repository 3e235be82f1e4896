"""A escala real: un modelo publicado, afinado con conversaciones en español, entero y con LoRA."""

import math
import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from tfcourse.datasets.folders.conversations import (
    CONVERSATIONS_SOURCE,
    FirstTurn,
    first_turns,
    split_turns,
)
from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.decoding import continue_tokens
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.text.assistant.chat import SYSTEM, ChatTemplate
from tfcourse.text.assistant.lora import add_lora, trainable
from tfcourse.text.assistant.losses import answer_log_probability, answer_loss
from tfcourse.text.assistant.template import Turns
from tfcourse.text.generation.scale import held_out_bits
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device, fit, seed_everything
from tfcourse.training.schedules import cycle

MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"
Pair = tuple[list[int], list[int]]


@dataclass(frozen=True)
class Full:
    """Qué se afina, con cuánto, y las maneras que se comparan: el rango de LoRA y su ritmo.

    Sin rango se afina entero. `length` es lo más que mide una conversación, en tokens; las más
    largas no se usan. `characters` son los de los artículos con que se mide lo olvidado; `n_pairs`,
    las parejas de respuestas reservadas que se comparan, como mucho.
    """

    ways: dict[str, tuple[int | None, float]]
    steps: int = 1500
    batch_size: int = 16
    length: int = 512
    one_in: int = 20
    characters: int = 60_000
    n_pairs: int = 500
    asked: str = "¿Por qué el cielo es azul?"
    n_written: int = 40
    system: str = SYSTEM


SETTINGS = Full({"SFT": (None, 2e-5), "LoRA, r = 16": (16, 3e-4)})
REHEARSAL = Full(
    {"SFT": (None, 1e-3), "LoRA, r = 16": (2, 1e-3)},
    steps=4, batch_size=2, length=64, one_in=4, characters=400, n_pairs=5, asked="¿Qué?",
    n_written=4, system="",
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """Antes de afinar y después de cada manera, con los mismos pasos y las mismas conversaciones.

    Se mide con peticiones reservadas: los bits por carácter de la respuesta que más gustó, y si se
    prefiere a la que menos; y, en artículos, lo que se olvida. La última fila no sabe nada.
    """
    found = find_official(MODEL)
    form = ChatTemplate(load_tokenizer(found.folder), settings.system)
    train, reserved = split_turns(first_turns(), settings.one_in)
    pairs = as_pairs(form, train, settings.length)
    rows = [row_of("antes de afinar", found.model.float(), form, reserved, settings)]
    for name, (rank, rate) in settings.ways.items():
        seed_everything(0)
        model = deepcopy(found.model).float()
        model = model if rank is None else add_lora(model, rank)
        path = folder / f"{list(settings.ways).index(name)}.safetensors"
        tune(model, form, pairs, rate, settings, path)
        rows.append(row_of(name, model, form, reserved, settings))
    return [*rows, longest_row(form, reserved, settings, rows[0])]


def tune(
    model: nn.Module, form: ChatTemplate, pairs: Sequence[Pair], rate: float, settings: Full,
    path: Path,
) -> None:  # fmt: skip
    """SFT con punto de control: si se corta, sigue donde estaba."""
    budget = Steps(settings.steps)
    optimizer = torch.optim.AdamW(trainable(model), lr=rate, weight_decay=0.0)
    fit(
        model, turn_batches(form, pairs, settings.batch_size), answer_loss, budget=budget,
        optimizer=optimizer, schedule=cycle(budget),
        checkpoint=Checkpoint(path, every=max(1, settings.steps // 20)),
    )  # fmt: skip


def as_pairs(form: ChatTemplate, turns: Sequence[FirstTurn], length: int) -> list[Pair]:
    """De cada turno, la petición y la respuesta que más gustó, si caben.

    Errores: `ValueError` si no cabe ninguna.
    """
    whole = ((form.prompt(turn.prompt), form.answer(turn.replies[0])) for turn in turns)
    pairs = [(asked, told) for asked, told in whole if len(asked) + len(told) <= length]
    if not pairs:
        raise ValueError(f"length={length}: no cabe ninguna de las {len(turns)} conversaciones")
    return pairs


def turn_batches(form: ChatTemplate, pairs: Sequence[Pair], batch_size: int) -> Iterator[Turns]:
    """Lotes sin fin de conversaciones."""
    rng = random.Random(0)
    while True:
        yield form.turns([rng.choice(pairs) for _ in range(batch_size)])


@torch.no_grad()
def row_of(
    name: str, model: nn.Module, form: ChatTemplate, reserved: Sequence[FirstTurn], settings: Full
) -> dict:
    """La fila de un modelo."""
    model = model.to(default_device()).eval()
    best, worst = ranked_pairs(form, reserved, settings)
    liked, other = (per_token(model, form, side, settings.batch_size) for side in (best, worst))
    bits = reply_bits(model, form, reserved, settings)
    text = spanish_corpus().test[: settings.characters]
    return {
        "modelo": name,
        "números que aprende": sum(p.numel() for p in trainable(model)),
        "bits por carácter al responder": bits,
        "prefiere la mejor": float((liked > other).float().mean()),
        "bits por carácter en artículos": held_out_bits(
            model, form.tokenizer, text, length=settings.length, batch_size=4
        ),
        "lo que responde": written(model, form, settings),
    }


def longest_row(
    form: ChatTemplate, reserved: Sequence[FirstTurn], settings: Full, like: dict
) -> dict:
    """Quien no lee y prefiere siempre la respuesta más larga; al azar se acertaría la mitad."""
    best, worst = ranked_pairs(form, reserved, settings)
    longer = [len(a[1]) > len(b[1]) for a, b in zip(best, worst, strict=True)]
    row = dict.fromkeys(like, "") | {"modelo": "la más larga"}
    return row | {"prefiere la mejor": sum(longer) / len(longer)}


def ranked_pairs(
    form: ChatTemplate, turns: Sequence[FirstTurn], settings: Full
) -> tuple[list[Pair], list[Pair]]:
    """De cada turno ordenado y que cabe, la respuesta que más gustó y la que menos."""
    best, worst = [], []
    for turn in (turn for turn in turns if turn.ranked):
        asked = form.prompt(turn.prompt)
        ends = [form.answer(turn.replies[place]) for place in (0, -1)]
        if len(asked) + max(map(len, ends)) <= settings.length:
            best.append((asked, ends[0]))
            worst.append((asked, ends[1]))
    return best[: settings.n_pairs], worst[: settings.n_pairs]


@torch.no_grad()
def per_token(model: nn.Module, form: ChatTemplate, pairs: Sequence[Pair], batch_size: int):
    """log π de cada respuesta, por token: sin dividir ganaría siempre la más corta."""
    whole = log_probabilities(model, form, pairs, batch_size)
    return whole / torch.tensor([len(told) for _, told in pairs])


@torch.no_grad()
def log_probabilities(model: nn.Module, form: ChatTemplate, pairs: Sequence[Pair], batch_size: int):
    """log π de cada respuesta entera, en la CPU."""
    device, found = next(model.parameters()).device, []
    for start in range(0, len(pairs), batch_size):
        batch = form.turns(pairs[start : start + batch_size])
        found.append(answer_log_probability(model, *(side.to(device) for side in batch)).cpu())
    return torch.cat(found)


@torch.no_grad()
def reply_bits(
    model: nn.Module, form: ChatTemplate, reserved: Sequence[FirstTurn], settings: Full
) -> float:
    """Bits por carácter de las respuestas que más gustaron; la marca de fin cuenta como uno."""
    pairs = as_pairs(form, reserved, settings.length)[: settings.n_pairs]
    characters = sum(len(form.read(told)) + 1 for _, told in pairs)
    nats = -log_probabilities(model, form, pairs, settings.batch_size).double().sum()
    return float(nats) / math.log(2) / characters


@torch.no_grad()
def written(model: nn.Module, form: ChatTemplate, settings: Full) -> str:
    """Cómo empieza su respuesta a una petición, en una línea."""
    device = next(model.parameters()).device
    prompt = torch.tensor([form.prompt(settings.asked)], device=device)
    ids = continue_tokens(model, prompt, max_length=settings.n_written, stop_id=form.end_id)[0]
    return " ".join(form.read(ids.tolist()).split())


RUNS = {
    "asistente_publicado": FullRun(
        name="asistente_publicado",
        title="Un modelo publicado, afinado con conversaciones en español",
        sources=(official_source(MODEL), CONVERSATIONS_SOURCE),
        settings=SETTINGS,
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=24,
        hours=1.5,
    )
}
