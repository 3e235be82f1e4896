"""Cómo se hacen los modelos de referencia, y con qué se les pregunta."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import transformers as library
from torch import Tensor, nn

from tfcourse.models.wav2vec2 import normalized

TEXT = {
    "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
}  # fmt: skip
MARKS = {"bos_token_id": 1, "eos_token_id": 2}
QUIET = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
N_TOKENS = 31


@dataclass(frozen=True)
class Reference:
    """Una familia: el modelo de la biblioteca y las dos respuestas que tienen que coincidir."""

    build: Callable[[], nn.Module]
    theirs: Callable[[nn.Module], Tensor]
    ours: Callable[[nn.Module], Tensor]
    close: float = 1e-9
    generates: Callable[[nn.Module, nn.Module], tuple[Tensor, Tensor]] | None = None


def shaken(model: nn.Module) -> nn.Module:
    """En float64 y con todos los números movidos: que nada valga 0 ni 1."""
    torch.manual_seed(0)
    model = model.double().eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "encoder.embed_positions" not in name:  # los senos de Whisper no se aprenden
                parameter += 0.1 * torch.randn_like(parameter)
        for name, buffer in model.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_(std=0.1)
            if name.endswith("running_var"):
                buffer.uniform_(0.5, 1.5)
    return model


def drawn(high: int, *shape: int, low: int = 3) -> Tensor:
    return torch.randint(low, high, shape, generator=torch.Generator().manual_seed(1))


def noise(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(2), dtype=torch.float64)


TOKENS = drawn(N_TOKENS, 2, 7)
LENGTHS = torch.tensor([7, 4])
KEPT = (torch.arange(7) < LENGTHS[:, None]).long()
PICTURES = noise(2, 3, 32, 32)
WAVES = noise(2, 400)
MELS = noise(2, 8, 30)
WRITTEN = drawn(N_TOKENS, 2, 5)


def kept(states: Tensor) -> Tensor:
    return states[KEPT.bool()]


def reads(attribute: str):
    """La pregunta de un codificador de texto: qué dice donde no hay relleno."""

    def ask(model: nn.Module) -> Tensor:
        padded = TOKENS.masked_fill(~KEPT.bool(), model.config.pad_token_id or 0)
        return kept(getattr(model(padded, attention_mask=KEPT), attribute))

    return ask


def bert_like(build, attribute: str) -> Reference:
    return Reference(build, reads(attribute), lambda model: kept(model(TOKENS, LENGTHS)))


def continued(theirs: nn.Module, ours: nn.Module) -> tuple[Tensor, Tensor]:
    """Lo que siguen escribiendo los dos, eligiendo siempre lo más probable."""
    from tfcourse.decoding import continue_tokens
    from tfcourse.decoding.steps import greedy

    wanted = theirs.generate(
        TOKENS[:1, :3], max_new_tokens=8, do_sample=False, eos_token_id=None, pad_token_id=0
    )
    found = continue_tokens(ours, TOKENS[:1, :3], choose=greedy, max_length=8)
    return wanted[:, -8:], found[:, -8:]


def answered(theirs: nn.Module, ours: nn.Module) -> tuple[Tensor, Tensor]:
    """Lo que contestan los dos T5 a una entrada."""
    from tfcourse.decoding import greedy_decode

    wanted = theirs.generate(
        TOKENS[:1], max_new_tokens=8, do_sample=False, eos_token_id=None, decoder_start_token_id=0
    )
    state = ours.start(TOKENS[:1], LENGTHS[:1])
    first = torch.zeros(1, dtype=torch.long)
    found = greedy_decode(ours.step, state, first, stop_id=-1, max_length=8)
    return wanted[:, 1:], found


def dictated(theirs: nn.Module, ours: nn.Module) -> tuple[Tensor, Tensor]:
    """Lo que escriben los dos Whisper al oír lo mismo."""
    from tfcourse.decoding import greedy_decode

    first = torch.full((2, 1), 3)
    encoded = theirs.model.encoder(MELS)
    for _ in range(8):  # sin `generate`, que añade las reglas de un Whisper entrenado
        logits = theirs(encoder_outputs=encoded, decoder_input_ids=first).logits[:, -1]
        first = torch.cat([first, logits.argmax(-1, keepdim=True)], dim=1)
    found = greedy_decode(
        ours.step, ours.start(MELS), torch.full((2,), 3), stop_id=-1, max_length=8
    )
    return first[:, 1:], found


def t5_model(kind: str, **options) -> nn.Module:
    config = getattr(library, f"{kind}Config")(
        vocab_size=N_TOKENS, d_model=16, d_kv=6, d_ff=24, num_layers=2, num_heads=2,
        dropout_rate=0.0, **options,
    )  # fmt: skip
    model = getattr(library, f"{kind}ForConditionalGeneration")(config)
    if config.feed_forward_proj != "relu":  # en los publicados, la salida es otra matriz
        model.lm_head.weight = nn.Parameter(torch.randn_like(model.lm_head.weight))
    return shaken(model)


def t5_like(kind: str, **options) -> Reference:
    return Reference(
        lambda: t5_model(kind, **options),
        lambda model: model(TOKENS, attention_mask=KEPT, decoder_input_ids=WRITTEN).logits,
        lambda model: model(TOKENS, LENGTHS, WRITTEN),
        close=1e-5,  # la biblioteca hace el softmax y la normalización en float32
        generates=answered,
    )


def modern_like(kind: str, **options) -> Reference:
    config = {
        "vocab_size": N_TOKENS, "num_key_value_heads": 1, "max_position_embeddings": 20,
        "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}, **MARKS, **TEXT,
    }  # fmt: skip

    def build() -> nn.Module:
        made = getattr(library, f"{kind}Config")(**config | options)
        return shaken(getattr(library, f"{kind}ForCausalLM")(made))

    return Reference(
        build,
        lambda model: model(TOKENS).logits,
        lambda model: model(TOKENS),
        close=1e-5,  # la biblioteca normaliza y gira en float32
        generates=continued,
    )


def wav2vec2_model(head: str, **options) -> nn.Module:
    config = library.Wav2Vec2Config(
        vocab_size=12, conv_dim=(8, 12), conv_kernel=(6, 4), conv_stride=(4, 2),
        num_feat_extract_layers=2, num_conv_pos_embeddings=4, num_conv_pos_embedding_groups=2,
        layerdrop=0.0, **TEXT, **options,
    )  # fmt: skip
    return shaken(getattr(library, head)(config))


LARGE = {"feat_extract_norm": "layer", "conv_bias": True, "do_stable_layer_norm": True}


def wave_like(head: str, attribute: str, **options) -> Reference:
    return Reference(
        lambda: wav2vec2_model(head, **options),
        lambda model: getattr(model(normalized(WAVES)), attribute),
        lambda model: model(WAVES),
    )


def detr_model() -> nn.Module:
    resnet = library.ResNetConfig(
        embedding_size=64, hidden_sizes=[256, 512, 1024, 2048], depths=[1, 1, 1, 1],
        out_features=["stage4"], layer_type="bottleneck",
    )  # fmt: skip
    config = library.DetrConfig(
        use_timm_backbone=False, backbone_config=resnet, d_model=16, encoder_layers=2,
        decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=24,
        decoder_ffn_dim=24, num_queries=5, num_labels=3,
    )  # fmt: skip
    torch.manual_seed(0)
    return library.DetrForObjectDetection(config).double().eval()


def detected(model: nn.Module) -> Tensor:
    found = model(PICTURES.repeat(1, 1, 2, 3))
    if not isinstance(found, list):
        return torch.cat([found.logits, found.pred_boxes], dim=-1)
    return torch.cat([found[-1].logits, found[-1].boxes], dim=-1)


def maskformer_model() -> nn.Module:
    swin = library.SwinConfig(
        image_size=96, patch_size=2, embed_dim=8, depths=[1, 2, 1, 2],
        num_heads=[2, 2, 4, 4], window_size=4,
    )  # fmt: skip
    detr = library.DetrConfig(
        use_timm_backbone=False, backbone_config=library.ResNetConfig(), d_model=16,
        decoder_layers=2, decoder_attention_heads=2, decoder_ffn_dim=24, num_queries=5,
    )  # fmt: skip
    config = library.MaskFormerConfig(
        backbone_config=swin, decoder_config=detr, num_labels=3, fpn_feature_size=32,
        mask_feature_size=12,
    )  # fmt: skip
    return shaken(library.MaskFormerForInstanceSegmentation(config))


def segmented(model: nn.Module) -> Tensor:
    """Las clases y, detrás, los puntos de las máscaras; ni los mapas ni sus etapas son enteros."""
    found = model(PICTURES.repeat(1, 1, 3, 4)[..., :84, :110])
    if isinstance(found, list):
        classes, masks = found[-1].logits, found[-1].masks
    else:
        classes, masks = found.class_queries_logits, found.masks_queries_logits
    return torch.cat([classes.flatten(1), masks.flatten(1)], dim=1)


def clip_model() -> nn.Module:
    config = library.CLIPConfig(
        text_config=TEXT | {"vocab_size": N_TOKENS, "eos_token_id": N_TOKENS - 1,
                            "bos_token_id": 1, "max_position_embeddings": 9},
        vision_config=TEXT | {"image_size": 32, "patch_size": 16},
        projection_dim=12,
    )  # fmt: skip
    return shaken(library.CLIPModel(config))


def siglip_model() -> nn.Module:
    config = library.SiglipConfig(
        text_config=TEXT | {"vocab_size": N_TOKENS, "max_position_embeddings": 9,
                            "projection_size": 16},
        vision_config=TEXT | {"image_size": 32, "patch_size": 16},
    )  # fmt: skip
    model = shaken(library.SiglipModel(config))
    with torch.no_grad():  # como en los publicados, por encima del tope de CLIP
        model.logit_scale.fill_(4.8)
        model.logit_bias.fill_(-12.0)
    return model


def pose_like(simple: bool) -> Reference:
    def build() -> nn.Module:
        backbone = library.VitPoseBackboneConfig(
            image_size=(32, 48), patch_size=(16, 16), hidden_size=16, num_hidden_layers=2,
            num_attention_heads=2, mlp_ratio=2, out_indices=[2],
        )  # fmt: skip
        return shaken(library.VitPoseForPoseEstimation(library.VitPoseConfig(
            backbone_config=backbone, use_simple_decoder=simple, num_labels=3,
        )))  # fmt: skip

    wide = noise(2, 3, 32, 48)
    return Reference(build, lambda model: model(wide).heatmaps, lambda model: model(wide))


def whole_mae(model: nn.Module) -> Tensor:
    """Lo que da el codificador de MAE sin tapar nada y sin barajar los parches."""
    order = torch.arange(4.0).expand(2, 4)
    return model(PICTURES, noise=order).last_hidden_state


ENDED = TOKENS.clamp(max=N_TOKENS - 2)  # con el fin en su sitio
ENDED[0, -1] = ENDED[1, 3] = N_TOKENS - 1
