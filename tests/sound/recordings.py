"""Grabaciones de mentira: zumbidos en la carpeta y con los nombres de las de verdad."""

import numpy as np
import soundfile

RATE = 8_000


def record(folder, hertz: float) -> None:
    """Diez «cifras»: zumbidos con armónicos, con silencio a los lados."""
    folder.mkdir(parents=True)
    time = np.arange(RATE // 2) / RATE
    for digit in range(10):
        hum = sum(np.sin(2 * np.pi * hertz * k * time) / k for k in (1, 2, 3 + digit % 3))
        soundfile.write(folder / f"{digit}.wav", np.pad(0.2 * hum, 800), RATE)
