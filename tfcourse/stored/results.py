"""Resultados guardados: una tabla medida una vez, con su receta, sus semillas y su huella."""

import hashlib
import json
import platform
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

import torch

FOLDER = Path(__file__).parent


def measuring_command(name: str) -> str:
    """La orden que vuelve a medir una tabla, en una copia del repositorio."""
    return f"python -m benchmarks {name}"


def fingerprint(settings: dict, rows: Sequence[dict]) -> str:
    """Huella sha256 de la receta y de las filas, escritas siempre igual."""
    text = json.dumps([settings, list(rows)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def save_results(
    name: str,
    settings: dict,
    rows: Sequence[dict],
    folder: Path = FOLDER,
    **conditions: str | float,
) -> Path:
    """Guarda las filas con la receta, la versión de PyTorch, el procesador y la huella.

    `conditions` es lo que se quiera decir además de cómo se midió: la GPU, las horas.
    """
    rounded = [
        {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}
        for row in rows
    ]
    content = {
        "settings": settings,
        "torch": torch.__version__,
        "machine": platform.machine(),
        **conditions,
        "sha256": fingerprint(settings, rounded),
        "rows": rounded,
    }
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in content.pop("rows"))
    head = json.dumps(content, ensure_ascii=False, indent=1)[:-2]
    path.write_text(f'{head},\n "rows": [\n{lines}\n ]\n}}\n', encoding="utf-8")
    return path


def load_results(name: str, settings: dict | None = None, folder: Path = FOLDER) -> list[dict]:
    """Lee las filas y comprueba que nadie las ha tocado y, si se da, que son de esta receta.

    Errores: `FileNotFoundError` si no existe; `ValueError` si la huella no coincide o si la
    receta de ahora es otra.
    """
    content = _read(name, folder)
    if settings is not None and content["settings"] != json.loads(json.dumps(settings)):
        changed = sorted(k for k in settings if content["settings"].get(k) != settings[k])
        raise ValueError(
            f"{name}.json se midió con otra receta (cambia {', '.join(changed)}): vuelve a medirla "
            f"con {measuring_command(name)} --escribir"
        )
    return content["rows"]


def load_settings(name: str, folder: Path = FOLDER) -> dict:
    """La receta con que se midió una tabla: pasos, semillas, tamaños y lo que ella declare.

    Errores: los de `load_results`.
    """
    return _read(name, folder)["settings"]


def load_conditions(name: str, folder: Path = FOLDER) -> dict:
    """Con qué se midió una tabla: la versión de PyTorch, el procesador y lo que ella diga.

    Errores: los de `load_results`.
    """
    content = _read(name, folder)
    return {key: content[key] for key in content if key not in ("settings", "sha256", "rows")}


def equal_time_steps(
    rows: Sequence[dict], column: str, reference: str, steps: int
) -> dict[str, int]:
    """Pasos que da cada uno en el tiempo en que `reference` da `steps`, según una tabla medida.

    Las filas dicen en `column` de quién son y en `steps` cuántos pasos dio, todos en el mismo
    tiempo. Una carrera repartida así es la misma en cualquier equipo, esté o no ocupado.
    Errores: `ValueError` si `reference` no está en la tabla.
    """
    names = dict.fromkeys(row[column] for row in rows)
    if reference not in names:
        raise ValueError(f"«{reference}» no está en la tabla: usa {', '.join(names)}")
    paces = {name: mean(row["steps"] for row in rows if row[column] == name) for name in names}
    return {name: max(1, round(steps * pace / paces[reference])) for name, pace in paces.items()}


def _read(name: str, folder: Path) -> dict:
    path = folder / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(f"no hay resultados guardados con el nombre {name!r} en {folder}")
    content = json.loads(path.read_text(encoding="utf-8"))
    if fingerprint(content["settings"], content["rows"]) != content["sha256"]:
        raise ValueError(f"{path.name} no coincide con su huella: alguien ha cambiado un número")
    return content
