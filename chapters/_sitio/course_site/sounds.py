"""Sonidos: los que un cuaderno lleva dentro se sacan a archivos, que se piden al ponerlos."""

import base64
import hashlib
import re
from os.path import relpath
from pathlib import Path

FOLDER = "_sonidos"
INSIDE = re.compile(r'src="data:audio/wav;base64,([A-Za-z0-9+/=]+)"')


def as_files(site: Path, page: Path, text: str) -> str:
    """La página con sus sonidos en archivos, que se llaman según su contenido."""

    def saved(match: re.Match) -> str:
        content = base64.b64decode(match[1])
        target = site / FOLDER / f"{hashlib.sha256(content).hexdigest()[:16]}.wav"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(content)
        return f'src="{Path(relpath(target, page.parent)).as_posix()}"'

    return INSIDE.sub(saved, text)
