"""Pesos oficiales en nuestras clases: se cambian los nombres y las formas, no los números."""

from collections.abc import Mapping

from torch import Tensor

from tfcourse.models.vit import IMAGENET, VARIANTS, ViT, ViTConfig

# Nuestro nombre dentro de un bloque → el de torchvision.
_BLOCK = {
    "around_attention.norm.gain": "ln_1.weight",
    "around_attention.norm.bias": "ln_1.bias",
    "attention.out_proj.weight": "self_attention.out_proj.weight",
    "attention.out_proj.bias": "self_attention.out_proj.bias",
    "around_feed_forward.norm.gain": "ln_2.weight",
    "around_feed_forward.norm.bias": "ln_2.bias",
    "feed_forward.hidden.weight": "mlp.0.weight",
    "feed_forward.hidden.bias": "mlp.0.bias",
    "feed_forward.output.weight": "mlp.3.weight",
    "feed_forward.output.bias": "mlp.3.bias",
}
_ENDS = {
    "embedding.projection.bias": "conv_proj.bias",
    "norm.gain": "encoder.ln.weight",
    "norm.bias": "encoder.ln.bias",
    "head.weight": "heads.head.weight",
    "head.bias": "heads.head.bias",
}


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
    ours = {name: state[theirs] for name, theirs in _ENDS.items()}
    ours["embedding.projection.weight"] = state["conv_proj.weight"].flatten(1)
    ours["class_token"] = state["class_token"].flatten()
    ours["positions.table.weight"] = state["encoder.pos_embedding"][0]
    layers = {name.split(".")[2] for name in state if name.startswith("encoder.layers.")}
    for index in range(len(layers)):
        here, there = f"blocks.{index}.", f"encoder.layers.encoder_layer_{index}."
        ours |= {here + name: state[there + theirs] for name, theirs in _BLOCK.items()}
        for kind in ("weight", "bias"):
            joint = state[f"{there}self_attention.in_proj_{kind}"].chunk(3)
            for name, part in zip("qkv", joint, strict=True):
                ours[f"{here}attention.{name}_proj.{kind}"] = part
    return ours


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
    model.load_state_dict(vit_state_from_torchvision(state))
    return model.eval(), weights.meta["categories"], weights.transforms()
