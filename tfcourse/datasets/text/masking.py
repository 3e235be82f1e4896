"""Tapar tokens: la corrupción con la que se entrena BERT, fija o nueva en cada vuelta."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from tfcourse.tokenizers.base import Tokenizer

CLS, SEP, MASK = "[CLS]", "[SEP]", "[MASK]"
BERT_TOKENS = (CLS, SEP, MASK)

MaskedBatch = tuple[Int[Tensor, "B L"], Int[Tensor, "B L"], Bool[Tensor, "B L"]]


@dataclass(frozen=True)
class Masking:
    """Cómo se tapa: qué parte de los tokens se elige y qué se hace con los elegidos.

    De los elegidos, una parte `masked` se cambia por el token de máscara, otra `random` por uno al
    azar y el resto se deja como estaba. Los `n_special` primeros números no se tocan.
    Fuente: Devlin et al. (2019), § 3.1 y apéndice A.1.
    Errores: `ValueError` si las fracciones no son posibles o la máscara no está en el vocabulario.
    """

    mask_id: int
    n_tokens: int
    n_special: int
    rate: float = 0.15
    masked: float = 0.8
    random: float = 0.1

    def __post_init__(self):
        if not 0 < self.rate < 1 or min(self.masked, self.random) < 0:
            raise ValueError(
                f"rate={self.rate}, masked={self.masked}, random={self.random}: son fracciones, y "
                "la de tokens elegidos no puede ser 0 ni 1; en BERT son 0.15, 0.8 y 0.1"
            )
        if self.masked + self.random > 1:
            raise ValueError(
                f"masked={self.masked} y random={self.random} suman más de 1: son partes de los "
                "elegidos, y lo que falta hasta 1 se deja como estaba"
            )
        if not 0 <= self.mask_id < self.n_special < self.n_tokens:
            raise ValueError(
                f"mask_id={self.mask_id}, n_special={self.n_special}, n_tokens={self.n_tokens}: la "
                "máscara tiene que ser uno de los tokens especiales, que son los primeros"
            )

    @classmethod
    def for_tokenizer(cls, tokenizer: Tokenizer, **shares: float) -> "Masking":
        """La de un tokenizador que tenga el token [MASK]."""
        n_special = len(tokenizer.special_tokens)
        return cls(tokenizer.token_id(MASK), len(tokenizer), n_special, **shares)


def mask_tokens(
    tokens: Int[Tensor, "B L"], masking: Masking, generator: torch.Generator
) -> tuple[Int[Tensor, "B L"], Bool[Tensor, "B L"]]:
    """Tapa parte de los tokens: devuelve lo que se lee y qué posiciones hay que adivinar.

    Cada token que no es especial se elige con probabilidad `rate`; los elegidos se reparten entre
    la máscara, un token al azar y quedarse como estaban. Fuente: Devlin et al. (2019), § 3.1.
    """
    draw, fate = torch.rand(2, *tokens.shape, generator=generator).to(tokens.device)
    chosen = (draw < masking.rate) & (tokens >= masking.n_special)
    some = torch.randint(masking.n_special, masking.n_tokens, tokens.shape, generator=generator).to(
        tokens.device
    )
    read = torch.where(chosen & (fate < masking.masked), masking.mask_id, tokens)
    to_random = chosen & (fate >= 1 - masking.random)
    return torch.where(to_random, some, read), chosen


def masked_batches(
    tokens: Int[Tensor, "N L"],
    masking: Masking,
    *,
    batch_size: int,
    copies: int | None = None,
    seed: int = 0,
) -> Iterator[MaskedBatch]:
    """Lotes sin fin: lo que se lee, lo que había y qué posiciones hay que adivinar.

    Sin `copies` la máscara es dinámica: cada vez que vuelve una secuencia se tapa de nuevo, como
    en RoBERTa. Con `copies=k` es estática: cada secuencia tiene k máscaras y se van turnando, como
    en BERT (k = 10). Fuente: Liu et al. (2019), § 4.1.
    Errores: `ValueError` si `copies` no es positivo o no hay secuencias para un lote.
    """
    if copies is not None and copies < 1:
        raise ValueError(f"copies={copies}: usa al menos una máscara, o None para que sea dinámica")
    if not 0 < batch_size <= len(tokens):
        raise ValueError(
            f"batch_size={batch_size} con {len(tokens)} secuencias: usa un tamaño entre 1 y "
            f"{len(tokens)}"
        )
    return endless_masks(tokens, masking, batch_size, copies, seed)


def endless_masks(
    tokens: Int[Tensor, "N L"], masking: Masking, batch_size: int, copies: int | None, seed: int
) -> Iterator[MaskedBatch]:
    """Lotes sin fin, vuelta tras vuelta: con máscaras fijas que se turnan, o siempre nuevas."""
    generator = torch.Generator().manual_seed(seed)
    fixed = [mask_tokens(tokens, masking, generator) for _ in range(copies or 0)]
    epoch = 0
    while True:
        order = torch.randperm(len(tokens), generator=generator)
        for rows in order[: len(order) // batch_size * batch_size].view(-1, batch_size):
            if fixed:
                read, chosen = (part[rows] for part in fixed[epoch % len(fixed)])
            else:
                read, chosen = mask_tokens(tokens[rows], masking, generator)
            yield read, tokens[rows], chosen
        epoch += 1


def pack_sequences(
    documents: list[list[int]], *, length: int, start_id: int, end_id: int
) -> Int[Tensor, "N L"]:
    """Empaqueta textos: seguidos, separados por `end_id` y cortados en ventanas sin relleno.

    Cada ventana empieza por `start_id` y acaba en `end_id`; lo que sobra al final se pierde. Se
    parece al «FULL-SENTENCES» de RoBERTa, que no parte oraciones: una ventana puede tener el final
    de un texto y el principio de otro. Fuente: Liu et al. (2019), § 4.2.
    Errores: `ValueError` si no da ni para una ventana.
    """
    stream = [number for ids in documents for number in (*ids, end_id)]
    inside = length - 2
    count = len(stream) // inside if inside > 0 else 0
    if count < 1:
        raise ValueError(
            f"{len(stream)} tokens no llenan una ventana de length={length}: usa una más corta "
            "(de tres o más) o más texto"
        )
    windows = torch.tensor(stream[: count * inside]).view(count, inside)
    edges = (windows.new_full((count, 1), number) for number in (start_id, end_id))
    first, last = edges
    return torch.cat([first, windows, last], dim=1)
