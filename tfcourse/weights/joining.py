"""Pesos que se guardan por partes, juntos: así van a la página, en un solo archivo."""

from safetensors.torch import load_file
from torch import Tensor

from tfcourse.weights.shipped import FOLDER

# De unos pesos que parten de otros: dónde va cada uno dentro del modelo entero.
PARTS = {"dialogo": {"tower": "torre_escenas", "language": "lector_escenas"}}
LORA_ALPHA = 16.0  # lo que multiplica, entre el rango, a una corrección
DOWN, UP = ".down", ".up"


def part_names(name: str) -> tuple[str, ...]:
    """Los pesos que hacen falta para tener esos enteros: los de los que parte y ellos."""
    return *PARTS.get(name, {}).values(), name


def joined_tensors(name: str) -> dict[str, Tensor]:
    """Los tensores de unos pesos del curso, en media precisión, con los de los que parte.

    Cada corrección de LoRA va ya sumada a su matriz, W + (α/r)·B A: el modelo que queda es uno
    corriente. Los pesos que no parten de otros se dejan como están.
    """
    own = load_file(FOLDER / f"{name}.safetensors")
    if name not in PARTS:
        return own
    whole = {
        f"{place}.{key}": value.float()
        for place, part in PARTS[name].items()
        for key, value in load_file(FOLDER / f"{part}.safetensors").items()
    }
    # Los nombres de lo que se aprende llevan guiones donde el modelo lleva puntos.
    learned = {key.replace("-", "."): value.float() for key, value in own.items()}
    for key, value in learned.items():
        if key.endswith(DOWN):
            layer = key.removesuffix(DOWN)
            update = learned[layer + UP] @ value
            whole[f"{layer}.weight"] += LORA_ALPHA / len(value) * update
        elif not key.endswith(UP):
            whole[key] = value
    return {key: value.half() for key, value in whole.items()}
