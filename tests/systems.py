"""Programas del sistema que algunas pruebas necesitan: se omiten por su nombre o se exigen."""

import os
import shutil

import pytest

NAMES = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "aspell": ("aspell",),
    "bubblewrap": ("bwrap",),
}
PACKAGES = {"chromium": "chromium", "aspell": "aspell aspell-es", "bubblewrap": "bubblewrap"}


def find_system(name: str) -> str | None:
    """Ruta de un programa del sistema, o `None` si no está instalado."""
    return next((path for option in NAMES[name] if (path := shutil.which(option))), None)


def require_system(name: str) -> str:
    """Ruta del programa; si falta, la prueba se omite (o falla si `TFCOURSE_EXIGIR=1`)."""
    path = find_system(name)
    if path is None:
        notice = f"falta «{name}»: instálalo con «apt-get install {PACKAGES[name]}»"
        if os.environ.get("TFCOURSE_EXIGIR") == "1":
            pytest.fail(notice)
        pytest.skip(notice)
    return path
