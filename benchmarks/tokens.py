"""Cuánto cuesta cada lengua en tokenizadores publicados: trozos por palabra y por mensaje.

Se mide con `python -m benchmarks tokenizadores_publicados --escribir`; los archivos que hacen falta
los dice `benchmarks.tokens_published`. El azar solo remuestrea los mensajes.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from benchmarks.tokens_published import ARCHIVES, Cut, byte_bpe, messages, unigram, wordpiece
from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.tokenizers.splitting import split_words_and_signs

NAME = "tokenizadores_publicados"
# Nombre → cómo se lee. De OpenAI, los tres; los otros dos, de modelos que se publican con ellos.
PUBLISHED = {
    "GPT-2": partial(byte_bpe, "gpt2"),
    "GPT-4": partial(byte_bpe, "cl100k_base"),
    "GPT-4o": partial(byte_bpe, "o200k_base"),
    "BERT inglés": wordpiece,
    "XLM-R": unigram,
}
LANGUAGES = {
    "español": "es", "catalán": "ca", "gallego": "gl", "euskera": "eu", "portugués": "pt",
    "francés": "fr", "alemán": "de", "árabe": "ar", "chino": "zh_Hans",
}  # fmt: skip
EXAMPLES = ("desgraciadamente", "¿Cuántos años tienes?", "en 1492 y en 123456", "niño", "canción")
N_CHARACTERS = 200_000  # de los artículos reservados
N_RESAMPLES = 2_000


def settings() -> dict:
    """La receta del estudio."""
    return {
        "archives": ARCHIVES,
        "languages": LANGUAGES,
        "examples": list(EXAMPLES),
        "characters": N_CHARACTERS,
        "resamples": N_RESAMPLES,
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Por tokenizador: el texto de los artículos, los mensajes en cada lengua y los ejemplos."""
    article = join_texts(split_articles()[1])[:N_CHARACTERS]
    translated = {name: messages(code) for name, code in LANGUAGES.items()}
    shared = sorted(set.intersection(*(set(found) for found in translated.values())))
    parallel = {"inglés": shared} | {
        name: [found[message] for message in shared] for name, found in translated.items()
    }
    for name, build in PUBLISHED.items():
        vocabulary, cut = build()
        n_words = len(split_words_and_signs(article))
        yield row(name, "artículos", vocabulary=vocabulary, tokens=len(cut(article)), words=n_words)
        yield from languages(name, cut, parallel, seeds[0])
        for text in EXAMPLES:
            for form in ("NFC", "NFD"):
                pieces = cut(unicodedata.normalize(form, text))
                shown = "·".join(piece.strip() or "␣" for piece in pieces)
                yield row(name, "ejemplo", text=text, form=form, tokens=len(pieces), pieces=shown)


def languages(name: str, cut: Cut, parallel: dict[str, list[str]], seed: int) -> Iterator[dict]:
    """Los mismos mensajes en cada lengua: trozos, palabras y cuánto más que en inglés."""
    sizes = {lang: np.array([len(cut(text)) for text in texts]) for lang, texts in parallel.items()}
    drawn = np.random.default_rng(seed).integers(
        len(sizes["inglés"]), size=(N_RESAMPLES, len(sizes["inglés"]))
    )
    for lang, size in sizes.items():
        ratios = size[drawn].sum(1) / sizes["inglés"][drawn].sum(1)
        low, high = np.quantile(ratios, (0.025, 0.975))
        yield row(
            name, "mensajes", language=lang, messages=len(size), tokens=int(size.sum()),
            words=sum(len(split_words_and_signs(text)) for text in parallel[lang]),
            ratio=float(size.sum() / sizes["inglés"].sum()), low=float(low), high=float(high),
        )  # fmt: skip


def row(tokenizer: str, what: str, **measured: object) -> dict:
    """Una fila de la tabla."""
    return {"tokenizer": tokenizer, "what": what, **measured}
