"""Los archivos con que publica SpeechBrain: uno de PyTorch por pieza y una receta."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml
from torch import Tensor

HYPERPARAMETERS = "hyperparams.yaml"
PIECES = ("encoder", "masknet", "decoder")
FILES = (HYPERPARAMETERS, *(f"{piece}.ckpt" for piece in PIECES))
_REFERENCE = re.compile(r"<(\w+)>")


class _PlainLoader(yaml.SafeLoader):
    """Lee la receta sin construir nada: de cada objeto, sus argumentos."""


def _arguments(loader: yaml.SafeLoader, tag: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return node.value


_PlainLoader.add_multi_constructor("!", _arguments)


def is_speechbrain(folder: Path) -> bool:
    """Si en la carpeta hay un separador publicado por SpeechBrain."""
    return all((folder / name).exists() for name in FILES)


def speechbrain_state(folder: Path, read: Callable[[Path], Mapping[str, Tensor]]) -> dict:
    """Los tensores de todas las piezas, cada uno con el nombre de la suya delante."""
    return {
        f"{piece}.{name}": tensor
        for piece in PIECES
        for name, tensor in read(folder / f"{piece}.ckpt").items()
    }


def speechbrain_config(folder: Path) -> dict[str, Any]:
    """Lo que dice la receta de la arquitectura, con nombres sueltos y sus referencias resueltas.

    Errores: `ValueError` si no es la de un SepFormer o está a medias.
    """
    path = folder / HYPERPARAMETERS
    try:
        recipe = yaml.load(path.read_text(encoding="utf-8"), _PlainLoader)
        whole, encoder = recipe["MaskNet"], recipe["Encoder"]
        paths = [_followed(recipe, whole[side]) for side in ("intra_model", "inter_model")]
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise ValueError(
            f"«{path.name}» no es la receta de un SepFormer, o está a medias ({error}): vuelve a "
            "copiarla de su página"
        ) from error
    names = ("num_spks", "num_layers", "norm", "K", "linear_layer_after_inter_intra",
             "skip_around_intra")  # fmt: skip
    found = {name: whole[name] for name in names if name in whole}
    found |= {"kernel_size": encoder["kernel_size"], "n_filters": encoder["out_channels"]}
    for side, told in zip(("intra", "inter"), paths, strict=True):
        found |= {f"{side}_{name}": value for name, value in told.items()}
    found = {name: _followed(recipe, value) for name, value in found.items()}
    return {"model_type": "sepformer"} | found


def _followed(recipe: Mapping[str, Any], value: Any) -> Any:
    """Lo que nombra una referencia como «<K>»; lo demás, tal cual."""
    found = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
    return value if found is None else recipe[found[1]]
