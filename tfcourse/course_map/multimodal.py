"""Las filas del mapa: multimodal."""

from tfcourse.clip_recipes import build_clip
from tfcourse.course_map.rows import Row
from tfcourse.datasets.generalist import SPACE
from tfcourse.mmbt_recipes import build_mmbt
from tfcourse.models.fusion import VARIANTS, FusionClassifier, FusionConfig, Variant
from tfcourse.models.gato import Gato, GatoConfig

FUSION, TOGETHER = "6_multimodal/24_fusion", "6_multimodal/25_generalistas"
LOOKS = {"todas": "todos", "propia": "propia", "otra": "la otra"}


def fusion_row(name: str, variant: Variant) -> Row:
    """Una de las seis maneras de juntar: sus patrones son los de la variante."""
    whole = variant.first == variant.second
    looks = (("todas las capas", LOOKS[variant.first]),)
    if not whole:
        looks = (("primera mitad", LOOKS[variant.first]), ("segunda mitad", LOOKS[variant.second]))
    return Row(
        f"Fusión: {name}", FUSION, lambda: FusionClassifier(FusionConfig(name)),
        "parches y columnas, sumados" if variant.added else "parches y columnas", "qué cifra es",
        "una capa sobre la media", looks=looks, reads="image_tokens", writes="head",
    )  # fmt: skip


GENERALISTS = (
    Row(
        "MMBT", TOGETHER, lambda: build_mmbt("las dos"),
        "casillas de un dibujo y trozos de palabra", "de qué grupo es un dibujo con nombre",
        "una capa sobre la media",
        looks=(("dibujo y palabras", "todos"),), reads="image_tokens", writes="head",
    ),
    Row(
        "CLIP", TOGETHER, build_clip, "casillas de un dibujo; trozos de palabra, aparte",
        "qué texto va con qué imagen", "un coseno entre dos vectores",
        looks=(("dentro de cada torre", "propia"),),
        reads="text_tower.embedding.table", writes="text_projection",
    ),
    Row(
        "Gato", TOGETHER, lambda: Gato(GatoConfig(len(SPACE))),
        "palabras, parches, trozos de sonido, números y acciones",
        "el token siguiente, si es texto o acción", "la tabla de tokens, al revés",
        looks=(("la fila", "causal"),), reads="table", writes="table",
    ),
)  # fmt: skip
ROWS = (*(fusion_row(name, variant) for name, variant in VARIANTS.items()), *GENERALISTS)
