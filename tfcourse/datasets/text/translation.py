"""Traducción inglés → español: listas de sintagmas generadas (`rapido`) y Tatoeba (`completo`)."""

import random
import re
import unicodedata
import zipfile
from dataclasses import dataclass
from pathlib import Path

from tfcourse.datasets.download import RemoteFile, download

# Sustantivo inglés, sustantivo español y género; los plurales son regulares en las dos lenguas.
NOUNS = (
    ("house", "casa", "f"), ("table", "mesa", "f"), ("door", "puerta", "f"),
    ("window", "ventana", "f"), ("chair", "silla", "f"), ("star", "estrella", "f"),
    ("shirt", "camisa", "f"), ("island", "isla", "f"), ("book", "libro", "m"),
    ("cat", "gato", "m"), ("dog", "perro", "m"), ("boat", "barco", "m"),
    ("hat", "sombrero", "m"), ("bridge", "puente", "m"), ("shoe", "zapato", "m"),
    ("train", "tren", "m"),
)  # fmt: skip

ADJECTIVES = (
    ("red", "rojo"), ("white", "blanco"), ("black", "negro"), ("yellow", "amarillo"),
    ("small", "pequeño"), ("new", "nuevo"), ("old", "viejo"), ("pretty", "bonito"),
)  # fmt: skip

ARTICLES = {"fs": "la", "fp": "las", "ms": "el", "mp": "los"}


@dataclass(frozen=True)
class PhrasePair:
    """Lista de sintagmas en inglés, su traducción y qué palabra inglesa origina cada española.

    `alignment[t]` es la posición en `source` de la palabra de la que procede `target[t]`.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: tuple[int, ...]


def translate_phrase(noun: int, adjective: int | None, plural: bool) -> PhrasePair:
    """Un sintagma en las dos lenguas: el adjetivo pasa detrás y concuerda con el sustantivo."""
    english, spanish, gender = NOUNS[noun]
    english_noun = english + "s" if plural else english
    number = "p" if plural else "s"
    target = [ARTICLES[gender + number], pluralize(spanish) if plural else spanish]
    if adjective is None:
        return PhrasePair(("the", english_noun), tuple(target), (0, 1))
    english_adjective, masculine = ADJECTIVES[adjective]
    form = masculine[:-1] + "a" if gender == "f" else masculine
    target.append(form + "s" if plural else form)
    return PhrasePair(("the", english_adjective, english_noun), tuple(target), (0, 2, 1))


def pluralize(noun: str) -> str:
    """Plural regular: -s tras vocal, -es tras consonante."""
    return noun + ("s" if noun[-1] in "aeiou" else "es")


def join_phrases(phrases: list[PhrasePair]) -> PhrasePair:
    """Une sintagmas con comas, que también se traducen una por una."""
    source, target, alignment = [], [], []
    for position, phrase in enumerate(phrases):
        if position:
            alignment.append(len(source))
            source.append(",")
            target.append(",")
        alignment.extend(len(source) + index for index in phrase.alignment)
        source.extend(phrase.source)
        target.extend(phrase.target)
    return PhrasePair(tuple(source), tuple(target), tuple(alignment))


def phrase_lists(n_pairs: int, n_phrases: range, seed: int = 0) -> list[PhrasePair]:
    """Listas de sintagmas al azar, cada una con tantos como diga un sorteo en `n_phrases`.

    Errores: `ValueError` si `n_phrases` está vacío o admite listas sin sintagmas.
    """
    if not len(n_phrases) or min(n_phrases) < 1:
        raise ValueError(
            f"n_phrases={n_phrases} no vale: usa un rango de números positivos, p. ej. range(1, 9)"
        )
    rng = random.Random(seed)

    def random_phrase() -> PhrasePair:
        adjective = rng.choice((None, *range(len(ADJECTIVES))))
        return translate_phrase(rng.randrange(len(NOUNS)), adjective, rng.random() < 0.5)

    return [
        join_phrases([random_phrase() for _ in range(rng.choice(n_phrases))])
        for _ in range(n_pairs)
    ]


def split_phrase_lists(
    n_train: int, n_test: int, train_lengths: range, test_lengths: range, seed: int = 0
) -> tuple[list[PhrasePair], dict[int, list[PhrasePair]]]:
    """Listas para entrenar y, por número de sintagmas, listas para evaluar, sin ninguna en común.

    De cada longitud se apartan `n_test` listas inglesas distintas, y ninguna se entrena. Hay pocas
    listas de un solo sintagma, y sorteadas sin más saldrían casi todas en las dos partes. Lo que sí
    se repite son los sintagmas: una lista nueva de dos puede estar hecha de dos ya leídos.
    Errores: los de `phrase_lists`, y `ValueError` si se aparta más de la mitad de una longitud.
    """
    singles = len(NOUNS) * (1 + len(ADJECTIVES)) * 2
    if n_test > singles ** min(test_lengths, default=1) // 2:
        raise ValueError(
            f"n_test={n_test}: hay {singles} sintagmas distintos y no quedarían para entrenar; "
            f"aparta {singles // 2} o menos"
        )
    test = {n: _distinct(n_test, n, seed=1_000 * (seed + 1) + n) for n in test_lengths}
    reserved = {pair.source for pairs in test.values() for pair in pairs}
    lists = phrase_lists(2 * n_train + 1_000, train_lengths, seed)
    return [pair for pair in lists if pair.source not in reserved][:n_train], test


def _distinct(n_pairs: int, n_phrases: int, seed: int) -> list[PhrasePair]:
    """Las primeras listas distintas de un sorteo."""
    drawn = phrase_lists(10 * n_pairs, range(n_phrases, n_phrases + 1), seed)
    return list({pair.source: pair for pair in drawn}.values())[:n_pairs]


# Parejas de Tatoeba preparadas por manythings.org, CC BY 2.0; copia que sirve TensorFlow.
TATOEBA = RemoteFile(
    name="spa-eng.zip",
    urls=(
        "https://storage.googleapis.com/download.tensorflow.org/data/spa-eng.zip",
        "http://storage.googleapis.com/download.tensorflow.org/data/spa-eng.zip",
    ),
    size=2_638_744,
)


def tatoeba_sentences(archive: Path | None = None) -> list[tuple[str, str]]:
    """Oraciones inglés–español de Tatoeba, tal como se escribieron (perfil `completo`).

    Sin `archive`, descarga `spa-eng.zip`. Errores: `ConnectionError` si no se puede descargar;
    `ValueError` si el archivo está a medias o no contiene parejas separadas por tabuladores.
    """
    path = archive or download(TATOEBA)
    try:
        with zipfile.ZipFile(path) as zipped:
            names = [name for name in zipped.namelist() if name.endswith("spa.txt")]
            lines = zipped.read(names[0]).decode("utf-8").splitlines() if names else None
    except (zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path} no es un .zip entero ({error}): bórralo y vuelve a descargarlo"
        ) from error
    if lines is None:
        raise ValueError(f"{path} no contiene «spa.txt»: no es el archivo de Tatoeba esperado")
    pairs = [tuple(compose(line).split("\t")[:2]) for line in lines if line.count("\t")]
    if not pairs:
        raise ValueError(f"{path} no contiene parejas separadas por tabuladores")
    return pairs


def split_words(sentence: str) -> list[str]:
    """Palabras y signos en minúscula, con los acentos compuestos («ñ» es un solo carácter)."""
    return re.findall(r"\w+|[^\w\s]", compose(sentence.lower()))


def compose(text: str) -> str:
    """El texto con cada letra y su acento en un solo carácter."""
    return unicodedata.normalize("NFC", text)
