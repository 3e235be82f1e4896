"""Preparación de un cuaderno: primera celda, semilla, hilos, dispositivo y controles en Colab."""

import os
import sys

from tfcourse.profile import profile

THREADS_VARIABLE = "TFCOURSE_HILOS"
FIRST_CELL_TAGS = ("nbval-ignore-output", "preparacion")

FIRST_CELL = """\
# Preparación: en Colab instala el paquete; en tu equipo solo lo importa.
try:
    import tfcourse
except ModuleNotFoundError:
    %pip install -q "tfcourse @ git+{url}"
    import tfcourse

tfcourse.start_notebook(seed=0)"""


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


def repository_url(root: str | os.PathLike | None = None) -> str:
    """Dirección del repositorio, leída de `[project.urls]`.

    Con el paquete instalado sin su carpeta (Colab), se lee de los metadatos de la instalación.
    """
    from pathlib import Path

    root = Path(root or os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    path = root / "pyproject.toml"
    if path.exists():
        import tomllib

        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        return project["urls"]["Repositorio"].rstrip("/")
    from importlib.metadata import metadata

    urls = dict(entry.split(", ", 1) for entry in metadata("tfcourse").get_all("Project-URL"))
    return urls["Repositorio"].rstrip("/")


def first_cell(root: str | os.PathLike | None = None) -> str:
    """Primera celda de todos los cuadernos, con la dirección actual."""
    return FIRST_CELL.format(url=repository_url(root))
