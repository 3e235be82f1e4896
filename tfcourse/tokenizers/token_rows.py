"""Una sola fila de tokens para todo: texto, parches, sonido, observaciones y acciones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.tokenizers.mu_law import N_BINS, mu_law, to_bins
from tfcourse.tokenizers.vocabulary import Vocabulary

ACTION_PLACE = 0  # todas las acciones, y el separador, comparten el lugar
MAX_PLACES = 32


class TokenBatch(NamedTuple):
    """Un lote de B filas de L tokens, con todo lo que hace falta para leerlas.

    `places`: el lugar de cada token dentro de su paso. `scored`: cuáles se aprende a predecir. Los
    vectores de los P parches y los S trozos de sonido van aparte, en el orden en que aparecen.
    """

    ids: Int[Tensor, "B L"]
    places: Int[Tensor, "B L"]
    scored: Bool[Tensor, "B L"]
    patches: Float[Tensor, "P C p p"]
    sounds: Float[Tensor, "S F"]


@dataclass
class TokenRow:
    """Una fila que se va alargando: se suman con `+`."""

    ids: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    scored: list[bool] = field(default_factory=list)
    patches: list[Tensor] = field(default_factory=list)
    sounds: list[Tensor] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    def __add__(self, other: "TokenRow") -> "TokenRow":
        pairs = zip(_parts(self), _parts(other), strict=True)
        return TokenRow(*(mine + theirs for mine, theirs in pairs))


@dataclass(frozen=True)
class TokenSpace:
    """Qué significa cada número: el vocabulario, detrás los valores y al final tres marcas.

    Con V palabras: de 0 a V − 1, texto; de V a V + 1023, valores y acciones discretas; después, el
    separador entre observación y acción, y los huecos de un parche y de un trozo de sonido.
    Fuente: Reed et al. (2022), § 2.1, con 32 000 palabras; el sonido es nuestro.
    """

    words: Vocabulary
    n_bins: int = N_BINS

    @property
    def separator(self) -> int:
        """La marca que va entre la observación y la acción."""
        return len(self.words) + self.n_bins

    @property
    def patch(self) -> int:
        """El hueco de un parche: su vector no sale de la tabla."""
        return self.separator + 1

    @property
    def sound(self) -> int:
        """El hueco de un trozo de sonido."""
        return self.separator + 2

    def __len__(self) -> int:
        return self.separator + 3

    def text(self, words: Sequence[str], start: int = 1, *, stop: bool = True) -> TokenRow:
        """Un texto, acabado en la marca de fin; se aprende entero. `start`, su primer lugar."""
        ids = self.words.encode(words) + [self.words.stop_id] * stop
        return TokenRow(ids, consecutive(start, len(ids)), [True] * len(ids))

    def image(self, patches: Float[Tensor, "N C p p"]) -> TokenRow:
        """Una imagen, parche a parche y por filas; no se predice."""
        n = len(patches)
        return TokenRow([self.patch] * n, consecutive(1, n), [False] * n, patches=[patches])

    def speech(self, chunks: Float[Tensor, "N F"]) -> TokenRow:
        """Un sonido, trozo a trozo; no se predice."""
        n = len(chunks)
        return TokenRow([self.sound] * n, consecutive(1, n), [False] * n, sounds=[chunks])

    def observation(self, values: Float[Tensor, "N"]) -> TokenRow:
        """Los números de una observación, con la ley μ, y el separador; no se predicen."""
        bins = to_bins(mu_law(values), self.n_bins) + len(self.words)
        ids = [*bins.tolist(), self.separator]
        return TokenRow(ids, [*consecutive(1, len(bins)), ACTION_PLACE], [False] * len(ids))

    def action(self, bins: Sequence[int]) -> TokenRow:
        """Una acción: una casilla por componente, o el número de la opción; se aprende."""
        ids = [len(self.words) + int(b) for b in bins]
        return TokenRow(ids, [ACTION_PLACE] * len(ids), [True] * len(ids))

    def timestep(self, values: Float[Tensor, "N"], bins: Sequence[int]) -> TokenRow:
        """Un paso de un episodio: observación, separador y acción."""
        return self.observation(values) + self.action(bins)


def collate(rows: Sequence[TokenRow], pad_id: int = Vocabulary.pad_id) -> TokenBatch:
    """Apila filas de distinta longitud, con relleno a la derecha, que no se aprende.

    Errores: `ValueError` si no hay filas o si un paso tiene más lugares de los que hay.
    """
    if not rows:
        raise ValueError("no hay ninguna fila que apilar")
    most = max(max(row.places, default=0) for row in rows)
    if most >= MAX_PLACES:
        raise ValueError(
            f"un paso llega al lugar {most} y solo hay {MAX_PLACES}: usa imágenes o textos más "
            "cortos"
        )
    length = max(len(row) for row in rows)
    columns = zip(
        *(
            (row.ids + [pad_id] * n, row.places + [0] * n, row.scored + [False] * n)
            for row in rows
            for n in [length - len(row)]
        ),
        strict=True,
    )
    ids, places, scored = (torch.tensor(column) for column in columns)
    return TokenBatch(ids, places, scored, _stack(rows, "patches"), _stack(rows, "sounds"))


def _parts(row: TokenRow) -> tuple[list, ...]:
    return row.ids, row.places, row.scored, row.patches, row.sounds


def consecutive(start: int, n: int) -> list[int]:
    """`n` lugares seguidos, desde `start`."""
    return list(range(start, start + n))


def _stack(rows: Sequence[TokenRow], name: str) -> Tensor:
    """Los vectores de todas las filas, uno detrás de otro."""
    parts = [part for row in rows for part in getattr(row, name)]
    empty = {"patches": (0, 1, 1, 1), "sounds": (0, 1)}[name]
    return torch.cat(parts) if parts else torch.zeros(empty)
