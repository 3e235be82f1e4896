"""Críticas de cine en inglés, oración a oración, con la opinión media de veinte personas.

Las publicaron Hutto y Gilbert (2014) con VADER, con licencia MIT; las oraciones son de Rotten
Tomatoes, del conjunto de Pang y Lee. Se descargan una vez.
"""

import html
import random
import tarfile
from dataclasses import dataclass
from functools import cache

from tfcourse.datasets.download import RemoteFile, download

COMMIT = "18c86513ea60b02fce8f3b1b598da43042d91b08"
ARCHIVE = RemoteFile(
    "hutto_ICWSM_2014.tar.gz",
    (
        "https://raw.githubusercontent.com/cjhutto/vaderSentiment/"
        f"{COMMIT}/additional_resources/hutto_ICWSM_2014.tar.gz",
    ),
    size=2_338_514,
    sha256="d5bb07d87474b3eb8d30b4deccbc23f19d742a6c5718fbacc65485b70b95c5fa",
)
# Los tres conjuntos que se usan en el curso, y cuántas líneas trae cada uno.
SETS = {
    "cine": ("movieReviewSnippets_GroundTruth.txt", 10_605),
    "productos": ("amazonReviewSnippets_GroundTruth.txt", 3_708),
    "tuits": ("tweets_GroundTruth.txt", 4_200),
}
UNDECIDED = 0.5  # por debajo, en valor absoluto, las personas no se ponían de acuerdo


@dataclass(frozen=True)
class Snippet:
    """Una oración, su opinión media, de −4 a 4, y su clase: 1 si es positiva."""

    text: str
    rating: float

    @property
    def label(self) -> int:
        """0 negativa, 1 positiva."""
        return int(self.rating > 0)


@cache
def rated_snippets(name: str = "cine") -> tuple[Snippet, ...]:
    """Todas las oraciones de un conjunto, en el orden del archivo.

    Errores: `ValueError` si el conjunto no existe o no trae las líneas que debe; `ConnectionError`
    si no se puede descargar.
    """
    if name not in SETS:
        raise ValueError(f"no hay ningún conjunto {name!r}: usa uno de {', '.join(SETS)}")
    file, count = SETS[name]
    with tarfile.open(download(ARCHIVE)) as archive:
        member = next(m for m in archive.getmembers() if m.name.endswith(f"/{file}"))
        content = archive.extractfile(member).read().decode("utf-8", errors="replace")
    rows = [line.split("\t", 2) for line in content.splitlines() if line.count("\t") >= 2]
    if len(rows) != count:
        raise ValueError(f"«{file}» trae {len(rows)} oraciones y se esperaban {count}")
    return tuple(Snippet(html.unescape(text.strip()), float(rating)) for _, rating, text in rows)


def binary_split(
    n_train: int, n_test: int, seed: int = 0, name: str = "cine"
) -> tuple[list[Snippet], list[Snippet]]:
    """Oraciones para entrenar y para evaluar: sin las dudosas, sin repetir y desordenadas.

    Errores: `ValueError` si no hay tantas.
    """
    clear = {s.text.lower(): s for s in rated_snippets(name) if abs(s.rating) >= UNDECIDED}
    snippets = list(clear.values())
    random.Random(seed).shuffle(snippets)
    if n_train + n_test > len(snippets):
        raise ValueError(
            f"se piden {n_train} + {n_test} oraciones y hay {len(snippets)} claras: pide menos"
        )
    return snippets[n_test : n_test + n_train], snippets[:n_test]
