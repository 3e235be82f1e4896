"""Escribe las versiones más antiguas de PyTorch que el curso admite, como restricciones para pip.

Salen de las cotas inferiores de `pyproject.toml`, para no decirlas en dos sitios:
`python .ci/minimos.py > minimos.txt` y `pip install --constraint minimos.txt …`.
"""

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
# Se publican a la vez, y cada una pide la suya de las demás.
TOGETHER = ("torch", "torchvision", "torchaudio")
LOWER = re.compile(r"(?P<name>[\w-]+)>=(?P<version>\d+\.\d+)")


def oldest(requirements: list[str]) -> list[str]:
    """Las restricciones, `torch==2.6.*`, de los paquetes de PyTorch. Errores: `ValueError`."""
    found = [LOWER.match(requirement) for requirement in requirements]
    lower = {match["name"]: match["version"] for match in found if match}
    if missing := [name for name in TOGETHER if name not in lower]:
        raise ValueError(f"pyproject.toml no pone cota inferior a {', '.join(missing)}")
    return [f"{name}=={lower[name]}.*" for name in TOGETHER]


if __name__ == "__main__":
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    print("\n".join(oldest(project["dependencies"])))
