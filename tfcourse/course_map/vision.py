"""Las filas del mapa: visión."""

from tfcourse.course_map.rows import Row, shipped
from tfcourse.models.anchored_detr import AnchoredConfig, AnchoredDETR, LearnedStart
from tfcourse.models.bottom_up import BottomUpConfig, BottomUpPose
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.convnext import ConvNeXt, ConvNeXtConfig
from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.models.detr import DETR, DETRConfig
from tfcourse.models.hybrid import Hybrid
from tfcourse.models.masked_autoencoder import MAEConfig, MaskedAutoencoder
from tfcourse.models.maskformer_published import (
    GroupedPixelDecoder,
    PublishedMaskFormer,
    SwinPixelReader,
)
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.models.segmentation import Mask2Former, MaskFormer, MaskFormerConfig
from tfcourse.models.self_distillation import (
    Observer,
    PrototypeHead,
)
from tfcourse.models.setr import SETR, SETRConfig
from tfcourse.models.swin import Swin, SwinConfig
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.models.vit_published import (
    DinoEncoder,
    RegisteredDino,
    RegisteredEncoder,
    ScaledResidual,
    ViTEncoder,
)
from tfcourse.models.vitpose_published import ClassicMaps, PublishedPose, SimpleMaps
from tfcourse.vision.classification.recipe import CONTESTANTS, build
from tfcourse.vision.hierarchy.hybrid import BACKBONE, NEW
from tfcourse.vision.self_supervision import teacher

N_DIGITS = 10
VIT, VARIANTS = "4_vision/vision_transformer", "4_vision/variantes"
UNLABELLED = "4_vision/autosupervision"
DETECTION, ANCHORS, BOXES = "4_vision/detr", "4_vision/anclas", "4_vision/pix2seq"
MASKS, POSE = "4_vision/segmentacion", "4_vision/pose"
ALL = (("los parches", "todos"),)
# Los que se publican sin clasificador.
ENCODERS = (ViTEncoder,)
REGISTERED = (DinoEncoder, ScaledResidual, RegisteredEncoder, RegisteredDino)
QUERIES = (
    ("la imagen", "todos"), ("las consultas", "todos"), ("las consultas a la imagen", "cruzada"),
)  # fmt: skip


def hybrid() -> Hybrid:
    """Un ViT sobre la convolucional que aprendió las otras cifras."""
    return Hybrid(ViTConfig(len(NEW)), SmallCnn(CnnConfig(len(NEW), **BACKBONE)))


CLASSIFIERS = (
    Row(
        "Red convolucional", VIT, lambda: build(CONTESTANTS["CNN"]), "píxeles", "qué cifra es",
        "una clase por cifra", instead="ventanas de píxeles vecinos", writes="head",
    ),
    Row(
        "Vision Transformer", VIT, lambda: ViT(ViTConfig(N_DIGITS)), "parches", "qué cifra es",
        "una capa sobre un token añadido", looks=ALL, reads="embedding", writes="head",
        also=ENCODERS,
    ),
    Row(
        "DeiT", VARIANTS, lambda: DeiT(DeiTConfig(N_DIGITS)), "parches",
        "qué cifra es, y qué diría otra red", "dos capas sobre dos tokens añadidos", looks=ALL,
        reads="embedding", writes="head",
    ),
    Row(
        "Híbrido", VARIANTS, hybrid, "casillas de un mapa de convoluciones", "qué cifra es",
        "una capa sobre un token añadido", looks=(("las casillas", "todos"),),
        reads="embedding.projection", writes="head",
    ),
    Row(
        "Swin", VARIANTS, lambda: Swin(SwinConfig(N_DIGITS)), "parches, cada vez mayores",
        "qué cifra es", "una capa sobre la media",
        looks=(("una capa", "por ventanas"), ("la siguiente", "ventanas desplazadas")),
        reads="embedding", writes="head",
    ),
    Row(
        "ConvNeXt", VARIANTS, lambda: ConvNeXt(ConvNeXtConfig(N_DIGITS)),
        "casillas de un mapa de convoluciones", "qué cifra es", "una capa sobre la media",
        instead="una ventana de casillas vecinas, canal a canal",
        reads="reductions.0.0.convolution", writes="head",
    ),
)  # fmt: skip
SELF_TAUGHT = (
    Row(
        "MAE", UNLABELLED, lambda: MaskedAutoencoder(MAEConfig(**shipped("mae_cifras"))),
        "los parches que se ven", "los píxeles de los parches tapados", "una capa por parche",
        looks=(("los parches que se ven", "todos"), ("todos, al pintar", "todos")),
        reads="encoder.embedding", writes="head",
    ),
    Row(
        "DINO", UNLABELLED, lambda: teacher.build(teacher.SHIPPED), "parches",
        "lo que dice el maestro de otra vista", "el parecido con cada prototipo", looks=ALL,
        reads="student.encoder.embedding", writes="student.head",
        also=(Observer, PrototypeHead, *REGISTERED),
    ),
)  # fmt: skip

