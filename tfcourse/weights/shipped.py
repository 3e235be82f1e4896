"""Pesos que vienen con el curso: los de un entrenamiento más largo del código que se enseña."""

import hashlib
import importlib
import json
import pkgutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Protocol, runtime_checkable

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from tfcourse.weights import WINGS

FOLDER = Path(__file__).parent
MAX_BYTES = 4_000_000


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


def shipped_tensors(name: str, folder: Path = FOLDER) -> dict[str, Tensor]:
    """Los pesos que vienen con el curso, tal como se guardaron: de cada nombre, su tensor.

    Errores: `FileNotFoundError` si no están; `ValueError` si el archivo no es el de la ficha.
    """
    path = folder / f"{name}.safetensors"
    card = weights_card(name, folder)
    if not path.exists() or file_hash(path) != card.sha256:
        raise ValueError(
            f"{path.name} falta o no coincide con su ficha: vuelve a instalar tfcourse"
        )
    return load_file(path)


def load_weights(name: str, model: nn.Module, folder: Path = FOLDER) -> WeightsCard:
    """Carga en el modelo los pesos que vienen con el curso y devuelve su ficha.

    Errores: `FileNotFoundError` si no están; `ValueError` si el archivo no es el de la ficha o si
    el modelo es de otro tamaño.
    """
    weights, expected = shipped_tensors(name, folder), distinct_state(model)
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
    return weights_card(name, folder)


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


@runtime_checkable
class LikeTrained(Protocol):
    """Lo que deja un entrenamiento: al menos, el modelo y la receta que siguió."""

    model: nn.Module
    recipe: object


def _own_config(model: nn.Module) -> dict:
    return asdict(model.config)


def _own_recipe(trained: LikeTrained) -> dict:
    return asdict(trained.recipe)


@dataclass(frozen=True)
class Shipped:
    """Cómo se hacen unos pesos: se entrenan, se miden y se comparan con no saber nada.

    `train()` siembra y entrena; `score(model)` y `blind()` dan números con nombre; `config(model)`
    y `recipe(trained)`, lo que se apunta en la ficha para construir y para repetir.
    """

    train: Callable[[], LikeTrained]
    score: Callable[[nn.Module], dict[str, float]]
    blind: Callable[[], dict[str, float]]
    data: str
    config: Callable[[nn.Module], dict] = _own_config
    recipe: Callable[[LikeTrained], dict] = _own_recipe
    seed: int = 0


def make_weights(shipped: Shipped) -> tuple[nn.Module, WeightsCard]:
    """Entrena unos pesos y escribe su ficha, con un hilo, para que se pueda repetir."""
    torch.set_num_threads(1)
    started = time.process_time()
    trained = shipped.train()
    spent = time.process_time() - started
    measured = shipped.score(trained.model) | shipped.blind()
    card = WeightsCard(
        config=shipped.config(trained.model),
        recipe=shipped.recipe(trained),
        seed=shipped.seed,
        cpu_seconds=round(spent, 1),
        quality={name: round(value, 4) for name, value in measured.items()},
        data=shipped.data,
    )
    return trained.model, card


def check_shipped(name: str, weights: Mapping[str, Shipped]) -> None:
    """Comprueba que un cuarto tiene esos pesos. Errores: `ValueError`, con los que tiene."""
    if name not in weights:
        raise ValueError(f"aquí no hay pesos «{name}»: usa {', '.join(weights) or 'otro cuarto'}")


def room_modules() -> Iterator[ModuleType]:
    """Los módulos de todos los cuartos, que se descubren por su carpeta."""
    for wing in WINGS:
        folder = Path(__file__).parent.parent / wing
        for info in pkgutil.walk_packages([str(folder)], f"tfcourse.{wing}."):
            if not info.ispkg:
                yield importlib.import_module(info.name)


def every_shipped() -> dict[str, Shipped]:
    """Los pesos que sabe hacer cada cuarto: lo que declara en `WEIGHTS`, por su nombre.

    Errores: `ValueError` si dos cuartos dan el mismo nombre.
    """
    found: dict[str, Shipped] = {}
    for module in room_modules():
        for name, shipped in getattr(module, "WEIGHTS", {}).items():
            if found.setdefault(name, shipped) is not shipped:
                raise ValueError(f"dos cuartos dan los pesos {name!r}: cambia uno de nombre")
    return found


def shipped_recipe(name: str) -> Shipped:
    """Cómo se hacen unos pesos. Errores: `ValueError` si ningún cuarto los hace."""
    known = every_shipped()
    if name not in known:
        raise ValueError(f"no hay receta para {name!r}: usa {', '.join(known)}")
    return known[name]


def file_hash(path: Path) -> str:
    """Huella sha256 de un archivo."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
