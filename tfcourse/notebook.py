"""Preparación de un cuaderno: semilla, hilos, perfil, dispositivo y controles en Colab."""

import os
import sys

from tfcourse.profile import profile

THREADS_VARIABLE = "TFCOURSE_HILOS"


def start_notebook(seed: int = 0) -> None:
    """Prepara el cuaderno y dice en qué condiciones va a correr.

    Fija la semilla y el número de hilos (`TFCOURSE_HILOS`; por omisión uno, que con modelos de
    aula va más deprisa que repartir tareas diminutas y da los mismos números en cada máquina),
    muestra el perfil y el dispositivo, y en Colab activa las figuras interactivas.
    """
    import torch

    from tfcourse.training import default_device, seed_everything

    seed_everything(seed)
    torch.set_num_threads(threads())
    if "google.colab" in sys.modules:
        from google.colab import output

        output.enable_custom_widget_manager()
    print(f"tfcourse · perfil «{profile()}» · dispositivo «{default_device()}» · semilla {seed}")


def threads() -> int:
    """Número de hilos de cálculo, según `TFCOURSE_HILOS`.

    Errores: `ValueError` si la variable no es un número entero positivo.
    """
    text = os.environ.get(THREADS_VARIABLE, "1")
    if not text.isdigit() or int(text) < 1:
        raise ValueError(
            f"{THREADS_VARIABLE}={text!r} no vale: escribe un número entero positivo, p. ej. 2"
        )
    return int(text)
