"""Reproductores: sonidos que se oyen en el cuaderno y en la página, sin nada de fuera."""

import base64
import io
import wave as wav
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from torch import Tensor

from tfcourse.audio.resampling import seconds_of
from tfcourse.audio.signals import check_rate, check_wave
from tfcourse.plots.style import spanish_number

MAX_BYTES = 70_000  # unos dos segundos a 16 kHz
_FOLDER = Path(__file__).parent.parent / "widgets"
_MIME = "audio/wav"


@dataclass(frozen=True)
class Sound:
    """Un sonido y su nombre: onda mono (T,) entre −1 y 1, y muestras por segundo.

    Errores: `TypeError` o `ValueError` si la onda no se puede oír, si es estéreo, si no tiene
    nombre o si pesa más de `MAX_BYTES`.
    """

    label: str
    wave: Tensor
    sample_rate: int

    def __post_init__(self):
        check_wave(self.wave)
        check_rate(self.sample_rate)
        if self.wave.ndim != 1:
            raise ValueError(
                f"«{self.label}» llegó con forma {tuple(self.wave.shape)}: se oye un solo canal, "
                "(T,); promedia los canales con wave.mean(dim=0)"
            )
        if not self.label.strip():
            raise ValueError("el sonido no tiene nombre: di en `label` qué se oye")
        if 2 * len(self.wave) > MAX_BYTES:
            raise ValueError(
                f"«{self.label}» ocupa {2 * len(self.wave) // 1000} kB y el límite es "
                f"{MAX_BYTES // 1000} kB: recórtalo o baja sample_rate"
            )

    @property
    def seconds(self) -> float:
        """Cuánto dura."""
        return seconds_of(self.wave, self.sample_rate)


class AudioPlayer:
    """Uno o varios sonidos con su nombre y su mando; se maneja con el teclado.

    Se muestra al dejarlo como última expresión de una celda. En el cuaderno, el sonido va dentro;
    el sitio lo saca a un archivo, que solo se pide cuando alguien lo pone en marcha. `figure` es el
    nombre de la figura que dibuja lo que se oye, si la hay.
    Errores: `ValueError` si no hay sonidos o si dos se llaman igual.
    """

    def __init__(self, *sounds: Sound, figure: str | None = None):
        if not sounds or len({sound.label for sound in sounds}) < len(sounds):
            raise ValueError(
                f"llegaron los sonidos {[sound.label for sound in sounds]}: hace falta al menos "
                "uno, y cada uno con su propio nombre"
            )
        self.sounds = sounds
        self.figure = figure

    def __repr__(self) -> str:
        return "\n".join(f"♪ {_title(sound)}" for sound in self.sounds)

    def _repr_html_(self) -> str:
        """Los mandos, en HTML."""
        rows = "".join(_row(sound) for sound in self.sounds)
        seen = ""
        if self.figure:
            seen = f'<p class="tfc-seen"><a href="#{escape(self.figure)}">Ver dibujado</a></p>'
        return f'<div class="tfc tfc-player" lang="es"><style>{_style()}</style>{rows}{seen}</div>'


def wav_bytes(wave: Tensor, sample_rate: int) -> bytes:
    """Archivo WAV de 16 bits y un canal; lo que pase de ±1 se recorta."""
    samples = (wave.clamp(-1, 1) * 32_767).round().short()
    content = io.BytesIO()
    with wav.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes(samples.cpu().numpy().astype("<i2").tobytes())
    return content.getvalue()


def _title(sound: Sound) -> str:
    return f"{sound.label} ({spanish_number(sound.seconds, 1)} s)"


def _row(sound: Sound) -> str:
    data = base64.b64encode(wav_bytes(sound.wave, sound.sample_rate)).decode()
    name = escape(_title(sound), quote=True)
    return (
        f'<figure class="tfc-sound"><figcaption>{name}</figcaption>'
        f'<audio controls preload="none" aria-label="{name}" src="data:{_MIME};base64,{data}">'
        f"Tu navegador no reproduce sonidos.</audio></figure>"
    )


@cache
def _style() -> str:
    names = ("palette.css", "players.css")
    return "".join((_FOLDER / name).read_text(encoding="utf-8") for name in names)
