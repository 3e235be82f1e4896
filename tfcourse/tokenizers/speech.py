"""Tokens de Whisper: palabras, y unos pocos símbolos que dicen qué hay que hacer."""

from collections.abc import Iterable

from jaxtyping import Int
from torch import Tensor

TRANSCRIBE, TRANSLATE = "transcribir", "traducir"
SPANISH_DIGITS = (
    "cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve",
)  # fmt: skip
ENGLISH_DIGITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
)  # fmt: skip


class SpeechVocabulary:
    """Palabras que se escriben y símbolos de control, en una sola lista.

    Primero los símbolos: fin, inicio, lengua, las dos tareas y «sin marcas de tiempo»; después las
    palabras de `heard`, que son las que suenan, y las de `translated`, una por una. El fin hace
    también de relleno. Fuente: Radford et al. (2023), § 2.3 y figura 1.
    Errores: `ValueError` si las dos listas no miden lo mismo o si una palabra se repite.
    """

    symbols = (
        "<|fin|>", "<|inicio|>", "<|es|>", f"<|{TRANSCRIBE}|>", f"<|{TRANSLATE}|>",
        "<|sin_marcas|>",
    )  # fmt: skip
    stop_id, start_id, language_id, transcribe_id, translate_id, untimed_id = range(6)

    def __init__(
        self,
        heard: Iterable[str] = SPANISH_DIGITS,
        translated: Iterable[str] = ENGLISH_DIGITS,
    ):
        self.heard, self.translated = tuple(heard), tuple(translated)
        self.tokens = (*self.symbols, *self.heard, *self.translated)
        self._ids = {token: number for number, token in enumerate(self.tokens)}
        if len(self.heard) != len(self.translated) or len(self._ids) < len(self.tokens):
            raise ValueError(
                f"hay {len(self.heard)} palabras y {len(self.translated)} traducciones: deben ser "
                "tantas unas como otras, y ninguna puede repetirse"
            )

    def __len__(self) -> int:
        return len(self.tokens)

    def prompt(self, task: str = TRANSCRIBE) -> list[int]:
        """Los cuatro símbolos con los que empieza a escribir: inicio, lengua, tarea y sin marcas.

        Errores: `ValueError` si la tarea no es «transcribir» ni «traducir».
        """
        tasks = {TRANSCRIBE: self.transcribe_id, TRANSLATE: self.translate_id}
        if task not in tasks:
            raise ValueError(f"task={task!r}: usa {' o '.join(map(repr, tasks))}")
        return [self.start_id, self.language_id, tasks[task], self.untimed_id]

    def words(self, labels: Iterable[int], task: str = TRANSCRIBE) -> list[str]:
        """Las palabras que se esperan de unas etiquetas, según la tarea."""
        self.prompt(task)
        written = self.heard if task == TRANSCRIBE else self.translated
        return [written[label] for label in labels]

    def encode(self, labels: Iterable[int], task: str = TRANSCRIBE) -> list[int]:
        """La secuencia entera: símbolos, palabras y fin."""
        words = [self._ids[word] for word in self.words(labels, task)]
        return [*self.prompt(task), *words, self.stop_id]

    def decode(self, ids: Iterable[int] | Int[Tensor, " L"]) -> str:
        """El texto de unos números: para en el fin y salta los demás símbolos.

        Errores: `ValueError` si un número no está en el vocabulario.
        """
        words = []
        for number in map(int, ids):
            if not 0 <= number < len(self):
                raise ValueError(
                    f"el número {number} no está en el vocabulario: hay {len(self)} tokens"
                )
            if number == self.stop_id:
                break
            if number >= len(self.symbols):
                words.append(self.tokens[number])
        return " ".join(words)
