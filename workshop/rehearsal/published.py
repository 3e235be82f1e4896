"""Los pesos publicados, en diminuto y sin entrenar: los mismos archivos, con su biblioteca."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tfcourse.tokenizers.published_cuts import EXPRESSIONS
from workshop.rehearsal.untrained import save_untrained

TEXTS = ["La ciudad de Granada es muy antigua. ", "El río nace en la sierra; en 1492, ñ, ¿?¡!"]
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
SIZES = {
    "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24,
    "max_position_embeddings": 64,
}  # fmt: skip
ROTARY = SIZES | {
    "num_key_value_heads": 1,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0},
}
GPT2 = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64}
LETTERS_CUT = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
DIGITS_CUT = {
    "type": "Sequence",
    "pretokenizers": [{"type": "Digits", "individual_digits": True}, LETTERS_CUT],
}
QWEN_CUT = {
    "type": "Sequence",
    "pretokenizers": [
        {
            "type": "Split", "pattern": {"Regex": next(iter(EXPRESSIONS))}, "behavior": "Isolated",
            "invert": False,
        },
        LETTERS_CUT | {"use_regex": False},
    ],
}  # fmt: skip


def make_language_model(
    folder: Path, name: str, kind: str, cut: dict[str, Any], **options: Any
) -> None:
    """Un modelo de lenguaje con BPE de bytes; `kind` es su clase en transformers."""
    import transformers

    inside = folder / name
    inside.mkdir(parents=True)
    n_tokens = write_byte_bpe(inside / "tokenizer.json", cut)
    config = getattr(transformers, f"{kind}Config")(vocab_size=n_tokens, **options)
    head = "LMHeadModel" if kind == "GPT2" else "ForCausalLM"
    save_untrained(inside, lambda: getattr(transformers, kind + head)(config))


def write_byte_bpe(path: Path, cut: dict[str, Any]) -> int:
    """Un BPE de bytes aprendido de unas frases, con un primer corte; devuelve cuántos tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=302, special_tokens=CONTROL, initial_alphabet=alphabet, show_progress=False
    )  # fmt: skip
    made.train_from_iterator(TEXTS, trainer)
    content = json.loads(made.to_str()) | {"pre_tokenizer": cut}
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return made.get_vocab_size()


def make_bert(folder: Path, name: str, lower: bool) -> None:
    """Un BERT que rellena huecos, con su WordPiece de letras sueltas."""
    from transformers import BertConfig, BertForMaskedLM

    inside = folder / name
    inside.mkdir(parents=True)
    letters = "abcdefghijklmnopqrstuvwxyzáéíóúüñ0123456789.,;:¿?¡!()"
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokens = [*marks, *letters, *(f"##{letter}" for letter in letters)]
    (inside / "vocab.txt").write_text("\n".join(tokens) + "\n", encoding="utf-8")
    settings = {"do_lower_case": lower, "strip_accents": lower}
    (inside / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    config = BertConfig(vocab_size=len(tokens), **SIZES)
    save_untrained(inside, lambda: BertForMaskedLM(config))


def make_flan(folder: Path, name: str) -> None:
    """Un T5 con compuerta y su Unigram, aprendido de unas frases."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    inside = folder / name
    inside.mkdir(parents=True)
    made = Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    made.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=80, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>",
        show_progress=False,
    )  # fmt: skip
    made.train_from_iterator(TEXTS, trainer)
    made.post_processor = processors.TemplateProcessing("$A </s>", None, [("</s>", 1)])
    made.save(str(inside / "tokenizer.json"))
    save_untrained(inside, lambda: gated_t5(made.get_vocab_size()))


def gated_t5(n_tokens: int) -> Any:
    """Un T5 con compuerta; en los publicados, la salida es otra matriz."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    model = T5ForConditionalGeneration(T5Config(
        vocab_size=n_tokens, d_model=16, d_kv=8, d_ff=24, num_layers=1, num_heads=2,
        feed_forward_proj="gated-gelu", tie_word_embeddings=False,
    ))  # fmt: skip
    model.lm_head.weight = torch.nn.Parameter(torch.randn_like(model.lm_head.weight))
    return model


def maker(name: str, kind: str, cut: dict[str, Any], **options: Any) -> Callable[[Path], None]:
    """Quien hace uno, con su nombre."""
    return partial(make_language_model, name=name, kind=kind, cut=cut, **options)


MAKERS = {
    name: maker(name, "GPT2", LETTERS_CUT, **GPT2)
    for name in ("openai-community/gpt2", "DeepESP/gpt2-spanish")
} | {
    "google-bert/bert-base-uncased": partial(
        make_bert, name="google-bert/bert-base-uncased", lower=True
    ),
    "dccuchile/bert-base-spanish-wwm-cased": partial(
        make_bert, name="dccuchile/bert-base-spanish-wwm-cased", lower=False
    ),
    "google/flan-t5-small": partial(make_flan, name="google/flan-t5-small"),
    "HuggingFaceTB/SmolLM2-135M-Instruct": maker(
        "HuggingFaceTB/SmolLM2-135M-Instruct", "Llama", DIGITS_CUT, tie_word_embeddings=True,
        **ROTARY,
    ),
    "Qwen/Qwen3-0.6B": maker(
        "Qwen/Qwen3-0.6B", "Qwen3", QWEN_CUT, tie_word_embeddings=True, head_dim=6, **ROTARY
    ),
}  # fmt: skip
