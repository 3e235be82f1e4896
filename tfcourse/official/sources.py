"""De dónde se leen unos pesos publicados: una carpeta, un modelo de transformers o la red."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from huggingface_hub import snapshot_download
from huggingface_hub.errors import HfHubHTTPError, HFValidationError, RepositoryNotFoundError
from safetensors import SafetensorError, safe_open
from torch import Tensor

from tfcourse.official.speechbrain import (
    FILES,
    HYPERPARAMETERS,
    is_speechbrain,
    speechbrain_config,
    speechbrain_state,
)

CONFIG, SINGLE, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
TORCH_FILE = "pytorch_model.bin"  # lo que se publicaba antes de safetensors
TEXT_FILES = ("*.json", "*.txt")  # configuración y tokenizador
HASH = re.compile(r"[0-9a-f]{64}")


class Published(NamedTuple):
    """Unos pesos publicados: su configuración, sus tensores y, si la hay, su carpeta."""

    config: Mapping[str, Any]
    state: Mapping[str, Tensor]
    folder: Path | None = None


class LazyState(Mapping):
    """Los tensores de unos archivos safetensors: cada uno se lee cuando se pide.

    Conservan su tipo y van derechos al dispositivo. Errores: `ValueError` si un archivo está a
    medias.
    """

    def __init__(self, files: list[Path], device: torch.device):
        self._where: dict[str, Any] = {}
        for path in files:
            try:
                opened = safe_open(path, framework="pt", device=str(device))
            except (SafetensorError, OSError) as error:
                raise half_a_file(path, error) from error
            self._where |= dict.fromkeys(opened.keys(), opened)

    def __getitem__(self, name: str) -> Tensor:
        return self._where[name].get_tensor(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)


def half_a_file(path: Path, error: Exception) -> ValueError:
    """El error de un archivo que no se puede leer entero."""
    size = path.stat().st_size if path.exists() else 0
    return ValueError(
        f"«{path.name}» está a medias o no es un safetensors ({size} bytes; {error}): bórralo y "
        "vuelve a bajarlo o a copiarlo"
    )


def from_folder(folder: Path, device: torch.device) -> Published:
    """Lo que hay en una carpeta con los archivos que se publican.

    Errores: `FileNotFoundError` si no existe o le falta alguno; `ValueError` si están a medias.
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"no existe la carpeta {folder}: revisa la ruta")
    if is_speechbrain(folder):
        state = speechbrain_state(folder, partial(read_torch_file, device=device))
        return Published(speechbrain_config(folder), state, folder)
    config = read_json(folder / CONFIG)
    return Published(config, folder_state(folder, device), folder)


def folder_state(folder: Path, device: torch.device) -> Mapping[str, Tensor]:
    """Los tensores de una carpeta, estén en un archivo, en varios o en el formato antiguo."""
    if (folder / SINGLE).exists():
        return LazyState([folder / SINGLE], device)
    if (folder / INDEX).exists():
        names = sorted(set(read_json(folder / INDEX)["weight_map"].values()))
        absent = [name for name in names if not (folder / name).exists()]
        if absent:
            raise FileNotFoundError(
                f"en {folder} falta {', '.join(absent)}: el modelo está partido en {len(names)} "
                "archivos y hacen falta todos"
            )
        return LazyState([folder / name for name in names], device)
    if (folder / TORCH_FILE).exists():
        return read_torch_file(folder / TORCH_FILE, device)
    raise FileNotFoundError(
        f"en {folder} no hay pesos: hace falta {SINGLE}, {INDEX} o {TORCH_FILE}"
    )


def read_torch_file(path: Path, device: torch.device) -> dict[str, Tensor]:
    """Los tensores de un archivo de PyTorch, sin ejecutar nada de lo que lleve dentro."""
    try:
        return torch.load(path, map_location=device, weights_only=True)
    except Exception as error:  # cada versión falla a su manera con un archivo cortado
        raise ValueError(
            f"«{path.name}» está a medias o lleva dentro algo más que tensores "
            f"({type(error).__name__}): bórralo y vuelve a bajarlo"
        ) from error


def read_json(path: Path) -> dict[str, Any]:
    """Un archivo JSON. Errores: `FileNotFoundError` o `ValueError`, con qué hacer."""
    if not path.exists():
        raise FileNotFoundError(
            f"en {path.parent} falta {path.name}: copia la carpeta entera, tal como se publica"
        )
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"«{path.name}» está a medias ({error}): vuelve a copiarlo") from error


class Copied(Mapping):
    """Los tensores de un modelo de transformers, copiados: cada uno sigue su camino."""

    def __init__(self, state: Mapping[str, Tensor], device: torch.device):
        self._state, self._device = state, device

    def __getitem__(self, name: str) -> Tensor:
        return self._state[name].detach().to(self._device, copy=True)

    def __iter__(self) -> Iterator[str]:
        return iter(self._state)

    def __len__(self) -> int:
        return len(self._state)


def from_library(model, device: torch.device) -> Published:
    """Lo que hay en un modelo de transformers."""
    return Published(model.config.to_dict(), Copied(model.state_dict(), device))


def from_network(name: str, device: torch.device) -> Published:
    """Los pesos publicados con un nombre, como `openai-community/gpt2`.

    Los baja el cliente de la biblioteca, que reanuda lo que quedó a medias y guarda lo bajado; aquí
    se comprueban además sus huellas. Errores: `ConnectionError` si no se pueden bajar;
    `ValueError` si el nombre no existe o lo bajado no es lo publicado.
    """
    try:
        folder = download(name, (*TEXT_FILES, *FILES, SINGLE, "model-*.safetensors"))
        if not any((folder / one).exists() for one in (SINGLE, INDEX, HYPERPARAMETERS)):
            folder = download(name, (*TEXT_FILES, TORCH_FILE))
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise ValueError(
            f"no hay nada publicado con el nombre {name!r}: usa el de su página, «autor/modelo», o "
            "la ruta de una carpeta"
        ) from error
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise ConnectionError(
            f"no se pudieron bajar los pesos de {name} ({type(error).__name__}: {error}). Vuelve a "
            "intentarlo: seguirá donde quedó. Para seguir sin red, copia su carpeta y da la ruta"
        ) from error
    for path in folder.iterdir():
        check_hash(path)
    return from_folder(folder, device)


def download(name: str, patterns: tuple[str, ...]) -> Path:
    """Los archivos de un modelo publicado, en su carpeta."""
    return Path(snapshot_download(name, allow_patterns=list(patterns)))


def check_hash(path: Path) -> None:
    """Compara un archivo grande con su huella, que es el nombre con el que el cliente lo guarda."""
    expected = path.resolve().name
    if HASH.fullmatch(expected) is None:
        return
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != expected:
        path.resolve().unlink()
        raise ValueError(
            f"«{path.name}» no es el que se publicó (su huella es {found[:12]}… y debía ser "
            f"{expected[:12]}…): se ha borrado; vuelve a bajarlo"
        )
