"""Puntos de control: modelo, optimizador y azar en un archivo safetensors, escrito de una vez."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

MODEL, OPTIMIZER, RANDOM = "modelo.", "optimizador.", "azar."


@dataclass(frozen=True)
class Checkpoint:
    """Dónde se guarda el punto de control y cada cuántos pasos."""

    path: Path
    every: int

    def __post_init__(self):
        object.__setattr__(self, "path", Path(self.path))


@dataclass(frozen=True)
class Saved:
    """Lo que se recupera de un punto de control además del modelo y el optimizador."""

    step: int
    random_state: dict[str, Tensor]
    extra: dict


def save_checkpoint(
    path: Path, model: nn.Module, optimizer, step: int, extra: dict | None = None
) -> None:
    """Guarda modelo, optimizador y azar de forma atómica.

    Se escribe aparte y se renombra: si algo se interrumpe, queda el punto de control anterior.
    """
    tensors, scalars = _flatten_optimizer(optimizer)
    tensors |= {MODEL + name: value for name, value in model.state_dict().items()}
    tensors |= {RANDOM + device: state for device, state in random_states().items()}
    metadata = {"step": step, "optimizer": scalars, "extra": extra or {}}
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".parcial")
    contiguous = {
        name: value.detach().cpu().clone().contiguous() for name, value in tensors.items()
    }
    save_file(contiguous, unfinished, metadata={"tfcourse": json.dumps(metadata)})
    os.replace(unfinished, path)


def load_checkpoint(path: Path, model: nn.Module, optimizer=None) -> Saved:
    """Carga un punto de control en el modelo y, si se da, en el optimizador.

    Errores: `ValueError` si el archivo no se puede leer o es de otro modelo.
    """
    tensors, metadata = _read(Path(path))
    weights = {
        name.removeprefix(MODEL): value for name, value in tensors.items() if name.startswith(MODEL)
    }
    _check_same_model(path, model, weights)
    model.load_state_dict(weights)
    if optimizer is not None:
        optimizer.load_state_dict(_unflatten_optimizer(tensors, metadata["optimizer"]))
    states = {
        name.removeprefix(RANDOM): value
        for name, value in tensors.items()
        if name.startswith(RANDOM)
    }
    return Saved(metadata["step"], states, metadata["extra"])


def random_states() -> dict[str, Tensor]:
    """Estado del azar de PyTorch en cada dispositivo que se usa."""
    states = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        states["cuda"] = torch.cuda.get_rng_state()
    return states


def restore_random_states(states: dict[str, Tensor]) -> None:
    """Repone el azar guardado; el de un dispositivo que ya no está se ignora."""
    torch.set_rng_state(states["cpu"])
    if "cuda" in states and torch.cuda.is_available():
        torch.cuda.set_rng_state(states["cuda"])


def _read(path: Path) -> tuple[dict[str, Tensor], dict]:
    try:
        with safe_open(path, framework="pt") as file:
            metadata = json.loads(file.metadata()["tfcourse"])
            return {name: file.get_tensor(name) for name in list(file.keys())}, metadata
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"no se puede leer el punto de control {path}: no existe, está dañado o no es de "
            f"tfcourse; bórralo para empezar de cero ({type(error).__name__})"
        ) from error


def _check_same_model(path: Path, model: nn.Module, weights: dict[str, Tensor]) -> None:
    expected = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    found = {name: tuple(value.shape) for name, value in weights.items()}
    different = sorted(name for name in expected | found if expected.get(name) != found.get(name))
    if different:
        name = different[0]
        raise ValueError(
            f"el punto de control {path} es de otro modelo: «{name}» mide {found.get(name)} en el "
            f"archivo y {expected.get(name)} en el modelo; usa su configuración u otro archivo"
        )


def _flatten_optimizer(optimizer) -> tuple[dict[str, Tensor], dict]:
    """Separa el estado del optimizador en tensores, con nombre, y números."""
    state = optimizer.state_dict()
    tensors, scalars = {}, {}
    for index, values in state["state"].items():
        for name, value in values.items():
            if isinstance(value, Tensor):
                tensors[f"{OPTIMIZER}{index}.{name}"] = value
            else:
                scalars[f"{index}.{name}"] = value
    return tensors, {"groups": state["param_groups"], "scalars": scalars}


def _unflatten_optimizer(tensors: dict[str, Tensor], saved: dict) -> dict:
    """Reúne de nuevo el estado del optimizador."""
    state: dict[int, dict] = {}
    named = {
        name.removeprefix(OPTIMIZER): value
        for name, value in tensors.items()
        if name.startswith(OPTIMIZER)
    }
    for key, value in (named | saved["scalars"]).items():
        index, name = key.split(".", maxsplit=1)
        state.setdefault(int(index), {})[name] = value
    return {"state": state, "param_groups": saved["groups"]}
