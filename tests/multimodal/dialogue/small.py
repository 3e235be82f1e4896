"""Modelos diminutos para probar las conversaciones sin los pesos del curso."""

import torch

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.multimodal.dialogue.form import image_id, vocabulary


def reader(seed: int = 0) -> GPT:
    """Un lector al azar, con el vocabulario de verdad."""
    torch.manual_seed(seed)
    config = GPTConfig(
        len(vocabulary()), d_model=16, n_heads=2, n_layers=2, max_length=160,
        positions="rotatorias", norm="cuadratica",
    )  # fmt: skip
    return GPT(config).eval()


def tower(seed: int = 0) -> ViT:
    """Una torre al azar: dieciséis parches."""
    torch.manual_seed(seed)
    sizes = dict(d_model=12, n_heads=2, n_layers=1, d_hidden=16)
    return ViT(ViTConfig(8, image_size=32, patch_size=8, channels=3, pool="media", **sizes)).eval()


def whole(factor: int = 2) -> VisionLanguage:
    """Torre, proyector y lector al azar, con pesos lo bastante grandes para que todo se note."""
    model = VisionLanguage(tower(), reader(), image_id(), factor).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return model
