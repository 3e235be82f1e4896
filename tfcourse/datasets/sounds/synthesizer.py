"""Voz sintética: lo que dice eSpeak NG, con los instantes en que empieza y acaba cada palabra.

La biblioteca y las voces llegan en el paquete `espeakng-loader`; se usan por `ctypes`, sin instalar
nada en el sistema. eSpeak NG guarda estado de una frase a la siguiente, así que cada frase se dice
con la biblioteca recién cargada: su sonido solo depende de lo que se pide.
"""

import _ctypes
import atexit
import ctypes
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.audio.resampling import resampled

NATIVE_RATE = 22_050  # muestras por segundo que da eSpeak NG
# De España y de Hispanoamérica; británico y de los Estados Unidos.
ACCENTS = {"es": ("es", "es-419"), "en": ("en", "en-us")}
RATES, PITCHES = (80, 450), (0, 99)

_SYNCHRONOUS, _WITH_PHONEMES, _DO_NOT_EXIT = 2, 1, 0x8000
_RATE, _PITCH, _UTF8 = 1, 3, 1
_END_OF_LIST, _WORD, _END, _PHONEME = 0, 1, 5, 7


@dataclass(frozen=True)
class Voice:
    """Una voz: acento, variante (el timbre), velocidad en palabras por minuto y tono de 0 a 99.

    Errores: `ValueError` si el acento, la velocidad o el tono no valen.
    """

    variant: str = ""
    accent: str = "es"
    rate: int = 160
    pitch: int = 50

    def __post_init__(self):
        known = [accent for accents in ACCENTS.values() for accent in accents]
        if self.accent not in known:
            raise ValueError(f"accent={self.accent!r}: usa {' o '.join(map(repr, known))}")
        for name, value, (low, high) in (
            ("rate", self.rate, RATES),
            ("pitch", self.pitch, PITCHES),
        ):
            if not low <= value <= high:
                raise ValueError(f"{name}={value}: tiene que estar entre {low} y {high}")

    @property
    def name(self) -> str:
        """El nombre con el que la conoce eSpeak NG: «es+f1»."""
        return f"{self.accent}+{self.variant}" if self.variant else self.accent


@dataclass(frozen=True)
class WordTime:
    """Una palabra y los segundos en los que empieza y acaba."""

    text: str
    start: float
    end: float


@dataclass(frozen=True)
class Speech:
    """Lo que dijo el sintetizador: ondas entre −1 y 1, muestras por segundo y palabras.

    `wave` tiene forma (T,).
    """

    wave: Float[Tensor, " T"]
    sample_rate: int
    words: tuple[WordTime, ...]


def speak(text: str, voice: Voice = Voice(), sample_rate: int = NATIVE_RATE) -> Speech:
    """Dice un texto con una voz sintética, en la lengua de su acento.

    Dos llamadas iguales dan lo mismo, muestra a muestra, aunque entre medias se diga otra cosa.
    Errores: `ModuleNotFoundError` si falta `espeakng-loader`; `ValueError` si el texto está vacío
    o si no existe la voz.
    """
    return speak_all([(text, voice)], sample_rate)[0]


def speak_all(
    requests: Sequence[tuple[str, Voice]], sample_rate: int = NATIVE_RATE
) -> list[Speech]:
    """Dice varios textos seguidos, cada uno con su voz: más deprisa que de uno en uno.

    La misma lista da siempre lo mismo; en otro orden, el ruido de las consonantes cambia.
    Errores: los de `speak`.
    """
    for text, _ in requests:
        if not text.strip():
            raise ValueError("no hay nada que decir: pasa un texto con alguna palabra")
    pieces: list[np.ndarray] = []
    events: list[tuple[int, int, int, int, bytes]] = []
    spoken = []
    with _fresh_library() as library:
        listener = _listener(pieces, events)
        library.espeak_SetSynthCallback(listener)
        for text, voice in requests:
            pieces.clear()
            events.clear()
            _synthesize(library, text, voice)
            wave = torch.from_numpy(np.concatenate(pieces)).float() / 2**15
            words = _word_times(text, events, len(wave) / NATIVE_RATE)
            spoken.append(Speech(resampled(wave, NATIVE_RATE, sample_rate), sample_rate, words))
    return spoken


