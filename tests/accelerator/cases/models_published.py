"""Casos ligeros de los modelos que solo existen para recibir pesos publicados."""

from functools import partial

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import counts, floats, ids
from tfcourse.models import (
    clip_published,
    gpt,
    masked_autoencoder,
    maskformer_published,
    modernbert_published,
    segmentation,
    self_distillation,
    sepformer,
    sepformer_published,
    siglip_published,
    swin,
    t5,
    t5_gated,
    vit,
    vit_published,
    vitpose_published,
    wav2vec2,
    wav2vec2_published,
)

CASES: list[Case] = []
use = partial(case, CASES, mixed=True)
ONE_LAYER = dict(d_model=8, n_heads=2, n_layers=1)
NOT_HERE: dict[str, tuple[str, ...]] = {
    "es una configuración: no guarda tensores": (
        "models.masked_autoencoder.MAEConfig",
        "models.modernbert_published.ModernBertConfig",
    ),
}


@use(t5_gated.GatedT5, t5_gated.GatedFeedForward)
def gated(d):
    model = t5_gated.GatedT5(t5.T5Config(9, d_head=4, d_hidden=16, **ONE_LAYER)).to(d)
    return model(ids(d, 9, 2, 5, low=3), counts(d, 5, 3), ids(d, 9, 2, 4))


@use(wav2vec2_published.PublishedWav2Vec2, wav2vec2_published.NormedWaveEncoder)
def voices(d):
    config, waves = wav2vec2.Wav2Vec2Config(), floats(d, 2, 4_000)
    said = []
    for base in (True, False):
        model = wav2vec2_published.PublishedWav2Vec2(config, post_norm=base, each_layer=not base)
        said.append(model.to(d)(waves))
    return said


@use(
    clip_published.PublishedClip,
    clip_published.ClipImageTower,
    clip_published.ClipTextTower,
    clip_published.QuickGELU,
)
def towers(d):
    images = vit.ViTConfig(8, image_size=8, channels=3, d_hidden=16, **ONE_LAYER)
    seer = clip_published.ClipImageTower(images)
    reader = clip_published.ClipTextTower(gpt.GPTConfig(9, **ONE_LAYER))
    model = clip_published.PublishedClip(seer, reader, 8, 8).to(d)
    return model(floats(d, 2, 3, 8, 8), ids(d, 9, 2, 5), counts(d, 5, 3))


@use(
    vit_published.ViTEncoder,
    vit_published.DinoEncoder,
    vit_published.RegisteredEncoder,
    vit_published.RegisteredDino,
    vit_published.ScaledResidual,
)
def encoders(d):
    config = vit.ViTConfig(1, image_size=8, channels=3, d_hidden=16, **ONE_LAYER)
    kinds = (
        vit_published.ViTEncoder,
        vit_published.DinoEncoder,
        vit_published.RegisteredEncoder,
        vit_published.RegisteredDino,
    )
    return [kind(config).to(d)(floats(d, 2, 3, 8, 8)) for kind in kinds]


@use(
    masked_autoencoder.MaskedAutoencoder,
    masked_autoencoder.Masked,
    masked_autoencoder.random_masking,
    masked_autoencoder.taken,
)
def painters(d):
    config = masked_autoencoder.MAEConfig(decoder_width=8, decoder_heads=2, **ONE_LAYER)
    model, images = masked_autoencoder.MaskedAutoencoder(config).to(d), floats(d, 2, 1, 8, 8)
    kept, hidden = masked_autoencoder.random_masking(torch.rand(2, 16, device=d), 0.5)
    painted = model(images, kept)
    tokens = masked_autoencoder.taken(floats(d, 2, 16, 8), kept)
    return model.drawn(painted), hidden, tokens, model.attention_maps(images, kept)


@use(
    self_distillation.SelfDistiller,
    self_distillation.Observer,
    self_distillation.PrototypeHead,
    self_distillation.Seen,
    self_distillation.moved_towards,
)
def pupils(d):
    encoder = vit_published.RegisteredEncoder(vit.ViTConfig(1, d_hidden=16, **ONE_LAYER), 2)
    head = self_distillation.PrototypeHead(8, 8, 4, 5)
    both = self_distillation.SelfDistiller(self_distillation.Observer(encoder, head)).to(d)
    seen = both.train()(floats(d, 2, 2, 1, 8, 8))
    patches = both.student.encoder.patches_of(both.student.encoder(floats(d, 2, 1, 8, 8)))
    return *seen, patches, both.center


@use(
    siglip_published.PublishedSiglip,
    siglip_published.SiglipImageTower,
    siglip_published.SiglipTextTower,
    siglip_published.AttentionPooling,
)
def siglip(d):
    images = vit.ViTConfig(1, image_size=8, channels=3, d_hidden=16, pool="media", **ONE_LAYER)
    seer = siglip_published.SiglipImageTower(images)
    reader = siglip_published.SiglipTextTower(gpt.GPTConfig(9, **ONE_LAYER))
    model = siglip_published.PublishedSiglip(seer, reader, 8).to(d)
    return model(floats(d, 2, 3, 8, 8), ids(d, 9, 2, 5), counts(d, 5, 3))


@use(
    maskformer_published.PublishedMaskFormer,
    maskformer_published.SwinPixelReader,
    maskformer_published.GroupedPixelDecoder,
)
def maskformer(d):
    config = segmentation.MaskFormerConfig(
        3,
        n_queries=4,
        d_model=8,
        n_heads=2,
        n_decoder=1,
        n_encoder=0,
        d_hidden=8,
        norm_first=False,
        d_pixel=8,
    )
    trunk = swin.SwinConfig(1, channels=3, window=2, d_model=8, n_layers=(1, 2), n_heads=(1, 2))
    model = maskformer_published.PublishedMaskFormer(config, trunk, 32).to(d)
    return model(floats(d, 2, 3, 24, 32))


@use(
    modernbert_published.ModernBertLM,
    modernbert_published.ModernBertBlock,
    modernbert_published.RotaryAttention,
    modernbert_published.GeluGatedFeedForward,
)
def modernbert(d):
    config = modernbert_published.ModernBertConfig(
        9, d_hidden=16, max_length=8, reach=1, **ONE_LAYER | {"n_layers": 2}
    )
    model = modernbert_published.ModernBertLM(config).to(d)
    return model(ids(d, 9, 2, 5), counts(d, 5, 3))


@use(
    sepformer_published.PublishedSepFormer,
    sepformer_published.PublishedFront,
    sepformer_published.PublishedMaskNet,
    sepformer_published.PublishedDualPath,
    sepformer_published.PublishedPath,
    sepformer_published.WholeNorm,
)
def separators(d):
    config = sepformer.SepFormerConfig(
        front="aprendido", mask="relu", n_filters=8, kernel=16, stride=8, n_blocks=1, chunk=6,
        d_model=8, n_heads=2, d_hidden=16,
    )  # fmt: skip
    return sepformer_published.PublishedSepFormer(config).to(d)(floats(d, 2, 200))


@use(vitpose_published.PublishedPose, vitpose_published.SimpleMaps, vitpose_published.ClassicMaps)
def heat(d):
    config = vit.ViTConfig(
        3, image_size=16, patch_size=8, channels=3, d_hidden=16, pool="media", **ONE_LAYER
    )
    kinds = (vitpose_published.PublishedPose(config, simple) for simple in (True, False))
    return [model.to(d)(floats(d, 2, 3, 16, 16)) for model in kinds]
