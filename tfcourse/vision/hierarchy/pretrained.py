"""Pesos de un Swin de torchvision, con los nombres de nuestra clase."""

from collections.abc import Mapping

from torch import Tensor

from tfcourse.models.swin import VARIANTS, Swin, SwinConfig
from tfcourse.vision.classification.pretrained import downloaded_state

# Nuestro nombre dentro de un bloque → el de torchvision.
_BLOCK = {
    "around_attention.norm.gain": "norm1.weight",
    "around_attention.norm.bias": "norm1.bias",
    "attention.attention.out_proj.weight": "attn.proj.weight",
    "attention.attention.out_proj.bias": "attn.proj.bias",
    "attention.bias.table.weight": "attn.relative_position_bias_table",
    "around_feed_forward.norm.gain": "norm2.weight",
    "around_feed_forward.norm.bias": "norm2.bias",
    "feed_forward.hidden.weight": "mlp.0.weight",
    "feed_forward.hidden.bias": "mlp.0.bias",
    "feed_forward.output.weight": "mlp.3.weight",
    "feed_forward.output.bias": "mlp.3.bias",
}
_MERGE = {
    "norm.gain": "norm.weight",
    "norm.bias": "norm.bias",
    "projection.weight": "reduction.weight",
}
_ENDS = {
    "embedding.projection.bias": "features.0.0.bias",
    "first_norm.gain": "features.0.2.weight",
    "first_norm.bias": "features.0.2.bias",
    "norm.gain": "norm.weight",
    "norm.bias": "norm.bias",
    "head.weight": "head.weight",
    "head.bias": "head.bias",
}


def swin_block_state(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos de un `SwinTransformerBlock` de torchvision, con los nombres de `SwinBlock`.

    La proyección conjunta de la atención se parte en tres. Errores: `ValueError` si no lo son.
    """
    if "attn.qkv.weight" not in state:
        raise ValueError(
            f"los pesos tienen {len(state)} tensores y ninguno se llama «attn.qkv.weight»: pasa el "
            "state_dict() de un bloque Swin de torchvision"
        )
    ours = {name: state[theirs] for name, theirs in _BLOCK.items()}
    for kind in ("weight", "bias"):
        for name, part in zip("qkv", state[f"attn.qkv.{kind}"].chunk(3), strict=True):
            ours[f"attention.attention.{name}_proj.{kind}"] = part
    return ours


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
    ours = {name: state[theirs] for name, theirs in _ENDS.items()}
    ours["embedding.projection.weight"] = state["features.0.0.weight"].flatten(1)
    parts = {int(name.split(".")[1]) for name in state if name.startswith("features.")}
    for part in sorted(parts - {0}):
        if part % 2 == 0:
            ours |= _moved(state, f"features.{part}.", f"merges.{part // 2 - 1}.", _renamed_merge)
            continue
        blocks = {int(n.split(".")[2]) for n in state if n.startswith(f"features.{part}.")}
        for block in sorted(blocks):
            here, there = f"stages.{part // 2}.{block}.", f"features.{part}.{block}."
            ours |= _moved(state, there, here, swin_block_state)
    return ours


def _renamed_merge(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: state[theirs] for name, theirs in _MERGE.items()}


def _moved(state: Mapping[str, Tensor], there: str, here: str, rename) -> dict[str, Tensor]:
    """Una parte de los pesos, con otros nombres y colgada de otro sitio."""
    inside = {n.removeprefix(there): t for n, t in state.items() if n.startswith(there)}
    return {here + name: tensor for name, tensor in rename(inside).items()}


def imagenet_swin() -> tuple[Swin, list[str], object]:
    """El Swin-T entrenado con ImageNet: modelo, nombres de sus clases y cómo preparar una foto.

    Baja los pesos de torchvision (unos 110 MB), que los comprueba y los guarda: es para el perfil
    `completo`. Errores: `ConnectionError` si no se pueden bajar.
    """
    import torchvision.models as library

    weights = library.Swin_T_Weights.IMAGENET1K_V1
    state = downloaded_state(weights, "Swin-T")
    model = Swin(SwinConfig(**VARIANTS["Swin-T"]))
    model.load_state_dict(swin_state_from_torchvision(state))
    return model.eval(), weights.meta["categories"], weights.transforms()
