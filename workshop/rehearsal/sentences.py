"""Oraciones de mentira con el formato de los conjuntos públicos de texto."""

import zipfile
from pathlib import Path

from tfcourse.datasets.text.translation import TATOEBA, phrase_lists


def make_tatoeba(folder: Path) -> None:
    """Tatoeba: un .zip con una pareja por línea, y oraciones con más de una traducción."""
    lines = []
    for pair in phrase_lists(80, range(1, 5), seed=0):
        source, target = (" ".join(words).replace(" ,", ",").capitalize() + "." for words in
                          (pair.source, pair.target))  # fmt: skip
        lines += [f"{source}\t{target}", f"{source[:-1]}!\t¡{target[:-1]}!"]
    with zipfile.ZipFile(folder / TATOEBA.name, "w") as packed:
        packed.writestr("spa-eng/spa.txt", "\n".join(lines) + "\n")


MAKERS = {"Tatoeba en–es": make_tatoeba}
