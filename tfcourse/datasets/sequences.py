"""Parejas de secuencias: numerarlas, apilarlas y recorrerlas por lotes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from tfcourse.datasets.batching import minibatches, trim
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.vocabulary import Vocabulary, pad_sequences


@dataclass(frozen=True)
class SequencePairs:
    """Parejas de secuencias ya numeradas: entrada, longitudes y salida con inicio y fin.

    `source` (N, Tx), `lengths` (N,), `target` (N, Ty).
    """

    source: Tensor
    lengths: Tensor
    target: Tensor

    def __len__(self) -> int:
        return len(self.source)

    def tensors(self) -> tuple[Tensor, Tensor, Tensor]:
        """Los tres tensores, en el orden en que los recibe un modelo."""
        return self.source, self.lengths, self.target

    def to(self, device: torch.device | str) -> "SequencePairs":
        """Las mismas parejas en otro dispositivo."""
        return SequencePairs(*(tensor.to(device) for tensor in self.tensors()))

    def batches(
        self, batch_size: int, seed: int = 0, *, similar_lengths: bool = False
    ) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Lotes barajados sin fin, cada uno recortado a su secuencia más larga.

        Con `similar_lengths`, cada lote reúne entradas de longitud parecida: una red recurrente da
        menos pasos sobre relleno.
        """
        for source, lengths, target in minibatches(
            *self.tensors(),
            batch_size=batch_size,
            seed=seed,
            group_by=self.lengths if similar_lengths else None,
        ):
            yield trim(source, Vocabulary.pad_id), lengths, trim(target, Vocabulary.pad_id)


def encode_pairs(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    source_vocabulary: Vocabulary | Tokenizer,
    target_vocabulary: Vocabulary | Tokenizer,
) -> SequencePairs:
    """Numera parejas de secuencias y las apila con relleno.

    Cada secuencia es una lista de tokens si la numera un vocabulario; un texto, si un tokenizador.
    Errores: `ValueError` si no hay tantas entradas como salidas, si alguna está vacía o si un
    token no está en su vocabulario.
    """
    if len(sources) != len(targets):
        raise ValueError(
            f"hay {len(sources)} entradas y {len(targets)} salidas: a cada entrada le corresponde "
            "una salida"
        )
    source_ids = [source_vocabulary.encode(tokens) for tokens in sources]
    start, stop = target_vocabulary.start_id, target_vocabulary.stop_id
    target_ids = [[start, *target_vocabulary.encode(tokens), stop] for tokens in targets]
    return SequencePairs(
        source=pad_sequences(source_ids),
        lengths=torch.tensor([len(ids) for ids in source_ids]),
        target=pad_sequences(target_ids),
    )
