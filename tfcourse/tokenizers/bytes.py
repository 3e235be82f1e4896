"""Alfabeto de bytes: un carácter visible para cada uno de los 256 bytes."""

from functools import cache

N_BYTES = 256


@cache
def byte_characters() -> dict[int, str]:
    """Carácter con que se escribe cada byte: el suyo, si se ve; si no, uno a partir de «Ā».

    Así cada token es un texto que se puede imprimir y guardar; el espacio se escribe «Ġ».
    Fuente: código de GPT-2 (Radford et al., 2019).
    """
    visible = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1)]
    visible += range(ord("®"), ord("ÿ") + 1)
    hidden = [byte for byte in range(N_BYTES) if byte not in visible]
    table = {byte: chr(byte) for byte in visible}
    return table | {byte: chr(N_BYTES + extra) for extra, byte in enumerate(hidden)}


@cache
def _character_bytes() -> dict[str, int]:
    return {character: byte for byte, character in byte_characters().items()}


def to_byte_characters(text: str) -> str:
    """Un texto, byte a byte de su UTF-8, con el carácter que representa a cada byte."""
    table = byte_characters()
    return "".join(table[byte] for byte in text.encode("utf-8"))


def from_byte_characters(characters: str, errors: str = "replace") -> str:
    """El texto que hay detrás; `errors` dice qué hacer con los bytes que no forman un carácter."""
    table = _character_bytes()
    pieces = (
        bytes([table[character]]) if character in table else character.encode("utf-8")
        for character in characters
    )
    return b"".join(pieces).decode("utf-8", errors)
