"""Modelos de referencia: los de `transformers`, diminutos y al azar, y qué se les pregunta."""

from dataclasses import replace

import torch
import transformers as library

from tests.official.reference_models import (
    ENDED,
    LARGE,
    LENGTHS,
    MARKS,
    MELS,
    N_TOKENS,
    PICTURES,
    QUIET,
    TEXT,
    TOKENS,
    WAVES,
    WRITTEN,
    Reference,
    bert_like,
    clip_model,
    continued,
    detected,
    detr_model,
    dictated,
    kept,
    maskformer_model,
    modern_like,
    pose_like,
    reads,
    segmented,
    shaken,
    siglip_model,
    t5_like,
    wave_like,
    whole_mae,
)
from workshop.rehearsal.separator import TINY, Separator

REFERENCES: dict[str, Reference] = {
    "bert": bert_like(
        lambda: shaken(library.BertForMaskedLM(
            library.BertConfig(vocab_size=N_TOKENS, max_position_embeddings=9, **TEXT, **QUIET)
        )), "logits",
    ),
    "bert-codificador": bert_like(
        lambda: shaken(library.BertModel(
            library.BertConfig(vocab_size=N_TOKENS, max_position_embeddings=9, **TEXT, **QUIET)
        )), "last_hidden_state",
    ),
    "roberta": bert_like(
        lambda: shaken(library.RobertaForMaskedLM(library.RobertaConfig(
            vocab_size=N_TOKENS, max_position_embeddings=11, type_vocab_size=1, **TEXT, **QUIET,
            layer_norm_eps=1e-5,
        ))), "logits",
    ),
    "roberta-codificador": bert_like(
        lambda: shaken(library.XLMRobertaModel(library.XLMRobertaConfig(
            vocab_size=N_TOKENS, max_position_embeddings=11, type_vocab_size=1, **TEXT, **QUIET,
        ))), "last_hidden_state",
    ),
    "distilbert": bert_like(
        lambda: shaken(library.DistilBertForMaskedLM(library.DistilBertConfig(
            vocab_size=N_TOKENS, dim=16, n_layers=2, n_heads=2, hidden_dim=24,
            max_position_embeddings=9,
        ))), "logits",
    ),
    "distilbert-codificador": bert_like(
        lambda: shaken(library.DistilBertModel(library.DistilBertConfig(
            vocab_size=N_TOKENS, dim=16, n_layers=2, n_heads=2, hidden_dim=24,
            max_position_embeddings=9,
        ))), "last_hidden_state",
    ),
    "modernbert": Reference(
        lambda: shaken(library.ModernBertForMaskedLM(library.ModernBertConfig(
            vocab_size=N_TOKENS, max_position_embeddings=9, local_attention=4, pad_token_id=0,
            cls_token_id=1, sep_token_id=2, **TEXT | {"num_hidden_layers": 4},
        ))),
        reads("logits"),
        lambda model: kept(model(TOKENS, LENGTHS)),
        close=1e-5,  # la biblioteca gira en float32
    ),
    "gpt-2": Reference(
        lambda: shaken(library.GPT2LMHeadModel(library.GPT2Config(
            vocab_size=N_TOKENS, n_embd=16, n_layer=2, n_head=2, n_positions=20, **MARKS,
        ))),
        lambda model: model(TOKENS).logits,
        lambda model: model(TOKENS),
        generates=continued,
    ),
    "gpt-1": Reference(
        lambda: shaken(library.OpenAIGPTLMHeadModel(library.OpenAIGPTConfig(
            vocab_size=N_TOKENS, n_embd=16, n_layer=2, n_head=2, n_positions=20, **MARKS,
        ))),
        lambda model: model(TOKENS).logits,
        lambda model: model(TOKENS),
        generates=continued,
    ),
    "llama": modern_like("Llama", tie_word_embeddings=False),
    "llama-atada": modern_like("Llama", tie_word_embeddings=True),
    "qwen3": modern_like("Qwen3", tie_word_embeddings=False, head_dim=6),
    "qwen3-atada": modern_like("Qwen3", tie_word_embeddings=True, head_dim=6),
    "t5": t5_like("T5"),
    "t5-compuerta": t5_like("T5", feed_forward_proj="gated-gelu", tie_word_embeddings=False),
    "vit": Reference(
        lambda: shaken(library.ViTForImageClassification(library.ViTConfig(
            image_size=32, patch_size=16, num_labels=5, **TEXT
        ))),
        lambda model: model(PICTURES).logits,
        lambda model: model(PICTURES),
    ),
    "deit": Reference(
        lambda: shaken(library.DeiTForImageClassificationWithTeacher(library.DeiTConfig(
            image_size=32, patch_size=16, num_labels=5, **TEXT
        ))),
        lambda model: torch.stack(
            [(found := model(PICTURES)).cls_logits, found.distillation_logits]
        ),
        lambda model: torch.stack(model.both(PICTURES)),
    ),
    "mae-codificador": Reference(
        lambda: shaken(library.ViTMAEModel(library.ViTMAEConfig(
            image_size=32, patch_size=16, mask_ratio=0.0, **TEXT
        ))),
        whole_mae,
        lambda model: model(PICTURES),
    ),
    "dinov2-codificador": Reference(
        lambda: shaken(library.Dinov2Model(library.Dinov2Config(
            image_size=32, patch_size=16, mlp_ratio=2, layerscale_value=0.5, hidden_size=16,
            num_hidden_layers=2, num_attention_heads=2,
        ))),
        lambda model: model(PICTURES).last_hidden_state,
        lambda model: model(PICTURES),
    ),
    "dinov2-registros": Reference(
        lambda: shaken(library.Dinov2WithRegistersModel(library.Dinov2WithRegistersConfig(
            image_size=32, patch_size=16, mlp_ratio=2, layerscale_value=0.5, hidden_size=16,
            num_hidden_layers=2, num_attention_heads=2, num_register_tokens=3,
        ))),
        lambda model: model(PICTURES).last_hidden_state,
        lambda model: model(PICTURES),
    ),
    "siglip": Reference(
        siglip_model,
        lambda model: model(input_ids=TOKENS, pixel_values=PICTURES).logits_per_image,
        lambda model: model(PICTURES, TOKENS, LENGTHS),
    ),
    "vitpose-sencilla": pose_like(simple=True),
    "vitpose": pose_like(simple=False),
    "swin": Reference(
        lambda: shaken(library.SwinForImageClassification(library.SwinConfig(
            image_size=32, patch_size=2, embed_dim=8, depths=[2, 2], num_heads=[2, 4],
            window_size=4, num_labels=5,
        ))),
        lambda model: model(PICTURES).logits,
        lambda model: model(PICTURES),
    ),
    "detr": Reference(detr_model, detected, detected, close=1e-5),
    # La biblioteca suma 10⁻⁶ al dividir las posiciones: es todo lo que se separan.
    "maskformer": Reference(maskformer_model, segmented, segmented, close=1e-7),
    "clip": Reference(
        clip_model,
        lambda model: model(input_ids=ENDED, pixel_values=PICTURES).logits_per_image,
        lambda model: model(PICTURES, ENDED, LENGTHS),
    ),
    "whisper": Reference(
        lambda: shaken(library.WhisperForConditionalGeneration(library.WhisperConfig(
            vocab_size=N_TOKENS, num_mel_bins=8, d_model=16, encoder_layers=2, decoder_layers=2,
            encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=24,
            decoder_ffn_dim=24, max_source_positions=15, max_target_positions=12, pad_token_id=0,
            bos_token_id=1, eos_token_id=2, decoder_start_token_id=3,
        ))),
        lambda model: model(input_features=MELS, decoder_input_ids=WRITTEN).logits,
        lambda model: model(MELS, WRITTEN),
        generates=dictated,
    ),
    "wav2vec2": wave_like("Wav2Vec2ForCTC", "logits"),
    "wav2vec2-codificador": wave_like("Wav2Vec2Model", "last_hidden_state"),
    "sepformer": Reference(
        lambda: shaken(Separator(replace(TINY, num_layers=2, blocks=2))),
        lambda model: model(WAVES[:, :131]),
        lambda model: model(WAVES[:, :131]),
        close=1e-5,  # las posiciones se guardan en float32
    ),
    "xlsr": wave_like("Wav2Vec2ForCTC", "logits", **LARGE),
    "xlsr-codificador": wave_like("Wav2Vec2Model", "last_hidden_state", **LARGE),
}  # fmt: skip

