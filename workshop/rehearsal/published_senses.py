"""Los modelos publicados que ven u oyen, en diminuto y sin entrenar, con sus mismos archivos."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from workshop.rehearsal.coco import JOINTS
from workshop.rehearsal.sounds import make_whisper
from workshop.rehearsal.untrained import save_seer, save_untrained

SIZES = {
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 24,
}  # fmt: skip
N_COCO = 91  # las clases de DETR: los números de COCO, con sus huecos
N_PANOPTIC = 133  # las de MaskFormer: los objetos de COCO, seguidos, y lo que no se cuenta
LETTERS = ("<pad>", "<s>", "</s>", "<unk>", "|", *"EATONIHSRDLUMWCFGYPBVK'XJQZ")


def make_detr(folder: Path, name: str) -> None:
    """Un DETR con una red convolucional de cuatro bloques."""
    from transformers import DetrConfig, DetrForObjectDetection, ResNetConfig

    resnet = ResNetConfig(
        embedding_size=64, hidden_sizes=[256, 512, 1024, 2048], depths=[1, 1, 1, 1],
        out_features=["stage4"], layer_type="bottleneck",
    )  # fmt: skip
    config = DetrConfig(
        use_timm_backbone=False, backbone_config=resnet, d_model=16, encoder_layers=1,
        decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=24,
        decoder_ffn_dim=24, num_queries=5, num_labels=N_COCO,
    )  # fmt: skip
    save_seer(folder / name, lambda: DetrForObjectDetection(config))


def make_maskformer(folder: Path, name: str) -> None:
    """Un MaskFormer con un Swin de cuatro etapas de un bloque."""
    from transformers import (
        DetrConfig,
        MaskFormerConfig,
        MaskFormerForInstanceSegmentation,
        ResNetConfig,
        SwinConfig,
    )

    swin = SwinConfig(
        image_size=96, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[2, 2, 2, 2], window_size=2
    )
    writer = DetrConfig(
        use_timm_backbone=False, backbone_config=ResNetConfig(), d_model=16, decoder_layers=1,
        decoder_attention_heads=2, decoder_ffn_dim=24, num_queries=5,
    )  # fmt: skip
    config = MaskFormerConfig(
        backbone_config=swin, decoder_config=writer, num_labels=N_PANOPTIC, fpn_feature_size=32,
        mask_feature_size=8,
    )  # fmt: skip
    save_seer(folder / name, lambda: MaskFormerForInstanceSegmentation(config))


def make_vitpose(folder: Path, name: str, simple: bool) -> None:
    """Un ViTPose de dos capas, con las articulaciones de COCO."""
    from transformers import VitPoseBackboneConfig, VitPoseConfig, VitPoseForPoseEstimation

    backbone = VitPoseBackboneConfig(
        image_size=(64, 48), patch_size=(16, 16), hidden_size=16, num_hidden_layers=2,
        num_attention_heads=2, mlp_ratio=2, out_indices=[2],
    )  # fmt: skip
    config = VitPoseConfig(
        backbone_config=backbone, use_simple_decoder=simple, num_labels=len(JOINTS)
    )
    save_seer(folder / name, lambda: VitPoseForPoseEstimation(config))


def make_clip(folder: Path, name: str) -> None:
    """Un CLIP y su tokenizador de letras sueltas: cada una, en medio de una palabra o al final."""
    from transformers import CLIPConfig, CLIPModel, CLIPTokenizer

    characters = [chr(code) for code in range(33, 127)]
    tokens = [*characters, *(f"{one}</w>" for one in characters)]
    tokens += ["<|startoftext|>", "<|endoftext|>"]
    numbers = {token: number for number, token in enumerate(tokens)}
    CLIPTokenizer(vocab=numbers, merges=[]).save_pretrained(folder / name)
    last = len(tokens) - 1
    config = CLIPConfig(
        text_config=SIZES | {"vocab_size": len(tokens), "bos_token_id": last - 1,
                             "eos_token_id": last, "max_position_embeddings": 40},
        vision_config=SIZES | {"image_size": 32, "patch_size": 16},
        projection_dim=12,
    )  # fmt: skip
    save_seer(folder / name, lambda: CLIPModel(config))


def make_siglip(folder: Path, name: str) -> None:
    """Un SigLIP, sin tokenizador: solo se usa su torre de imagen."""
    from transformers import SiglipConfig, SiglipModel

    config = SiglipConfig(
        text_config=SIZES
        | {
            "vocab_size": 20,
            "max_position_embeddings": 8,
            "bos_token_id": 0,
            "eos_token_id": 1,
            "pad_token_id": 1,
        },
        vision_config=SIZES | {"image_size": 32, "patch_size": 16},
    )
    save_seer(folder / name, lambda: SiglipModel(config))


def make_classifier(folder: Path, name: str, kind: str, head: str, **options: Any) -> None:
    """Un clasificador de cinco clases; `kind` es su clase en transformers."""
    import transformers

    config = getattr(transformers, f"{kind}Config")(image_size=32, num_labels=5, **options)
    save_seer(folder / name, lambda: getattr(transformers, kind + head)(config))


def make_wav2vec2(folder: Path, name: str) -> None:
    """Un wav2vec 2.0 con una capa de letras, y qué letra es cada número."""
    from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

    config = Wav2Vec2Config(
        vocab_size=len(LETTERS), conv_dim=(8, 12), conv_kernel=(40, 20), conv_stride=(20, 16),
        num_feat_extract_layers=2, num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2,
        **SIZES,
    )  # fmt: skip
    save_untrained(folder / name, lambda: Wav2Vec2ForCTC(config))
    numbers = {letter: number for number, letter in enumerate(LETTERS)}
    (folder / name / "vocab.json").write_text(json.dumps(numbers), encoding="utf-8")


PATCHES = SIZES | {"patch_size": 16}
STAGES = {"patch_size": 2, "embed_dim": 8, "depths": [1, 1], "num_heads": [2, 4], "window_size": 4}
CLASSIFIERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "google/vit-base-patch16-224": ("ViT", "ForImageClassification", PATCHES),
    "facebook/deit-base-distilled-patch16-224": (
        "DeiT", "ForImageClassificationWithTeacher", PATCHES,
    ),
    "microsoft/swin-tiny-patch4-window7-224": ("Swin", "ForImageClassification", STAGES),
}  # fmt: skip
OTHERS = {
    "facebook/detr-resnet-50": make_detr,
    "facebook/maskformer-swin-tiny-coco": make_maskformer,
    "usyd-community/vitpose-base-simple": partial(make_vitpose, simple=True),
    "usyd-community/vitpose-base": partial(make_vitpose, simple=False),
    "openai/clip-vit-base-patch32": make_clip,
    "google/siglip-base-patch16-224": make_siglip,
    "facebook/wav2vec2-base-960h": make_wav2vec2,
    "openai/whisper-tiny": make_whisper,
    "openai/whisper-large-v3-turbo": partial(make_whisper, n_mels=128),
}
MAKERS = {name: partial(make, name=name) for name, make in OTHERS.items()} | {
    name: partial(make_classifier, name=name, kind=kind, head=head, **options)
    for name, (kind, head, options) in CLASSIFIERS.items()
}
