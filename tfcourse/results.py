"""Resultados guardados: una tabla medida una vez, con su receta, sus semillas y su huella."""

import hashlib
import json
import platform
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import torch

FOLDER = Path(__file__).parent / "stored"
# Las que se vuelven a medir con «python -m tfcourse tablas». Cada módulo tiene `settings()`, la
# receta entera, y `measure(seeds)`, que da las filas según salen.
TABLES = {
    "recetas_profundas": "tfcourse.deep_recipes",
    "etiquetas_bert": "tfcourse.label_curves",
    "t5_reparto": "tfcourse.task_comparison",
    "pix2seq": "tfcourse.pix2seq_study",
    "sentimiento_resenas": "tfcourse.sentiment_tables",
    "sentimiento_cine": "tfcourse.snippet_table",
    "vision_cifras": "tfcourse.vision_study",
    "deteccion": "tfcourse.detection_table",
    "segmentacion": "tfcourse.segmentation_table",
    "pose": "tfcourse.pose_table",
    "fusion": "tfcourse.fusion_table",
    "gato": "tfcourse.gato_table",
    "dibujos": "tfcourse.pictures_table",
    "medbert": "tfcourse.medbert_table",
    "destilacion": "tfcourse.distillation_study",
    "hibridos": "tfcourse.hybrid_recipes",
    "jerarquia": "tfcourse.hierarchy_recipes",
    "voz_real": "tfcourse.real_voice",
    "whisper_voz_real": "tfcourse.real_phrases",
    "whisper_ayudas": "tfcourse.whisper_table",
    "etiquetas_voz": "tfcourse.voice_labels",
    "separacion": "tfcourse.separation_study",
    "separacion_voz_real": "tfcourse.real_mixtures",
}


def table_module(name: str):
    """El módulo que mide una tabla. Errores: `ValueError` si no hay ninguna con ese nombre."""
    if name not in TABLES:
        raise ValueError(f"no hay ninguna tabla «{name}»: usa {', '.join(TABLES)}")
    return import_module(TABLES[name])


def measuring_command(name: str) -> str:
    """La orden que vuelve a medir una tabla; las de `benchmarks`, cada una con la suya."""
    return f"python -m {f'tfcourse tablas {name}' if name in TABLES else f'benchmarks.{name}'}"


def fingerprint(settings: dict, rows: Sequence[dict]) -> str:
    """Huella sha256 de la receta y de las filas, escritas siempre igual."""
    text = json.dumps([settings, list(rows)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def save_results(name: str, settings: dict, rows: Sequence[dict], folder: Path = FOLDER) -> Path:
    """Guarda las filas con la receta, la versión de PyTorch, el procesador y la huella."""
    rounded = [
        {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}
        for row in rows
    ]
    content = {
        "settings": settings,
        "torch": torch.__version__,
        "machine": platform.machine(),
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
    path = folder / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(f"no hay resultados guardados con el nombre {name!r} en {folder}")
    content = json.loads(path.read_text(encoding="utf-8"))
    if fingerprint(content["settings"], content["rows"]) != content["sha256"]:
        raise ValueError(f"{path.name} no coincide con su huella: alguien ha cambiado un número")
    if settings is not None and content["settings"] != json.loads(json.dumps(settings)):
        changed = sorted(k for k in settings if content["settings"].get(k) != settings[k])
        raise ValueError(
            f"{path.name} se midió con otra receta (cambia {', '.join(changed)}): vuelve a medirla "
            f"con {measuring_command(name)} --escribir"
        )
    return content["rows"]
