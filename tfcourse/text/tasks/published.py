"""Flan-T5, publicado, en nuestra clase: traducir las mismas oraciones, sin entrenar nada."""

from dataclasses import dataclass
from pathlib import Path

import torch

from tfcourse.datasets.folders.tatoeba import TATOEBA_SOURCE, tatoeba_split
from tfcourse.datasets.folders.wikipedia import one_line
from tfcourse.decoding import greedy_decode
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.metrics.translation import translation_scores
from tfcourse.models.t5 import T5
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.tokenizers.published import PublishedTokenizer
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.tokenizers.vocabulary import pad_sequences
from tfcourse.training.loop import default_device

PAD, STOP = "<pad>", "</s>"


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican; con qué prefijo se les pide, y cuánto se examina.

    `n_test` y `max_written` son los del experimento que entrena el nuestro.
    """

    names: tuple[str, ...]
    prefix: str = "translate English to Spanish: "
    n_test: int = 2_000
    max_written: int = 64
    batch_size: int = 64


def measure(settings: Published, folder: Path) -> list[dict]:
    """BLEU y chrF de cada modelo en las oraciones reservadas, junto a copiarlas."""
    _, reserved = tatoeba_split(settings.n_test)
    sentences = [one_line(sentence.source) for sentence in reserved]
    references = [list(sentence.references) for sentence in reserved]
    rows = [{"modelo": "copiar", "parámetros": ""} | translation_scores(sentences, references)]
    for name in settings.names:
        found = find_official(name)
        model, tokenizer = found.model.float().to(default_device()), load_tokenizer(found.folder)
        written = answers(model, tokenizer, sentences, settings)
        row = {"modelo": name, "parámetros": n_parameters(model)}
        rows.append(row | translation_scores(written, references))
    return rows


@torch.no_grad()
def answers(
    model: T5, tokenizer: PublishedTokenizer, sentences: list[str], settings: Published
) -> list[str]:
    """Lo que escribe el modelo para cada oración, eligiendo siempre lo más probable.

    Como en los publicados, se empieza por el símbolo de relleno.
    """
    device, written = next(model.parameters()).device, []
    pad, stop = tokenizer.token_id(PAD), tokenizer.token_id(STOP)
    for start in range(0, len(sentences), settings.batch_size):
        some = sentences[start : start + settings.batch_size]
        ids = [tokenizer.encode(settings.prefix + sentence) for sentence in some]
        lengths = torch.tensor([len(one) for one in ids], device=device)
        state = model.start(pad_sequences(ids, pad).to(device), lengths)
        first = torch.full((len(ids),), pad, device=device)
        found = greedy_decode(
            model.step, state, first, stop_id=stop, max_length=settings.max_written
        )
        written += [tokenizer.decode(row) for row in found.tolist()]
    return written


MODELS = ("google/flan-t5-small",)
RUN = FullRun(
    name="t5_publicado",
    title="Flan-T5 publicado, en nuestra clase: traducir las mismas oraciones, sin entrenar",
    sources=(TATOEBA_SOURCE, *map(official_source, MODELS)),
    settings=Published(MODELS),
    rehearsal=Published(MODELS, n_test=6, max_written=8, batch_size=4),
    measure=measure,
    gpu_gigabytes=2,
    hours=0.1,
    trains=False,
)
