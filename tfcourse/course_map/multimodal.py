"""Las filas del mapa: multimodal."""

from tfcourse.course_map.rows import Row, shipped
from tfcourse.datasets.agents.generalist import SPACE
from tfcourse.datasets.records.patient_records import record_tokenizer
from tfcourse.models.answer_classifier import AnswerClassifier
from tfcourse.models.clip import Siglip
from tfcourse.models.clip_published import (
    ClipImageTower,
    ClipTextTower,
    PublishedClip,
    QuickGELU,
)
from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.models.fusion import VARIANTS, FusionClassifier, FusionConfig, Variant
from tfcourse.models.gato import Gato, GatoConfig
from tfcourse.models.late_fusion import (
    BottleneckClassifier,
    BottleneckEncoder,
    JointHeadClassifier,
)
from tfcourse.models.risk import RiskHead
from tfcourse.models.segmented_bert import SegmentedLM
from tfcourse.models.siglip_published import (
    AttentionPooling,
    PublishedSiglip,
    SiglipImageTower,
    SiglipTextTower,
)
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.multimodal.dialogue import reader, tower
from tfcourse.multimodal.dialogue.form import image_id
from tfcourse.multimodal.pictures import clip, mmbt
from tfcourse.multimodal.records import recipe as records
from tfcourse.multimodal.video import recipe as video

FUSION, PAIRS = "6_multimodal/fusion", "6_multimodal/imagen_y_texto"
LINES, AGENT = "6_multimodal/video_e_historias", "6_multimodal/gato"
TALKING, DRAWING = "6_multimodal/dialogo", "6_multimodal/generar"
N_VIDEO_TOKENS = 54  # los especiales, las palabras de las frases y las visuales
# Con las seis variantes se explican las que se juntan casi al final.
LATE = (BottleneckClassifier, BottleneckEncoder, JointHeadClassifier)
PUBLISHED = (PublishedClip, ClipImageTower, ClipTextTower, QuickGELU)
PUBLISHED_SIGLIP = (PublishedSiglip, SiglipImageTower, SiglipTextTower, AttentionPooling)
LOOKS = {"todas": "todos", "propia": "propia", "otra": "la otra"}


def video_bert() -> SegmentedLM:
    """El que se entrena en la página."""
    return video.build(video.Recipe(), N_VIDEO_TOKENS)


def med_bert() -> SegmentedLM:
    """El Med-BERT que viene con el curso, sin entrenar."""
    return records.build(records.LONG, len(record_tokenizer()))


def talker() -> VisionLanguage:
    """El modelo que conversa sobre una imagen, sin entrenar."""
    seeing = tower.build(tower.Recipe())
    return VisionLanguage(seeing, reader.build(reader.Recipe()), image_id(), 2, 64)


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
        also=LATE,
    )  # fmt: skip


GENERALISTS = (
    Row(
        "MMBT", PAIRS, lambda: mmbt.build(mmbt.Recipe()),
        "casillas de un dibujo y trozos de palabra", "de qué grupo es un dibujo con nombre",
        "una capa sobre la media",
        looks=(("dibujo y palabras", "todos"),), reads="image_tokens", writes="head",
    ),
    Row(
        "CLIP", PAIRS, lambda: clip.build(clip.Recipe()),
        "casillas de un dibujo; trozos de palabra, aparte",
        "qué texto va con qué imagen", "un coseno entre dos vectores",
        looks=(("dentro de cada torre", "propia"),),
        reads="text_tower.embedding.table", writes="text_projection",
        also=(Siglip, *PUBLISHED, *PUBLISHED_SIGLIP),
    ),
    Row(
        "VideoBERT", LINES, video_bert, "palabras visuales y palabras",
        "los tokens que se han tapado, de las dos", "la tabla de tokens, al revés",
        looks=(("vídeo y frase", "todos"),), reads="bert.embedding.table", writes="head",
    ),
    Row(
        "Med-BERT", LINES, med_bert, "códigos, edad y tiempos", "los códigos que se han tapado",
        "la tabla de tokens, al revés", looks=(("la historia", "todos"),),
        reads="bert.embedding.table", writes="head",
    ),
    Row(
        "Med-BERT ajustado", LINES, lambda: RiskHead(med_bert().bert),
        "códigos, edad y tiempos", "si ocurrirá algo, con pocas etiquetas",
        "una capa sobre la media y el máximo", looks=(("la historia", "todos"),),
        reads="bert.embedding.table", writes="output",
    ),
    Row(
        "Gato", AGENT, lambda: Gato(GatoConfig(len(SPACE))),
        "palabras, parches, trozos de sonido, números y acciones",
        "el token siguiente, si es texto o acción", "la tabla de tokens, al revés",
        looks=(("la fila", "causal"),), reads="table", writes="table",
    ),
    Row(
        "Torre, proyector y GPT", TALKING, talker, "parches de una imagen y palabras",
        "las palabras de la respuesta", "la tabla de tokens, al revés",
        looks=(("la torre", "todos"), ("el lector", "causal")),
        reads="language.embedding", writes="language.embedding", also=(AnswerClassifier,),
    ),
    Row(
        "DiT", DRAWING, lambda: DiT(DiTConfig(**shipped("dit_cifras"))),
        "parches de una imagen con ruido", "hacia dónde se mueve cada píxel",
        "una imagen, parche a parche", looks=(("los parches", "todos"),),
        reads="embedding", writes="head",
    ),
)  # fmt: skip
ROWS = (*(fusion_row(name, variant) for name, variant in VARIANTS.items()), *GENERALISTS)
