"""E5 al buscar: lo que se lee de cada documento, y qué hacer si el paquete no está."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from jaxtyping import Float
from torch import Tensor

from tfcourse.official.sentences import PASSAGE, QUERY, SentenceEncoder, packaged_e5

Encoder = Callable[..., Tensor]  # de unos textos y su clase, un vector por texto

MAX_TOKENS = 128  # de cada documento: cuántos resúmenes no caben se cuenta en la tabla


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


def n_tokens(encoder: SentenceEncoder, text: str, kind: str) -> int:
    """Los tokens de un texto entero, con su prefijo y los que van alrededor."""
    return len(encoder.tokenizer.encode(encoder.prefixes[kind] + text))


def read_part(encoder: SentenceEncoder, text: str, max_tokens: int = MAX_TOKENS) -> str:
    """Lo que E5 lee de un documento si solo lee `max_tokens`: el texto, sin lo que se recorta.

    Un documento que cabe sale como estaba; de los demás, las letras de los tokens leídos.
    """
    if n_tokens(encoder, text, PASSAGE) <= max_tokens:
        return text
    read = replace(encoder, max_tokens=max_tokens).numbers(text, PASSAGE)
    return encoder.tokenizer.decode(read).removeprefix(encoder.prefixes[PASSAGE])


def cosines(
    encoder: Encoder, queries: Sequence[str], documents: Float[Tensor, "N D"]
) -> Float[Tensor, "Q N"]:
    """El coseno de cada consulta con cada documento, que ya es un vector."""
    return encoder(queries, QUERY) @ documents.T


def document_vectors(encoder: Encoder, texts: Sequence[str]) -> Float[Tensor, "N D"]:
    """Un vector por documento. Con toda la colección son varios minutos de CPU."""
    return encoder(texts, PASSAGE)
