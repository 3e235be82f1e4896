"""Pesos oficiales en nuestras clases: se cambian los nombres y las formas, no los números."""

from collections.abc import Mapping

from torch import Tensor

from tfcourse.models.vit import IMAGENET, VARIANTS, ViT, ViTConfig
from tfcourse.official.conversion import convert, fill
from tfcourse.official.vit import TORCHVISION_VIT


def vit_state_from_torchvision(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos de un `VisionTransformer` de torchvision, con los nombres de nuestro `ViT`.

    La convolución de los parches pasa a ser una matriz; la proyección conjunta de la atención se
    parte en tres. Errores: `ValueError` si no son los pesos de un ViT de torchvision.
    """
    if "conv_proj.weight" not in state or "encoder.pos_embedding" not in state:
        raise ValueError(
            f"los pesos tienen {len(state)} tensores y ninguno se llama «conv_proj.weight» o falta "
            "«encoder.pos_embedding»: pasa el state_dict() de un ViT de torchvision"
        )
    return convert(state, TORCHVISION_VIT)


def downloaded_state(weights, name: str) -> Mapping[str, Tensor]:
    """Los pesos de torchvision, bajados y comprobados. Errores: `ConnectionError`, sin red."""
    try:
        return weights.get_state_dict(progress=False, check_hash=True)
    except OSError as error:
        raise ConnectionError(
            f"no se pudieron bajar los pesos de {name} ({error}). Para seguir sin red, usa el "
            "perfil rapido (TFCOURSE_PERFIL=rapido)"
        ) from error


def imagenet_vit(name: str = "ViT-B/16") -> tuple[ViT, list[str], object]:
    """Un ViT entrenado con ImageNet: modelo, nombres de sus clases y cómo preparar una foto.

    Baja los pesos de torchvision (unos 330 MB el B/16), que los comprueba y los guarda: es para el
    perfil `completo`. Errores: `ValueError` si no hay pesos para ese nombre; `ConnectionError` si
    no se pueden bajar.
    """
    import torchvision.models as library

    known = {
        "ViT-B/16": ("vit_b_16", library.ViT_B_16_Weights),
        "ViT-B/32": ("vit_b_32", library.ViT_B_32_Weights),
        "ViT-L/16": ("vit_l_16", library.ViT_L_16_Weights),
    }
    if name not in known:
        raise ValueError(f"no hay pesos de {name!r} de 224 píxeles: usa {', '.join(known)}")
    weights = known[name][1].IMAGENET1K_V1
    state = downloaded_state(weights, name)
    model = ViT(ViTConfig(**IMAGENET | VARIANTS[name]))
    return (
        fill(model, state, TORCHVISION_VIT).eval(),
        weights.meta["categories"],
        weights.transforms(),
    )
