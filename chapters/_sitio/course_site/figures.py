"""Figuras interactivas: lo que llevan dentro va en un archivo, que se pide al acercarse a ellas.

Dentro de la página, los datos de una sola figura pesan más que todo el texto, y se los lleva
también quien no llega a verla.
"""

import hashlib
import json
import re
from os.path import relpath
from pathlib import Path

FOLDER = "_static/figuras"
TYPE = "application/vnd.jupyter.widget-state+json"
STATE = re.compile(rf'<script type="{re.escape(TYPE)}">(.*?)</script>', re.DOTALL)


def as_files(site: Path, page: Path, text: str) -> str:
    """La página con los datos de sus figuras en archivos, que se llaman según su contenido.

    Un archivo es un guion, y no un JSON, para que se pueda leer también sin servidor.
    """

    def saved(match: re.Match) -> str:
        state = json.loads(match[1])["state"]
        models = json.dumps(state, ensure_ascii=False, sort_keys=True)
        content = f"window.tfcourseFigures = {{ ...window.tfcourseFigures, ...{models} }};\n"
        target = site / FOLDER / f"{hashlib.sha256(content.encode()).hexdigest()[:16]}.js"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
        address = Path(relpath(target, page.parent)).as_posix()
        inside = " ".join(sorted(state))
        return f'<script type="{TYPE}" data-figuras="{inside}" data-archivo="{address}"></script>'

    return STATE.sub(saved, text)
