"""Los modelos de lenguaje publicados, en nuestras clases: qué saben de un texto y cómo siguen."""

from dataclasses import dataclass
from pathlib import Path

import torch

from tfcourse.datasets.text.articles import spanish_corpus
from tfcourse.decoding import continue_tokens
from tfcourse.metrics import window_bits
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.gpt import GPT
from tfcourse.models.modern import ModernLM
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.text.generation.recipe import load
from tfcourse.text.generation.scale import encode_by_lines
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.published import PublishedTokenizer
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.training.loop import default_device

OWN = "gpt_espanol, del curso"


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican; cuánto texto se lee y de dónde siguen escribiendo.

    `length` es lo más que se lee de una vez, en tokens, y `n_written`, los que se escriben.
    """

    names: tuple[str, ...]
    characters: int = 60_000
    length: int = 512
    start: str = "La ciudad de"
    n_written: int = 30


def measure(settings: Published, folder: Path) -> list[dict]:
    """Bits por carácter en los artículos reservados del curso, y lo que cada uno escribe detrás.

    Primero, el GPT que viene con el curso; después, los publicados, con su tokenizador.
    """
    text = spanish_corpus().test[: settings.characters]
    own = load("gpt_espanol")
    rows = [row_of(OWN, own.model, own.tokenizer, text, settings)]
    for name in settings.names:
        found = find_official(name)
        tokenizer = load_tokenizer(found.folder)
        rows.append(row_of(name, found.model.float(), tokenizer, text, settings))
    return rows


@torch.no_grad()
def row_of(
    name: str,
    model: GPT | ModernLM,
    tokenizer: Tokenizer | PublishedTokenizer,
    text: str,
    settings: Published,
) -> dict:
    """La fila de un modelo; cada token se predice con al menos medio contexto delante."""
    model = model.to(default_device())
    bits = article_bits(model, tokenizer, text, settings.length)
    start = torch.tensor([tokenizer.encode(settings.start)], device=default_device())
    written = tokenizer.decode(continue_tokens(model, start, max_length=settings.n_written)[0])
    return {
        "modelo": name,
        "parámetros": n_parameters(model),
        "bits por carácter": bits,
        "lo que escribe": settings.start + " ".join(written.split("\n")),
    }


@torch.no_grad()
def article_bits(
    model: GPT | ModernLM, tokenizer: Tokenizer | PublishedTokenizer, text: str, length: int
) -> float:
    """Bits por carácter en un texto, leído de `length` en `length` tokens como mucho."""
    ids = encode_by_lines(tokenizer, text).long()
    characters = len(text) - len(tokenizer.decode(ids[:1]))
    length = min(length, model.config.max_length)
    where = next(model.parameters()).device
    return window_bits(model, ids.to(where), characters, length=length, batch_size=4)


def published_run(name: str, title: str, models: tuple[str, ...], gigabytes: float) -> FullRun:
    """El experimento que pone unos modelos publicados junto al del curso, sin entrenar nada.

    `gigabytes` son los de GPU que piden.
    """
    return FullRun(
        name=name,
        title=title,
        sources=tuple(map(official_source, models)),
        settings=Published(models),
        rehearsal=Published(models, characters=400, length=16, n_written=4),
        measure=measure,
        gpu_gigabytes=gigabytes,
        hours=0.1,
        trains=False,
    )
