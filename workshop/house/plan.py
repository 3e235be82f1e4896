"""El plano de la casa: en qué piso vive cada carpeta de `tfcourse` y a quién puede mirar.

Se importa hacia abajo, nunca hacia arriba ni al vecino de piso. Las tablas de este archivo son todo
lo que hay que cambiar para abrir una carpeta nueva; las reglas que las leen están en `rules`.
"""

from tfcourse.weights import WINGS as WINGS

PACKAGE = "tfcourse"

# Piso → lo que vive en él: carpetas y los pocos módulos sueltos.
FLOORS = {
    1: (
        "profile",
        "watch",
        "files",
        "spanish_cli",
        "moved",
        "geometry",
        "audio",
        "weights",
        "stored",
    ),
    2: ("tokenizers", "layers", "plots"),
    3: ("datasets", "models", "losses", "decoding", "training", "widgets"),
    4: ("metrics", "notebook", "official"),
    5: ("text", "vision", "sound"),
    6: ("multimodal",),
    7: ("course_map",),
}
FLOOR_NAMES = {
    1: "El suelo",
    2: "Las piezas",
    3: "Datos, modelos y cómo aprenden",
    4: "Medir y empezar",
    5: "Las alas: texto, visión y sonido",
    6: "El ala multimodal",
    7: "El tejado",
}
# Fuera de los pisos: no son biblioteca. A cada una solo la importan las que se dicen.
APART = {
    "exercises": ("bank", "projects", "teaching", "__main__"),
    "quiz": (),
    "bank": ("teaching",),
    "projects": ("teaching",),
    "teaching": ("__main__",),
}
# Lo que `__main__` no carga al arrancar, sino dentro de la orden que lo usa.
LAZY = ("exercises",)
# Vecinos de piso que sí se miran, con su motivo.
NEIGHBOURS: dict[tuple[str, str], str] = {
    ("stored", "profile"): "una tabla de `completo` solo se mide en ese perfil",
}
# Quien mira a menos de lo que su piso le deja.
ONLY = {
    "__init__": ("notebook", "profile", "moved"),
    "datasets": ("tokenizers", "audio", "geometry", "stored", "files", "profile"),
    "models": ("layers", "tokenizers", "audio", "geometry"),
    "exercises": ("watch",),
    "quiz": (),
    "bank": ("exercises", "watch", "datasets.tasks.numbers"),
    "projects": ("exercises", "watch", "weights.shipped"),
    "teaching": (
        "exercises",
        "bank.registry",
        "projects.drivers",
        "projects.lending",
        "projects.steps.registry",
        "files",
        "spanish_cli",
        "watch",
        "notebook",
        "training.progress",
    ),
}

# Las alas, `WINGS`, se dividen en cuartos, uno por tema: `tfcourse/<ala>/<cuarto>/`. Los archivos
# de un cuarto suelen llamarse así.
ROOM_FILES = ("losses", "decoding", "metrics", "plots", "recipe", "full")

# Módulos que pueden estar sueltos en la raíz del paquete.
LOOSE = ("__init__", "__main__", "profile", "notebook", "files", "spanish_cli", "watch")
# Estanterías en las que un nombre de archivo no se repite y un archivo diminuto se justifica.
SHELVES = ("layers", "datasets")
# Archivo de menos de `MIN_FILE` líneas en una estantería → por qué no va dentro de otro.
SMALL: dict[str, str] = {}
# Lo que `tfcourse` no puede importar: no viaja con el paquete instalado.
OUTSIDE = ("workshop", "benchmarks", "tests", "course_site")

MIN_FILE, MAX_FILE, MAX_FUNCTION = 20, 300, 60


def floor_of(folder: str) -> int | None:
    """El piso de una carpeta o de un módulo suelto; ninguno, si no está en el plano."""
    return next((floor for floor, names in FLOORS.items() if folder in names), None)
