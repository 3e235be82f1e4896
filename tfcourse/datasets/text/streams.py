"""Texto corrido: un alfabeto reducido, y ventanas seguidas para leerlo sin perder el hilo."""

import unicodedata
from collections.abc import Iterator

import torch
from jaxtyping import Bool, Int
from torch import Tensor

OTHER = "·"  # lo que no está en el alfabeto
LETTERS = "abcdefghijklmnopqrstuvwxyzáéíóúüñABCDEFGHIJKLMNOPQRSTUVWXYZÁÉÍÓÚÑ"
SPANISH_CHARACTERS = LETTERS + "0123456789 \n.,;:()«»\"'¿?¡!-–—/%°" + OTHER

Window = tuple[Int[Tensor, "B T"], Int[Tensor, "B T"], Bool[Tensor, "B"]]


def simplify_text(text: str) -> str:
    """Texto con el alfabeto del curso, de la misma longitud.

    Una letra con un signo raro pierde el signo («ā» → «a»); lo demás que no está en
    `SPANISH_CHARACTERS` se escribe «·».
    """
    return text.translate({ord(char): _simplest(char) for char in set(text)})


def _simplest(char: str) -> str:
    if char in SPANISH_CHARACTERS:
        return char
    base = unicodedata.normalize("NFD", char)[0]
    return base if base in SPANISH_CHARACTERS else OTHER


def text_streams(ids: Int[Tensor, "N"], batch_size: int) -> Int[Tensor, "B M"]:
    """Parte un texto numerado en `batch_size` tiras de igual longitud, una debajo de otra.

    Errores: `ValueError` si cada tira no llega a dos símbolos.
    """
    length = len(ids) // max(batch_size, 1)
    if batch_size < 1 or length < 2:
        raise ValueError(
            f"un texto de {len(ids)} símbolos no se parte en batch_size={batch_size} tiras de al "
            "menos dos: usa menos tiras o un texto más largo"
        )
    return ids[: batch_size * length].view(batch_size, length)


def stream_windows(
    ids: Int[Tensor, "N"],
    *,
    batch_size: int,
    window: int,
    repeat: bool = True,
    restart: int | None = None,
) -> Iterator[Window]:
    """Ventanas seguidas de cada tira: la siguiente empieza donde acabó la anterior.

    Da `(entradas, objetivos, recién_empezada)`: los objetivos son las entradas un paso más
    adelante, y el último tensor dice qué tiras empiezan de nuevo y no heredan el estado. Con
    `repeat=False` se recorre el texto una vez, y la última ventana puede ser más corta. Con
    `restart`, cada tantas ventanas todas las tiras empiezan de nuevo: quien guarda puntos de
    control a la vez no necesita guardar el estado.
    Errores: `ValueError` si `window` o `restart` no son positivos.
    """
    if window < 1 or (restart is not None and restart < 1):
        raise ValueError(
            f"window={window} y restart={restart}: una ventana lee al menos un símbolo, y se "
            "empieza de nuevo como mucho en cada una"
        )
    return _windows(text_streams(ids, batch_size), window, repeat, restart)


def _windows(
    streams: Int[Tensor, "B M"], window: int, repeat: bool, restart: int | None
) -> Iterator[Window]:
    last = streams.shape[1] - 1
    # Al entrenar, todas las ventanas miden lo mismo, salvo que el texto sea más corto que una.
    end = last - last % window if repeat and last >= window else last
    number = 0
    while True:
        for start in range(0, end, window):
            stop = min(start + window, last)
            begins = start == 0 or (restart is not None and number % restart == 0)
            fresh = torch.full((len(streams),), begins, device=streams.device)
            yield streams[:, start:stop], streams[:, start + 1 : stop + 1], fresh
            number += 1
        if not repeat:
            return
