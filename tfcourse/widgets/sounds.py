"""Figura interactiva de un sonido: su espectrograma, con la ventana, el muestreo y la escala."""

import base64
from collections.abc import Sequence

import numpy as np
import torch
import traitlets

from tfcourse.audio.mel import MelConfig, mel_corners
from tfcourse.plots.players import Sound
from tfcourse.widgets.base import CourseWidget, check_state_size, module_source, style_source

STEPS = (1, 2)  # por debajo de 3000 Hz hay navegadores que no reproducen


class SoundWidget(CourseWidget):
    """Figura de un sonido: se oye, y se mira con otra ventana, otro muestreo u otra escala.

    El navegador hace la transformada de Fourier; de Python llegan las muestras y el banco mel.

    Args:
        sounds: uno o varios `Sound`, con las mismas muestras por segundo.
        windows: tamaños de la ventana, en muestras: potencias de dos.
        n_mels: cuántos filtros tiene el banco mel.
        hop: muestras entre columnas, par.

    Raises:
        ValueError: si no hay sonidos, si no coinciden o si un tamaño no sirve.
    """

    _esm = module_source("drawing.js", "fourier.js", "waves.js", "sounds.js")
    _css = style_source("drawing.css", "sounds.css")

    state = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        sounds: Sequence[Sound],
        windows: Sequence[int] = (64, 128, 256, 512),
        n_mels: int = 24,
        hop: int = 40,
    ):
        rates = {sound.sample_rate for sound in sounds}
        if len(rates) != 1:
            raise ValueError(
                f"los sonidos tienen {sorted(rates)} muestras por segundo: hace falta uno o más, "
                "y todos a la misma frecuencia"
            )
        if (
            any(size < 16 or size & (size - 1) for size in windows)
            or hop % STEPS[-1]
            or not windows
        ):
            raise ValueError(
                f"windows={list(windows)} y hop={hop}: las ventanas son potencias de dos, de 16 en "
                f"adelante, y el salto, múltiplo de {STEPS[-1]}"
            )
        rate = rates.pop()
        config = MelConfig(rate, n_fft=max(windows), n_mels=n_mels)
        state = {
            "sounds": [{"title": s.label, "samples": encoded_wave(s.wave)} for s in sounds],
            "rate": rate,
            "windows": list(windows),
            "hop": hop,
            "steps": list(STEPS),
            "corners": _corners(config),
        }
        check_state_size(state)
        super().__init__(state=state)

    def summary(self) -> str:
        """Cuántos sonidos y a qué frecuencia."""
        return f"{len(self.state['sounds'])} sonidos a {self.state['rate']} Hz"


def encoded_wave(wave: torch.Tensor) -> str:
    """Muestras de 16 bits, en base64."""
    samples = (wave.clamp(-1, 1) * 32_767).round().short().numpy().astype("<i2")
    return base64.b64encode(samples.tobytes()).decode()


def _corners(config: MelConfig) -> list[float]:
    """Los vértices de los triángulos del banco, en hercios."""
    return np.round(mel_corners(config).numpy(), 3).tolist()