PUBLISHED_MASKS = (PublishedMaskFormer, SwinPixelReader, GroupedPixelDecoder)
DETECTORS = (
    Row(
        "DETR", DETECTION, lambda: DETR(DETRConfig(**shipped("detr_figuras"))),
        "casillas de un mapa, y consultas aprendidas", "un conjunto de cajas, emparejado",
        "una clase y una caja por consulta", looks=QUERIES,
        reads="encoder.projection", writes="class_head",
    ),
    Row(
        "DETR con anclas", ANCHORS,
        lambda: AnchoredDETR(AnchoredConfig(**shipped("anclas_figuras"))),
        "casillas de un mapa, y cajas que se corrigen", "un conjunto de cajas, emparejado",
        "una clase y una caja por consulta", looks=QUERIES,
        reads="encoder.projection", writes="class_head", also=(LearnedStart,),
    ),
    Row(
        "Pix2Seq", BOXES, lambda: Pix2Seq(Pix2SeqConfig(**shipped("pix2seq_figuras"))),
        "casillas de un mapa, y cajas escritas", "la palabra siguiente de las cajas",
        "una clase por palabra",
        looks=(
            ("la imagen", "todos"), ("lo escrito", "causal"), ("lo escrito a la imagen", "cruzada"),
        ),
        reads="words", writes="head",
    ),
    Row(
        "SETR", MASKS, lambda: SETR(SETRConfig(**shipped("setr"))), "parches",
        "la clase de cada píxel", "una clase por píxel", looks=ALL,
        reads="embedding", writes="head",
    ),
    Row(
        "MaskFormer", MASKS, lambda: MaskFormer(MaskFormerConfig(**shipped("maskformer"))),
        "casillas de un mapa, y consultas aprendidas", "un conjunto de máscaras, emparejado",
        "una clase y una máscara por consulta", looks=QUERIES,
        reads="reader.encoder.projection", writes="class_head", also=PUBLISHED_MASKS,
    ),
    Row(
        "Mask2Former", MASKS, lambda: Mask2Former(MaskFormerConfig(**shipped("mask2former"))),
        "casillas de varios mapas, y consultas", "un conjunto de máscaras, emparejado",
        "una clase y una máscara por consulta",
        looks=(*QUERIES[:2], ("las consultas a la imagen", "enmascarada")),
        reads="reader.encoder.projection", writes="class_head",
    ),
    Row(
        "Pose con un token por articulación", POSE,
        lambda: KeypointTransformer(PoseConfig(**shipped("pose_simcc"))),
        "casillas de un mapa, y articulaciones", "dónde está cada articulación",
        "una fila y una columna por articulación", looks=(("casillas y articulaciones", "todos"),),
        writes="head", also=(PublishedPose, SimpleMaps, ClassicMaps),
    ),
    Row(
        "Pose de abajo arriba", POSE,
        lambda: BottomUpPose(BottomUpConfig(**shipped("pose_abajo_arriba"))),
        "casillas de un mapa", "mapas de calor y etiquetas de grupo", "unos mapas por casilla",
        looks=(("las casillas", "todos"),), writes="head",
    ),
)  # fmt: skip
ROWS = (*CLASSIFIERS, *SELF_TAUGHT, *DETECTORS)