def _synthesize(library: ctypes.CDLL, text: str, voice: Voice) -> None:
    """Elige la voz y dice el texto; el sonido lo recoge la función que escucha."""
    library.espeak_ng_SetRandSeed(0)
    # Con una variante que no existe, eSpeak NG pone la de siempre sin decir nada.
    known = not voice.variant or (_variants() / voice.variant).is_file()
    if not known or library.espeak_SetVoiceByName(voice.name.encode()) != 0:
        raise ValueError(
            f"eSpeak NG no tiene la voz {voice.name!r}: prueba con las variantes 'f1' a 'f5' o "
            "'m1' a 'm8'"
        )
    library.espeak_SetParameter(_RATE, voice.rate, 0)
    library.espeak_SetParameter(_PITCH, voice.pitch, 0)
    data = text.encode()
    library.espeak_Synth(data, len(data) + 1, 0, 1, 0, _UTF8, None, None)
    library.espeak_Synchronize()


def _word_times(text: str, events: list, seconds: float) -> tuple[WordTime, ...]:
    """Palabras con sus instantes: cada una acaba donde empieza la pausa o la palabra siguiente."""
    stops = [
        sample / NATIVE_RATE for kind, _, _, sample, phoneme in events
        if kind in (_WORD, _END) or (kind == _PHONEME and phoneme.startswith(b"_"))
    ]  # fmt: skip
    found = []
    for kind, place, length, sample, _ in events:
        if kind == _WORD:
            start = sample / NATIVE_RATE
            end = min((stop for stop in stops if stop > start), default=seconds)
            found.append(WordTime(text[place - 1 : place - 1 + length], start, end))
    return tuple(found)


class _Identifier(ctypes.Union):
    _fields_ = [
        ("number", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("string", ctypes.c_char * 8),
    ]


class _Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Identifier),
    ]


_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event)
)


def _listener(pieces: list, events: list):
    """Función a la que eSpeak NG entrega cada trozo de sonido y lo que pasa en él."""

    def receive(samples, count, happened):
        if count > 0 and samples:
            pieces.append(np.ctypeslib.as_array(samples, (count,)).copy())
        place = 0
        while happened[place].type != _END_OF_LIST:
            event = happened[place]
            name = event.id.string if event.type == _PHONEME else b""
            events.append((event.type, event.text_position, event.length, event.sample, name))
            place += 1
        return 0

    return _CALLBACK(receive)


@contextmanager
def _fresh_library() -> Iterator[ctypes.CDLL]:
    """La biblioteca, recién cargada y descargada al salir: así no recuerda lo que dijo antes."""
    library_path, data_path = _library_copy()
    library = ctypes.CDLL(library_path)
    library.espeak_ng_SetRandSeed.argtypes = [ctypes.c_long]
    rate = library.espeak_Initialize(
        _SYNCHRONOUS, 0, data_path.encode(), _WITH_PHONEMES | _DO_NOT_EXIT
    )
    try:
        if rate != NATIVE_RATE:
            raise ValueError(
                f"eSpeak NG ha respondido {rate} y debía dar {NATIVE_RATE} muestras por segundo: "
                "vuelve a instalar espeakng-loader"
            )
        yield library
    finally:
        library.espeak_Terminate()
        unload = getattr(_ctypes, "dlclose", None) or _ctypes.FreeLibrary
        unload(library._handle)


def _variants() -> Path:
    """Carpeta con un archivo por variante de voz."""
    return Path(_library_copy()[1]) / "voices" / "!v"


@cache
def _library_copy() -> tuple[str, str]:
    """Copia propia de la biblioteca y carpeta de las voces.

    Con una copia no se mezcla el estado con el de otro paquete que también use eSpeak NG.
    """
    try:
        import espeakng_loader
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "las voces sintéticas llegan con espeakng-loader: instálalo con "
            "«pip install espeakng-loader»"
        ) from None
    original = Path(espeakng_loader.get_library_path())
    folder = tempfile.mkdtemp(prefix="tfcourse-voz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return str(shutil.copy(original, folder)), espeakng_loader.get_data_path()