# Con qué prueba de `tests/tokenizers/test_published.py` se comprueba su tokenizador; si con
# ninguna, por qué.
TOKENIZERS: dict[str, tuple[str, ...]] = {
    "bert": ("BERT, minúsculas",),
    "bert-codificador": ("XLM-R", "BERT, minúsculas"),
    "roberta": ("RoBERTa",),
    "roberta-codificador": ("XLM-R",),
    "distilbert": ("BERT, minúsculas",),
    "distilbert-codificador": ("BERT, minúsculas",),
    "modernbert": ("ModernBERT",),
    "gpt-2": ("GPT-2",),
    "gpt-1": ("GPT-1",),
    "llama-atada": ("SmolLM2",),
    "qwen3": ("Qwen3",),
    "qwen3-atada": ("Qwen3",),
    "t5": ("T5",),
    "t5-compuerta": ("T5",),
    "clip": ("CLIP",),
    "siglip": ("SigLIP",),
    "whisper": ("GPT-2",),
}
WITHOUT_TOKENIZER: dict[str, str] = {
    "llama": "depende de la publicación",
    "wav2vec2": "una letra por número",
    "xlsr": "una letra por número",
} | dict.fromkeys(
    (
        "vit",
        "deit",
        "mae-codificador",
        "dinov2-codificador",
        "dinov2-registros",
        "vitpose-sencilla",
        "vitpose",
        "swin",
        "detr",
        "maskformer",
        "wav2vec2-codificador",
        "xlsr-codificador",
        "sepformer",
    ),
    "no lee texto",
)
