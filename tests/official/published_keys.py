"""Qué tensores hay en cada archivo publicado, y con qué configuración: hechos, y no pesos."""

from tests.official.key_lines import (
    BASE,
    BATCH_NORM,
    LOOK,
    MASKFORMER,
    QWEN3,
    RESNET50,
    SMALL,
    T5_SMALL,
    VIT_LAYER,
    VITPOSE,
    WAVE,
    WB,
    Checkpoint,
    bert_lines,
    maskformer_lines,
    modern_lines,
    pose_lines,
    separator_lines,
    swin_lines,
    t5_lines,
    vit_lines,
    wave_lines,
)
from workshop.rehearsal.separator import LONGEST, Settings

CHECKPOINTS: dict[str, Checkpoint] = {
    "google-bert/bert-base-uncased": Checkpoint(
        "bert", "BertForPreTraining",
        BASE | {"model_type": "bert", "vocab_size": 30522, "max_position_embeddings": 512,
                "type_vocab_size": 2},
        f"""{bert_lines("bert.", 12, "gamma", "beta")}
        cls.predictions.bias cls.predictions.decoder.weight cls.seq_relationship.{WB}
        cls.predictions.transform.dense.{WB}
        cls.predictions.transform.LayerNorm.(gamma|beta)""",
    ),
    "intfloat/multilingual-e5-small": Checkpoint(
        "bert-codificador", "BertModel",
        SMALL | {"model_type": "bert", "vocab_size": 250037, "max_position_embeddings": 512,
                 "type_vocab_size": 2},
        f"embeddings.position_ids {bert_lines('', 12)}",
    ),
    "sentence-transformers/all-MiniLM-L6-v2": Checkpoint(
        "bert-codificador", "BertModel",
        SMALL | {"model_type": "bert", "vocab_size": 30522, "max_position_embeddings": 512,
                 "type_vocab_size": 2, "num_hidden_layers": 6},
        f"embeddings.position_ids {bert_lines('', 6)}",
    ),
    "FacebookAI/roberta-base": Checkpoint(
        "roberta", "RobertaForMaskedLM",
        BASE | {"model_type": "roberta", "vocab_size": 50265, "max_position_embeddings": 514,
                "type_vocab_size": 1, "pad_token_id": 1},
        f"""{bert_lines("roberta.", 12)} roberta.embeddings.position_ids
        lm_head.(dense|layer_norm).{WB} lm_head.bias lm_head.decoder.weight""",
        extra={"pooler.dense.weight": (768, 768), "pooler.dense.bias": (768,)},
    ),
    "distilbert/distilbert-base-uncased": Checkpoint(
        "distilbert", "DistilBertForMaskedLM",
        {"model_type": "distilbert", "vocab_size": 30522, "dim": 768, "n_layers": 6, "n_heads": 12,
         "hidden_dim": 3072, "max_position_embeddings": 512},
        f"""distilbert.embeddings.(word|position)_embeddings.weight
        distilbert.embeddings.LayerNorm.{WB}
        distilbert.transformer.layer.{{0-5}}.attention.(q_lin|k_lin|v_lin|out_lin).{WB}
        distilbert.transformer.layer.{{0-5}}.(ffn.lin1|ffn.lin2).{WB}
        distilbert.transformer.layer.{{0-5}}.(sa_layer_norm|output_layer_norm).{WB}
        (vocab_transform|vocab_layer_norm|vocab_projector).{WB}""",
    ),
    "answerdotai/ModernBERT-base": Checkpoint(
        "modernbert", "ModernBertForMaskedLM",
        {"model_type": "modernbert", "vocab_size": 50368, "hidden_size": 768,
         "intermediate_size": 1152, "num_hidden_layers": 22, "num_attention_heads": 12,
         "max_position_embeddings": 8192, "local_attention": 128, "global_rope_theta": 160000.0,
         "local_rope_theta": 10000.0, "global_attn_every_n_layers": 3, "norm_eps": 1e-5},
        """model.embeddings.(tok_embeddings|norm).weight model.final_norm.weight
        model.layers.{0-21}.(attn.Wqkv|attn.Wo|mlp.Wi|mlp.Wo|mlp_norm).weight
        model.layers.{1-21}.attn_norm.weight head.(dense|norm).weight decoder.bias""",
    ),
    "openai-community/gpt2": Checkpoint(
        "gpt-2", "GPT2LMHeadModel",
        {"model_type": "gpt2", "vocab_size": 50257, "n_embd": 768, "n_head": 12, "n_layer": 12,
         "n_positions": 1024, "layer_norm_epsilon": 1e-5, "activation_function": "gelu_new"},
        f"""wte.weight wpe.weight ln_f.{WB} h.{{0-11}}.attn.bias h.{{0-11}}.(ln_1|ln_2).{WB}
        h.{{0-11}}.(attn.c_attn|attn.c_proj|mlp.c_fc|mlp.c_proj).{WB}""",
    ),
    "openai-community/openai-gpt": Checkpoint(
        "gpt-1", "OpenAIGPTLMHeadModel",
        {"model_type": "openai-gpt", "vocab_size": 40478, "n_embd": 768, "n_head": 12,
         "n_layer": 12, "n_positions": 512, "afn": "gelu"},
        f"""tokens_embed.weight positions_embed.weight h.{{0-11}}.attn.bias
        h.{{0-11}}.(attn.c_attn|attn.c_proj|mlp.c_fc|mlp.c_proj|ln_1|ln_2).{WB}""",
    ),
    "BSC-LT/salamandra-2b": Checkpoint(
        "llama", "LlamaForCausalLM",
        {"model_type": "llama", "vocab_size": 256000, "hidden_size": 2048, "num_hidden_layers": 24,
         "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 5440,
         "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "rope_theta": 10000.0,
         "rope_scaling": None, "tie_word_embeddings": False},
        f"{modern_lines(24)} lm_head.weight", each=2,
    ),
    "HuggingFaceTB/SmolLM2-135M-Instruct": Checkpoint(
        "llama-atada", "LlamaForCausalLM",
        {"model_type": "llama", "vocab_size": 49152, "hidden_size": 576, "num_hidden_layers": 30,
         "num_attention_heads": 9, "num_key_value_heads": 3, "intermediate_size": 1536,
         "max_position_embeddings": 8192, "rms_norm_eps": 1e-5, "rope_theta": 100000,
         "rope_scaling": None, "tie_word_embeddings": True},
        modern_lines(30), each=2,
    ),
    "Qwen/Qwen3-8B": Checkpoint(
        "qwen3", "Qwen3ForCausalLM",
        QWEN3 | {"hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32,
                 "intermediate_size": 12288, "tie_word_embeddings": False},
        f"{modern_lines(36, '|q_norm|k_norm')} lm_head.weight", each=2,
    ),
    "Qwen/Qwen3-0.6B": Checkpoint(
        "qwen3-atada", "Qwen3ForCausalLM",
        QWEN3 | {"hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16,
                 "intermediate_size": 3072, "tie_word_embeddings": True},
        f"{modern_lines(28, '|q_norm|k_norm')} lm_head.weight", each=2, twice=151936 * 1024,
    ),
    "google-t5/t5-small": Checkpoint(
        "t5", "T5ForConditionalGeneration",
        T5_SMALL | {"model_type": "t5", "d_ff": 2048, "num_layers": 6, "num_heads": 8},
        f"""{t5_lines(6, "wi")} (encoder|decoder).embed_tokens.weight lm_head.weight
        decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight""",
    ),
    "google/flan-t5-small": Checkpoint(
        "t5-compuerta", "T5ForConditionalGeneration",
        T5_SMALL | {"model_type": "t5", "d_ff": 1024, "num_layers": 8, "num_heads": 6,
                    "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
        f"{t5_lines(8, 'wi_0|wi_1')} (encoder|decoder).embed_tokens.weight lm_head.weight",
    ),
    "google/mt5-small": Checkpoint(
        "t5-compuerta", "MT5ForConditionalGeneration",
        T5_SMALL | {"model_type": "mt5", "d_ff": 1024, "num_layers": 8, "num_heads": 6,
                    "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False,
                    "vocab_size": 250112},
        f"{t5_lines(8, 'wi_0|wi_1')} (encoder|decoder).embed_tokens.weight lm_head.weight",
    ),
    "google/vit-base-patch16-224": Checkpoint(
        "vit", "ViTForImageClassification",
        BASE | {"model_type": "vit", "image_size": 224, "patch_size": 16, "num_channels": 3,
                "num_labels": 1000},
        f"{vit_lines('vit')} classifier.{WB}",
    ),
    "facebook/deit-base-distilled-patch16-224": Checkpoint(
        "deit", "DeiTForImageClassificationWithTeacher",
        BASE | {"model_type": "deit", "image_size": 224, "patch_size": 16, "num_channels": 3,
                "num_labels": 1000},
        f"""{vit_lines("deit")} deit.embeddings.distillation_token
        (cls_classifier|distillation_classifier).{WB}""",
    ),
    "facebook/vit-mae-base": Checkpoint(
        "mae-codificador", "ViTMAEForPreTraining",
        BASE | {"model_type": "vit_mae", "image_size": 224, "patch_size": 16, "num_channels": 3,
                "decoder_hidden_size": 512, "decoder_num_hidden_layers": 8,
                "decoder_num_attention_heads": 16, "decoder_intermediate_size": 2048},
        f"""{vit_lines("vit")} decoder.(mask_token|decoder_pos_embed)
        decoder.(decoder_embed|decoder_norm|decoder_pred).{WB}
        decoder.decoder_layers.{{0-7}}.{VIT_LAYER}.{WB}""",
        twice=26_109_184,  # lo que reconstruye los parches, que aquí se deja fuera
    ),
    "facebook/dinov2-small": Checkpoint(
        "dinov2-codificador", "Dinov2Model",
        {"model_type": "dinov2", "hidden_size": 384, "num_hidden_layers": 12,
         "num_attention_heads": 6, "mlp_ratio": 4, "image_size": 518, "patch_size": 14,
         "num_channels": 3},
        f"""embeddings.(cls_token|mask_token|position_embeddings)
        embeddings.patch_embeddings.projection.{WB} layernorm.{WB}
        encoder.layer.{{0-11}}.attention.(attention.query|attention.key|attention.value).{WB}
        encoder.layer.{{0-11}}.(norm1|norm2|attention.output.dense|mlp.fc1|mlp.fc2).{WB}
        encoder.layer.{{0-11}}.(layer_scale1|layer_scale2).lambda1""",
    ),
    "facebook/dinov2-with-registers-small": Checkpoint(
        "dinov2-registros", "Dinov2WithRegistersModel",
        {"model_type": "dinov2_with_registers", "hidden_size": 384, "num_hidden_layers": 12,
         "num_attention_heads": 6, "mlp_ratio": 4, "image_size": 518, "patch_size": 14,
         "num_channels": 3, "num_register_tokens": 4},
        f"""embeddings.(cls_token|mask_token|register_tokens|position_embeddings)
        embeddings.patch_embeddings.projection.{WB} layernorm.{WB}
        encoder.layer.{{0-11}}.attention.(attention.query|attention.key|attention.value).{WB}
        encoder.layer.{{0-11}}.(norm1|norm2|attention.output.dense|mlp.fc1|mlp.fc2).{WB}
        encoder.layer.{{0-11}}.(layer_scale1|layer_scale2).lambda1""",
    ),
    "microsoft/swin-tiny-patch4-window7-224": Checkpoint(
        "swin", "SwinForImageClassification",
        {"model_type": "swin", "image_size": 224, "patch_size": 4, "num_channels": 3,
         "embed_dim": 96, "depths": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24], "window_size": 7,
         "mlp_ratio": 4.0, "num_labels": 1000},
        f"""swin.embeddings.(norm|patch_embeddings.projection).{WB} swin.layernorm.{WB}
        {swin_lines((2, 2, 6, 2))} classifier.{WB}
        swin.encoder.layers.{{0-2}}.downsample.norm.{WB}
        swin.encoder.layers.{{0-2}}.downsample.reduction.weight""",
    ),
    "facebook/maskformer-swin-tiny-coco": Checkpoint(
        "maskformer", "MaskFormerForInstanceSegmentation",
        MASKFORMER, maskformer_lines(),
    ),
    "facebook/detr-resnet-50": Checkpoint(
        "detr", "DetrForObjectDetection",
        {"model_type": "detr", "num_queries": 100, "d_model": 256, "encoder_attention_heads": 8,
         "decoder_attention_heads": 8, "encoder_layers": 6, "decoder_layers": 6,
         "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "num_labels": 91,
         "use_timm_backbone": False, "backbone_config": RESNET50, "backbone": None},
        "model.backbone.conv_encoder.model.conv1.weight"
        f" model.backbone.conv_encoder.model.bn1.{BATCH_NORM} "
        + "\n".join(
            f"model.backbone.conv_encoder.model.layer{stage}.{rest}"
            for stage, depth in enumerate((3, 4, 6, 3), start=1)
            for rest in (
                f"{{0-{depth - 1}}}.conv{{1-3}}.weight",
                f"{{0-{depth - 1}}}.bn{{1-3}}.{BATCH_NORM}",
                "0.downsample.0.weight", f"0.downsample.1.{BATCH_NORM}",
            )
        )
        + f"""
        model.encoder.layers.{{0-5}}.self_attn.{LOOK}.{WB}
        model.decoder.layers.{{0-5}}.(self_attn|encoder_attn).{LOOK}.{WB}
        model.(encoder|decoder).layers.{{0-5}}.(fc1|fc2|self_attn_layer_norm|final_layer_norm).{WB}
        model.decoder.layers.{{0-5}}.encoder_attn_layer_norm.{WB} model.decoder.layernorm.{WB}
        model.input_projection.{WB} model.query_position_embeddings.weight
        class_labels_classifier.{WB} bbox_predictor.layers.{{0-2}}.{WB}""",
    ),
    "openai/clip-vit-base-patch32": Checkpoint(
        "clip", "CLIPModel",
        {"model_type": "clip", "projection_dim": 512,
         "vision_config": BASE | {"image_size": 224, "patch_size": 32},
         "text_config": BASE | {"hidden_size": 512, "num_attention_heads": 8,
                                "intermediate_size": 2048, "vocab_size": 49408,
                                "max_position_embeddings": 77}},
        f"""logit_scale (text_projection|visual_projection).weight
        (text_model|vision_model).embeddings.(position_ids|position_embedding.weight)
        text_model.embeddings.token_embedding.weight text_model.final_layer_norm.{WB}
        vision_model.embeddings.(class_embedding|patch_embedding.weight)
        vision_model.(pre_layrnorm|post_layernorm).{WB}
        (text_model|vision_model).encoder.layers.{{0-11}}.self_attn.{LOOK}.{WB}
        (text_model|vision_model).encoder.layers.{{0-11}}.(layer_norm1|layer_norm2|mlp.fc1|mlp.fc2).{WB}""",
    ),
    "usyd-community/vitpose-base-simple": Checkpoint(
        "vitpose-sencilla", "VitPoseForPoseEstimation", VITPOSE,
        f"{pose_lines()} head.conv.{WB}",
    ),
    "usyd-community/vitpose-base": Checkpoint(
        "vitpose", "VitPoseForPoseEstimation", VITPOSE | {"use_simple_decoder": False},
        f"""{pose_lines()} head.conv.{WB} head.(deconv1|deconv2).weight
        head.(batchnorm1|batchnorm2).({BATCH_NORM[1:-1]}|num_batches_tracked)""",
    ),
    "google/siglip-base-patch16-224": Checkpoint(
        "siglip", "SiglipModel",
        {"model_type": "siglip", "vision_config": {"image_size": 224, "patch_size": 16},
         "text_config": {"vocab_size": 32000, "max_position_embeddings": 64}},
        f"""logit_scale logit_bias
        (text_model|vision_model).embeddings.position_embedding.weight
        text_model.embeddings.token_embedding.weight text_model.(final_layer_norm|head).{WB}
        vision_model.embeddings.patch_embedding.{WB} vision_model.post_layernorm.{WB}
        (text_model|vision_model).encoder.layers.{{0-11}}.self_attn.{LOOK}.{WB}
        (text_model|vision_model).encoder.layers.{{0-11}}.(layer_norm1|layer_norm2|mlp.fc1|mlp.fc2).{WB}
        vision_model.head.(probe|attention.in_proj_weight|attention.in_proj_bias)
        vision_model.head.(attention.out_proj|layernorm|mlp.fc1|mlp.fc2).{WB}""",
    ),
    "openai/whisper-tiny": Checkpoint(
        "whisper", "WhisperForConditionalGeneration",
        {"model_type": "whisper", "vocab_size": 51865, "num_mel_bins": 80, "d_model": 384,
         "encoder_layers": 4, "decoder_layers": 4, "encoder_attention_heads": 6,
         "decoder_attention_heads": 6, "encoder_ffn_dim": 1536, "decoder_ffn_dim": 1536,
         "max_source_positions": 1500, "max_target_positions": 448},
        f"""model.encoder.(conv1|conv2|layer_norm).{WB} model.encoder.embed_positions.weight
        model.decoder.(embed_tokens|embed_positions).weight model.decoder.layer_norm.{WB}
        model.(encoder|decoder).layers.{{0-3}}.self_attn.(q_proj|v_proj|out_proj).{WB}
        model.(encoder|decoder).layers.{{0-3}}.self_attn.k_proj.weight
        model.(encoder|decoder).layers.{{0-3}}.(fc1|fc2|self_attn_layer_norm|final_layer_norm).{WB}
        model.decoder.layers.{{0-3}}.encoder_attn.(q_proj|v_proj|out_proj).{WB}
        model.decoder.layers.{{0-3}}.encoder_attn.k_proj.weight
        model.decoder.layers.{{0-3}}.encoder_attn_layer_norm.{WB}""",
    ),
    "speechbrain/sepformer-libri2mix": Checkpoint(
        # Sin SpeechBrain: sus nombres, los de su código, están en `workshop.rehearsal.separator`.
        "sepformer", "", Settings().to_dict(),
        f"""encoder.conv1d.weight decoder.weight masknet.norm.{WB} masknet.conv1d.weight
        {separator_lines()} masknet.conv2d.{WB} masknet.end_conv1x1.weight masknet.prelu.weight
        (masknet.output.0|masknet.output_gate.0).{WB}""",
        twice=4 * LONGEST * 256,  # las posiciones, que aquí se calculan
    ),
    "facebook/wav2vec2-base-960h": Checkpoint(
        "wav2vec2", "Wav2Vec2ForCTC",
        BASE | WAVE | {"feat_extract_norm": "group", "conv_bias": False,
                       "do_stable_layer_norm": False},
        wave_lines(
            "wav2vec2.", 12,
            f"""wav2vec2.feature_extractor.conv_layers.{{0-6}}.conv.weight
            wav2vec2.feature_extractor.conv_layers.0.layer_norm.{WB} lm_head.{WB}""",
        ),
        absent=("masked_spec_embed",),
    ),
    "facebook/wav2vec2-large-xlsr-53": Checkpoint(
        "xlsr-codificador", "Wav2Vec2ForPreTraining",
        WAVE | {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
                "intermediate_size": 4096, "feat_extract_norm": "layer", "conv_bias": True,
                "do_stable_layer_norm": True, "codevector_dim": 768, "proj_codevector_dim": 768},
        wave_lines(
            "wav2vec2.", 24,
            f"""wav2vec2.feature_extractor.conv_layers.{{0-6}}.(conv|layer_norm).{WB}
            wav2vec2.masked_spec_embed quantizer.codevectors quantizer.weight_proj.{WB}
            (project_hid|project_q).{WB}""",
        ),
    ),
}  # fmt: skip
