"""Los pesos oficiales de Whisper en nuestra clase: cambian los nombres, no los números."""

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

from tfcourse.datasets.download import data_folder
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.stored.full import Source
from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE

WHISPER_SOURCE = Source(
    "Whisper tiny", "https://huggingface.co/openai/whisper-tiny", "Apache 2.0", 0.15
)
_ATTENTION = {
    "q_proj": "q_proj", "k_proj": "k_proj", "v_proj": "v_proj", "out_proj": "out_proj",
}  # fmt: skip
# Nuestro nombre dentro de un bloque → el de transformers; los de `cross` solo, al escribir.
_BLOCK = {
    "around_attention.norm": "self_attn_layer_norm",
    "feed_forward.hidden": "fc1",
    "feed_forward.output": "fc2",
    "around_feed_forward.norm": "final_layer_norm",
} | {f"attention.{ours}": f"self_attn.{theirs}" for ours, theirs in _ATTENTION.items()}
_CROSS = {"around_cross_attention.norm": "encoder_attn_layer_norm"} | {
    f"cross_attention.{ours}": f"encoder_attn.{theirs}" for ours, theirs in _ATTENTION.items()
}
_ENDS = {
    "encoder.stem.first": "encoder.conv1",
    "encoder.stem.second": "encoder.conv2",
    "encoder.norm": "encoder.layer_norm",
    "decoder.table": "decoder.embed_tokens",
    "decoder.places": "decoder.embed_positions",
    "decoder.norm": "decoder.layer_norm",
}


def whisper_config_from_transformers(config) -> WhisperConfig:
    """Los tamaños de un `WhisperConfig` de transformers, en el nuestro."""
    return WhisperConfig(
        n_tokens=config.vocab_size,
        n_mels=config.num_mel_bins,
        max_frames=2 * config.max_source_positions,
        max_length=config.max_target_positions,
        d_model=config.d_model,
        n_heads=config.encoder_attention_heads,
        n_encoder=config.encoder_layers,
        n_decoder=config.decoder_layers,
        d_hidden=config.encoder_ffn_dim,
    )


def whisper_state_from_transformers(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos de un `WhisperForConditionalGeneration`, con los nombres de nuestro `Whisper`.

    En el original, las claves no llevan sesgo: aquí es cero. La cabeza CTC, que tampoco está, se
    queda a cero. Errores: `ValueError` si no son los pesos de un Whisper de transformers.
    """
    if "model.encoder.conv1.weight" not in state:
        raise ValueError(
            f"hay {len(state)} tensores y falta «model.encoder.conv1.weight»: pasa el state_dict() "
            "de un WhisperForConditionalGeneration de transformers"
        )
    names = {ours: f"model.{theirs}" for ours, theirs in _ENDS.items()}
    for side, parts in (("encoder", _BLOCK), ("decoder", _BLOCK | _CROSS)):
        start = f"model.{side}.layers."
        layers = {name[len(start) :].split(".")[0] for name in state if name.startswith(start)}
        for layer in layers:
            names |= {f"{side}.blocks.{layer}.{ours}": f"{start}{layer}.{theirs}"
                      for ours, theirs in parts.items()}  # fmt: skip
    found = {
        f"{ours}.{kind}": state[f"{theirs}.{kind}"]
        for ours, theirs in names.items()
        for kind in ("weight", "bias")
        if f"{theirs}.{kind}" in state
    }
    for name in [name for name in found if name.endswith("k_proj.weight")]:
        found[name.replace("weight", "bias")] = torch.zeros(len(found[name])).to(found[name])
    table = found["decoder.table.weight"]
    return found | {"ctc.weight": torch.zeros_like(table), "ctc.bias": table.new_zeros(len(table))}


def whisper_from_transformers(model) -> Whisper:
    """Nuestro Whisper con los pesos de uno de transformers."""
    ours = Whisper(whisper_config_from_transformers(model.config))
    ours.to(next(model.parameters()).dtype)  # antes de copiar, para no redondear los números
    ours.load_state_dict(whisper_state_from_transformers(model.state_dict()))
    return ours.eval()


class OfficialVocabulary:
    """Los tokens del Whisper original, con los nombres que usa `transcribe`."""

    def __init__(self, tokenizer, language: str = "es"):
        self.tokenizer, self.language = tokenizer, language
        self.stop_id = tokenizer.convert_tokens_to_ids("<|endoftext|>")

    def prompt(self, task: str = TRANSCRIBE) -> list[int]:
        """Inicio, lengua, tarea y sin marcas. Errores: `ValueError` si la tarea no se conoce."""
        tasks = {TRANSCRIBE: "transcribe", TRANSLATE: "translate"}
        if task not in tasks:
            raise ValueError(f"task={task!r}: usa {' o '.join(map(repr, tasks))}")
        names = ("startoftranscript", self.language, tasks[task], "notimestamps")
        return self.tokenizer.convert_tokens_to_ids([f"<|{name}|>" for name in names])

    def encode(self, text: str) -> list[int]:
        """Los números de una transcripción: lo que se da, el texto y el fin."""
        inside = self.tokenizer.encode(text, add_special_tokens=False)
        return [*self.prompt(), *inside, self.stop_id]

    def decode(self, ids: Iterable[int]) -> str:
        """El texto de unos números, sin los símbolos."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=True).strip()


def official_whisper(name: str = "openai/whisper-tiny") -> tuple[Whisper, OfficialVocabulary]:
    """Un Whisper entrenado por sus autores y sus tokens.

    Baja los pesos (unos 150 MB el menor): es para el perfil `completo`. Si en la carpeta de datos
    hay una con su nombre, los lee de ahí. Errores: `ConnectionError` si no se pueden bajar;
    `ValueError` si esa carpeta está a medias.
    """
    from safetensors import SafetensorError
    from transformers import WhisperForConditionalGeneration, WhisperTokenizer

    local = data_folder() / name
    try:
        place = local if local.is_dir() else name
        theirs = WhisperForConditionalGeneration.from_pretrained(place)
        tokenizer = WhisperTokenizer.from_pretrained(place)
    except (OSError, SafetensorError, ValueError) as error:
        if local.is_dir():
            raise ValueError(
                f"la carpeta {local} no tiene un Whisper entero ({type(error).__name__}): bórrala "
                "para que se baje, o vuelve a copiarla"
            ) from error
        raise ConnectionError(
            f"no se pudieron bajar los pesos de {name} ({error}). Para seguir sin red, usa el "
            "perfil rapido (TFCOURSE_PERFIL=rapido)"
        ) from error
    return whisper_from_transformers(theirs), OfficialVocabulary(tokenizer)
