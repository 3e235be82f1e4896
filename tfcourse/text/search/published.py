"""E5 al buscar: lo que se lee de cada documento, y qué hacer si el paquete no está."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from jaxtyping import Float
from torch import Tensor

from tfcourse.official.sentences import PASSAGE, QUERY, SentenceEncoder, packaged_e5

Encoder = Callable[..., Tensor]  # de unos textos y su clase, un vector por texto

MAX_TOKENS = 128  # de cada documento; casi todos los resúmenes caben


def reader(max_tokens: int = MAX_TOKENS) -> SentenceEncoder:
    """E5, que lee como mucho `max_tokens` tokens. Errores: los de `packaged_e5`."""
    return replace(packaged_e5(), max_tokens=max_tokens)


def reader_or_notice(max_tokens: int = MAX_TOKENS) -> SentenceEncoder | None:
    """Lo mismo; si el paquete falta o es otro, lo dice y no devuelve nada."""
    try:
        return reader(max_tokens)
    except (FileNotFoundError, ValueError) as error:
        print(f"E5 no está en este equipo: {error}")
        return None


def cosines(
    encoder: Encoder, queries: Sequence[str], documents: Float[Tensor, "N D"]
) -> Float[Tensor, "Q N"]:
    """El coseno de cada consulta con cada documento, que ya es un vector."""
    return encoder(queries, QUERY) @ documents.T


def document_vectors(encoder: Encoder, texts: Sequence[str]) -> Float[Tensor, "N D"]:
    """Un vector por documento. Con toda la colección son varios minutos de CPU."""
    return encoder(texts, PASSAGE)
