"""El catálogo: qué pesos publicados se saben cargar, cuánto ocupan y con qué licencia."""

from dataclasses import dataclass

from tfcourse.official.sentences import E5, MINILM, Package


@dataclass(frozen=True)
class Official:
    """Unos pesos publicados.

    `family` es el nombre de su `Family`; `room`, el cuarto del paquete que habla de ellos;
    `gigabytes`, lo que ocupan; `sha256`, su huella, si se conoce: la de los demás la da el cliente
    que los baja, y se comprueba entonces. `package` es el de PyPI que los trae, si hay uno.
    """

    family: str
    room: str
    gigabytes: float
    licence: str
    sha256: str = ""
    package: Package | None = None


CATALOGUE: dict[str, Official] = {
    "google-bert/bert-base-uncased": Official(
        "bert",
        "bert",
        0.44,
        "Apache 2.0",
        "68d45e234eb4a928074dfd868cead0219ab85354cc53d20e772753c6bb9169d3",
    ),
    "dccuchile/bert-base-spanish-wwm-cased": Official(
        "bert", "bert", 0.44, "CC BY 4.0, con reservas"
    ),
    "FacebookAI/roberta-base": Official("roberta", "bert", 0.50, "MIT"),
    "PlanTL-GOB-ES/roberta-base-bne": Official("roberta", "bert", 0.50, "Apache 2.0"),
    "distilbert/distilbert-base-uncased": Official("distilbert", "bert", 0.27, "Apache 2.0"),
    "intfloat/multilingual-e5-small": Official("bert-codificador", "bert", 0.47, "MIT", package=E5),
    "sentence-transformers/all-MiniLM-L6-v2": Official(
        "bert-codificador", "bert", 0.09, "Apache 2.0", MINILM.sha256, MINILM
    ),
    "answerdotai/ModernBERT-base": Official("modernbert", "bert", 0.60, "Apache 2.0"),
    "openai-community/gpt2": Official(
        "gpt-2",
        "generation",
        0.55,
        "MIT",
        "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
    ),
    "DeepESP/gpt2-spanish": Official("gpt-2", "generation", 0.50, "MIT"),
    "PlanTL-GOB-ES/gpt2-base-bne": Official("gpt-2", "generation", 0.50, "Apache 2.0"),
    "openai-community/openai-gpt": Official("gpt-1", "generation", 0.48, "MIT"),
    "HuggingFaceTB/SmolLM2-135M-Instruct": Official("llama-atada", "modern", 0.27, "Apache 2.0"),
    "BSC-LT/salamandra-2b": Official("llama", "modern", 4.51, "Apache 2.0"),
    "Qwen/Qwen3-0.6B": Official("qwen3-atada", "modern", 1.50, "Apache 2.0"),
    "google-t5/t5-small": Official("t5", "tasks", 0.24, "Apache 2.0"),
    "google/flan-t5-small": Official("t5-compuerta", "tasks", 0.31, "Apache 2.0"),
    "google/mt5-small": Official("t5-compuerta", "tasks", 1.20, "Apache 2.0"),
    "google/vit-base-patch16-224": Official("vit", "classification", 0.35, "Apache 2.0"),
    "facebook/deit-base-distilled-patch16-224": Official(
        "deit", "distillation", 0.35, "Apache 2.0"
    ),
    "facebook/vit-mae-base": Official("mae-codificador", "self_supervision", 0.45, "Apache 2.0"),
    "facebook/dinov2-small": Official("dinov2-codificador", "self_supervision", 0.09, "Apache 2.0"),
    "facebook/dinov2-with-registers-small": Official(
        "dinov2-registros", "self_supervision", 0.09, "Apache 2.0"
    ),
    "microsoft/swin-tiny-patch4-window7-224": Official("swin", "hierarchy", 0.11, "Apache 2.0"),
    "facebook/detr-resnet-50": Official("detr", "detection", 0.17, "Apache 2.0"),
    "facebook/maskformer-swin-tiny-coco": Official(
        "maskformer", "segmentation", 0.17, "CC BY-NC 4.0 (su código)"
    ),
    "usyd-community/vitpose-base-simple": Official("vitpose-sencilla", "pose", 0.34, "Apache 2.0"),
    "usyd-community/vitpose-base": Official("vitpose", "pose", 0.36, "Apache 2.0"),
    "openai/clip-vit-base-patch32": Official("clip", "pictures", 0.61, "MIT (su código)"),
    "google/siglip-base-patch16-224": Official("siglip", "pictures", 0.81, "Apache 2.0"),
    "openai/whisper-tiny": Official(
        "whisper",
        "transcription",
        0.15,
        "Apache 2.0",
        "7ebd0e69e78190ffe1438491fa05cc1f5c1aa3a4c4db3bc1723adbb551ea2395",
    ),
    "openai/whisper-large-v3-turbo": Official("whisper", "transcription", 1.62, "MIT"),
    "speechbrain/sepformer-libri2mix": Official("sepformer", "separation", 0.11, "Apache 2.0"),
    "facebook/wav2vec2-base-960h": Official("wav2vec2", "unlabelled", 0.38, "Apache 2.0"),
    "facebook/wav2vec2-large-xlsr-53": Official(
        "xlsr-codificador", "unlabelled", 1.27, "Apache 2.0"
    ),
}

# Lo que no cabe exactamente en una clase del curso, y por qué.
LEFT_OUT: dict[str, str] = {
    "ALBERT": "su GELU es la aproximada y la nuestra, la exacta",
    "Llama 3": "estira sus posiciones rotatorias de una manera que aquí no se hace",
    "DINOv2 gigante": "su red por posición lleva compuerta",
    "Mask2Former": "su pirámide pasa por atención deformable, que aquí no se hace; el capítulo lo "
    "enseña con la suya, y el publicado que se carga es MaskFormer",
    "MaskFormer con ResNet": "la imagen la lee otra red; el que se carga es el de Swin",
    "ViTPose+": "reparte la red por posición entre expertos, uno por conjunto de datos",
    "SigLIP 2": "algunas de sus variantes leen las fotos con su forma, y su vocabulario es otro",
}
