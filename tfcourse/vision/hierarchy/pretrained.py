"""Pesos de un Swin de torchvision, con los nombres de nuestra clase."""

from collections.abc import Mapping

from torch import Tensor

from tfcourse.models.swin import VARIANTS, Swin, SwinConfig
from tfcourse.official.conversion import convert, fill
from tfcourse.official.swin import TORCHVISION_SWIN, TORCHVISION_SWIN_BLOCK
from tfcourse.vision.classification.pretrained import downloaded_state


def swin_block_state(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos de un `SwinTransformerBlock` de torchvision, con los nombres de `SwinBlock`.

    La proyección conjunta de la atención se parte en tres. Errores: `ValueError` si no lo son.
    """
    if "attn.qkv.weight" not in state:
        raise ValueError(
            f"los pesos tienen {len(state)} tensores y ninguno se llama «attn.qkv.weight»: pasa el "
            "state_dict() de un bloque Swin de torchvision"
        )
    return convert(state, TORCHVISION_SWIN_BLOCK)


def swin_state_from_torchvision(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos de un `SwinTransformer` de torchvision, con los nombres de nuestro `Swin`.

    Allí las etapas y las fusiones van seguidas: 1, 3, 5… son etapas y 2, 4, 6…, fusiones.
    Errores: `ValueError` si no son los pesos de un Swin de torchvision.
    """
    if "features.0.0.weight" not in state or "features.1.0.attn.qkv.weight" not in state:
        raise ValueError(
            f"los pesos tienen {len(state)} tensores y les falta «features.0.0.weight» o "
            "«features.1.0.attn.qkv.weight»: pasa el state_dict() de un Swin de torchvision"
        )
    return convert(state, TORCHVISION_SWIN)


def imagenet_swin() -> tuple[Swin, list[str], object]:
    """El Swin-T entrenado con ImageNet: modelo, nombres de sus clases y cómo preparar una foto.

    Baja los pesos de torchvision (unos 110 MB), que los comprueba y los guarda: es para el perfil
    `completo`. Errores: `ConnectionError` si no se pueden bajar.
    """
    import torchvision.models as library

    weights = library.Swin_T_Weights.IMAGENET1K_V1
    state = downloaded_state(weights, "Swin-T")
    model = fill(Swin(SwinConfig(**VARIANTS["Swin-T"])), state, TORCHVISION_SWIN)
    return model.eval(), weights.meta["categories"], weights.transforms()
