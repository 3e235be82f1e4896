"""Los pesos oficiales de Whisper en nuestra clase: cambian los nombres, no los números."""

from collections.abc import Iterable

from tfcourse.models.whisper import Whisper
from tfcourse.official.loading import load_official
from tfcourse.official.shown import local_or_name
from tfcourse.stored.full import Source
from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE

WHISPER_SOURCE = Source(
    "Whisper tiny", "https://huggingface.co/openai/whisper-tiny", "Apache 2.0", 0.15
)


def whisper_from_transformers(model) -> Whisper:
    """Nuestro Whisper con los pesos de uno de transformers.

    En el original, las claves no llevan sesgo y no hay cabeza CTC: aquí valen cero.
    """
    return load_official(model).model


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

    place = local_or_name(name)
    try:
        theirs = WhisperForConditionalGeneration.from_pretrained(place)
        tokenizer = WhisperTokenizer.from_pretrained(place)
    except (OSError, SafetensorError, ValueError) as error:
        if place != name:
            raise ValueError(
                f"la carpeta {place} no tiene un Whisper entero ({type(error).__name__}): bórrala "
                "para que se baje, o vuelve a copiarla"
            ) from error
        raise ConnectionError(
            f"no se pudieron bajar los pesos de {name} ({error}). Para seguir sin red, usa el "
            "perfil rapido (TFCOURSE_PERFIL=rapido)"
        ) from error
    return whisper_from_transformers(theirs), OfficialVocabulary(tokenizer)
