"""Node: dónde está y qué herramientas suyas usa el sitio, con las versiones de su candado.

Como programa, instala lo que fija el `package-lock.json` de la carpeta que se le dice. Lo llama
`make`, con `.ci` para el libro y sus pruebas y con `.ci/lighthouse` para medir la rapidez.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / ".ci"
OLDEST = 20
ADVICE = (
    f"hace falta Node {OLDEST} o más nuevo para componer las fórmulas del sitio: "
    "«make preparar» lo instala en .venv; también sirve el de tu sistema"
)


class NodeError(RuntimeError):
    """Falta Node, o una de sus herramientas ha fallado."""


def program(name: str) -> str:
    """Ruta de `node`, `npm` o `npx`: mejor el de este entorno que el del sistema."""
    ours = shutil.which(name, path=str(Path(sys.executable).parent))
    path = ours or shutil.which(name)
    if path is None:
        raise NodeError(f"no se encuentra «{name}»: {ADVICE}")
    return path


def environment() -> dict[str, str]:
    """Variables con las que `npm` encuentra el Node elegido y no otro."""
    folder = str(Path(program("node")).parent)
    return os.environ | {"PATH": os.pathsep.join([folder, os.environ.get("PATH", "")])}


def package(name: str) -> Path:
    """Carpeta de una herramienta instalada."""
    folder = FOLDER / "node_modules" / name
    if not folder.is_dir():
        raise NodeError(f"falta la herramienta «{name}»: ejecuta «make libro», que la instala")
    return folder


def check_version() -> None:
    """Termina si el Node que hay es demasiado antiguo."""
    text = subprocess.run([program("node"), "--version"], capture_output=True, text=True).stdout
    if int(text.strip().lstrip("v").split(".")[0] or 0) < OLDEST:
        raise NodeError(f"el Node de este equipo es el {text.strip()}: {ADVICE}")


def install(folder: Path = FOLDER) -> None:
    """Instala las herramientas de una carpeta con las versiones y las huellas de su candado."""
    check_version()
    command = [program("npm"), "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    if subprocess.run(command, cwd=folder, env=environment()).returncode:
        raise NodeError("npm no ha podido instalar las herramientas: mira el mensaje de arriba")


if __name__ == "__main__":
    try:
        install(Path(sys.argv[1]))
    except NodeError as error:
        sys.exit(f"Error: {error}")
