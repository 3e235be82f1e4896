"""Vocabulario: la lista de tokens que un modelo conoce y el número de cada uno."""

from collections.abc import Iterable

import torch
from jaxtyping import Int
from torch import Tensor

PAD, START, STOP = "<relleno>", "<inicio>", "<fin>"
SPECIAL_TOKENS = (PAD, START, STOP)


class Vocabulary:
    """Vocabulario: números consecutivos para los tokens, con relleno, inicio y fin delante."""

    pad_id, start_id, stop_id = range(len(SPECIAL_TOKENS))

    def __init__(self, tokens: Iterable[str]):
        self.tokens = [*SPECIAL_TOKENS, *sorted(set(tokens) - set(SPECIAL_TOKENS))]
        self._ids = {token: position for position, token in enumerate(self.tokens)}

    @classmethod
    def from_sequences(cls, sequences: Iterable[list[str]]) -> "Vocabulary":
        """Vocabulario con todos los tokens que aparecen en las secuencias."""
        return cls(token for sequence in sequences for token in sequence)

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} tokens)"

    def encode(self, sequence: Iterable[str]) -> list[int]:
        """Números de una secuencia de tokens.

        Errores: `ValueError` si un token no está en el vocabulario.
        """
        ids = []
        for position, token in enumerate(sequence):
            if token not in self._ids:
                raise ValueError(
                    f"el token {token!r}, en la posición {position}, no está en el vocabulario "
                    f"de {len(self)} tokens: revisa el texto o amplía el vocabulario"
                )
            ids.append(self._ids[token])
        return ids

    def decode(self, ids: Iterable[int] | Int[Tensor, "T"]) -> list[str]:
        """Tokens de una secuencia de números: salta inicio y relleno, y para en el fin."""
        tokens = []
        for number in map(int, ids):
            if number == self.stop_id:
                break
            if number not in (self.pad_id, self.start_id):
                tokens.append(self.tokens[number])
        return tokens


def pad_sequences(
    sequences: list[list[int]], pad_id: int = Vocabulary.pad_id
) -> Int[Tensor, "N L"]:
    """Apila secuencias de distinta longitud en una matriz, con relleno a la derecha.

    Errores: `ValueError` si no hay secuencias o alguna está vacía.
    """
    if not sequences:
        raise ValueError("no hay ninguna secuencia que apilar")
    empty = [position for position, sequence in enumerate(sequences) if not len(sequence)]
    if empty:
        raise ValueError(
            f"la secuencia número {empty[0]} está vacía: cada una necesita al menos un token"
        )
    rows = [torch.as_tensor(sequence) for sequence in sequences]
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)
