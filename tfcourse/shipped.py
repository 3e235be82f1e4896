"""Pesos que vienen con el curso: los de un entrenamiento más largo del código que se enseña."""

import hashlib
import importlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn

FOLDER = Path(__file__).parent / "weights"
MAX_BYTES = 4_000_000

# Nombre de los pesos → función que los entrena: `modulo:funcion`, sin argumentos, que devuelve el
# modelo y su ficha. La usa `python -m tfcourse pesos`.
RECIPES: dict[str, str] = {
    "bert_espanol": "tfcourse.bert_recipes:train_shipped",
    "anclas_figuras": "tfcourse.detection_recipes:train_anchored_shapes",
    "clip_dibujos": "tfcourse.clip_recipes:train_shipped",
    "detr_cifras": "tfcourse.detection_recipes:train_digits",
    "detr_figuras": "tfcourse.detection_recipes:train_plain_shapes",
    "gato": "tfcourse.gato_table:train_shipped",
    "gpt_espanol": "tfcourse.gpt_recipes:train_workshop",
    "pix2seq_figuras": "tfcourse.pix2seq_recipes:train_shipped",
    "mask2former": "tfcourse.segmentation_recipes:train_mask2former",
    "maskformer": "tfcourse.segmentation_recipes:train_maskformer",
    "setr": "tfcourse.segmentation_recipes:train_setr",
    "pose_abajo_arriba": "tfcourse.pose_shipped:train_tags",
    "pose_simcc": "tfcourse.pose_shipped:train_simcc",
    "sepformer_cifras": "tfcourse.separation_recipes:train_shipped",
    "t5_tareas": "tfcourse.task_recipes:train_shipped",
    "whisper_cifras": "tfcourse.whisper_recipes:train_shipped",
    "wav2vec_cifras": "tfcourse.wav2vec_recipes:train_shipped",
    "medbert_sintetico": "tfcourse.medbert_recipes:train_shipped",
}


@dataclass(frozen=True)
class WeightsCard:
    """Ficha de unos pesos: receta, semilla, segundos de procesador, calidad y datos.

    `config` es lo que hace falta para construir el modelo; `quality`, lo medido con datos
    reservados, siempre junto a su punto de comparación; `data`, su origen y su
    licencia; `sha256` lo pone `save_weights`.
    """

    config: dict
    recipe: dict
    seed: int
    cpu_seconds: float
    quality: dict[str, float]
    data: str
    torch: str = field(default_factory=lambda: str(torch.__version__))
    sha256: str = ""


def save_weights(
    name: str, model: nn.Module, card: WeightsCard, folder: Path = FOLDER
) -> WeightsCard:
    """Guarda los pesos en media precisión, con la ficha al lado.

    Errores: `ValueError` si ocupan más de `MAX_BYTES` o si algún peso no cabe en media precisión.
    """
    halves = {key: value.half().contiguous() for key, value in distinct_state(model).items()}
    broken = [key for key, value in halves.items() if not value.isfinite().all()]
    if broken:
        raise ValueError(
            f"«{broken[0]}» no cabe en media precisión: hay valores que no son finitos"
        )
    size = sum(value.nbytes for value in halves.values())
    if size > MAX_BYTES:
        raise ValueError(
            f"{name} ocupa {size:_} bytes y el máximo es {MAX_BYTES:_}: usa un modelo menor"
        )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.safetensors"
    save_file(halves, path)
    signed = WeightsCard(**asdict(card) | {"sha256": file_hash(path)})
    text = json.dumps(asdict(signed), ensure_ascii=False, indent=1)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    return signed


def weights_card(name: str, folder: Path = FOLDER) -> WeightsCard:
    """La ficha de unos pesos. Errores: `FileNotFoundError` si no hay pesos con ese nombre."""
    path = folder / f"{name}.json"
    if not path.exists():
        raise FileNotFoundError(
            f"no hay pesos con el nombre {name!r}: usa {', '.join(shipped_names(folder)) or 'otro'}"
        )
    return WeightsCard(**json.loads(path.read_text(encoding="utf-8")))


def load_weights(name: str, model: nn.Module, folder: Path = FOLDER) -> WeightsCard:
    """Carga en el modelo los pesos que vienen con el curso y devuelve su ficha.

    Errores: `FileNotFoundError` si no están; `ValueError` si el archivo no es el de la ficha o si
    el modelo es de otro tamaño.
    """
    card = weights_card(name, folder)
    path = folder / f"{name}.safetensors"
    if not path.exists() or file_hash(path) != card.sha256:
        raise ValueError(
            f"{path.name} falta o no coincide con su ficha: vuelve a instalar tfcourse"
        )
    weights, expected = load_file(path), distinct_state(model)
    for key in sorted(weights.keys() | expected.keys()):
        saved, wanted = (
            tuple(tensors[key].shape) if key in tensors else None for tensors in (weights, expected)
        )
        if saved != wanted:
            raise ValueError(
                f"los pesos {name!r} son de otro modelo: «{key}» mide {saved} en el archivo y "
                f"{wanted} en el modelo; constrúyelo con weights_card({name!r}).config"
            )
    # Los que faltan son los que el modelo comparte: se cargan con su otro nombre.
    model.load_state_dict(weights, strict=False)
    return card


def distinct_state(model: nn.Module) -> dict[str, torch.Tensor]:
    """Los tensores del modelo, una sola vez los que comparten memoria."""
    seen: dict[int, str] = {}
    state = {}
    for key, value in model.state_dict(keep_vars=True).items():
        if seen.setdefault(id(value), key) == key:
            state[key] = value.detach().cpu()
    return state


def shipped_names(folder: Path = FOLDER) -> list[str]:
    """Nombres de los pesos que vienen con el curso."""
    return sorted(path.stem for path in folder.glob("*.json"))


def training_recipe(name: str) -> Callable[[], tuple[nn.Module, WeightsCard]]:
    """La función que vuelve a entrenar unos pesos. Errores: `ValueError` si no se conoce."""
    if name not in RECIPES:
        raise ValueError(f"no hay receta para {name!r}: usa {', '.join(RECIPES) or 'otro nombre'}")
    module, function = RECIPES[name].split(":")
    return getattr(importlib.import_module(module), function)


def file_hash(path: Path) -> str:
    """Huella sha256 de un archivo."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
