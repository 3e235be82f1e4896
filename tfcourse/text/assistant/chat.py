"""La plantilla de los modelos publicados: ChatML, con las marcas que trae su tokenizador."""

from collections.abc import Sequence

from tfcourse.text.assistant.template import Turns, padded_turns
from tfcourse.tokenizers.published import PublishedTokenizer

START, END = "<|im_start|>", "<|im_end|>"
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


class ChatTemplate:
    """La plantilla ChatML: cada turno es `<|im_start|>quién`, un salto, su texto y `<|im_end|>`.

    Delante va lo que dice el sistema, que es parte de la plantilla con que se afinó el modelo. Lo
    que escribe una persona nunca se lee como una marca, aunque la escriba.
    Errores: `ValueError` si el tokenizador no trae las marcas.
    """

    def __init__(self, tokenizer: PublishedTokenizer, system: str = SYSTEM):
        self.tokenizer, self.system = tokenizer, system
        self.start_id, self.end_id = map(tokenizer.token_id, (START, END))

    def prompt(self, text: str) -> list[int]:
        """Los números de una petición, hasta donde le toca escribir al modelo."""
        told = (("system", self.system), ("user", text)) if self.system else (("user", text),)
        turns = [self._turn(*one) for one in told]
        return [*(n for turn in turns for n in turn), self.start_id, *self._ids("assistant\n")]

    def answer(self, text: str) -> list[int]:
        """Los números de una respuesta, con su marca de fin."""
        return [*self._ids(text), self.end_id]

    def read(self, ids: list[int]) -> str:
        """Lo que escribió el modelo, hasta la marca de fin."""
        end = ids.index(self.end_id) if self.end_id in ids else len(ids)
        return self.tokenizer.decode(ids[:end]).strip()

    def turns(self, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Turns:
        """Un lote de `(petición, respuesta)`, ya en números. Errores: los de `padded_turns`."""
        return padded_turns(pairs, self.end_id)

    def _turn(self, who: str, text: str) -> list[int]:
        return [self.start_id, *self._ids(f"{who}\n{text}"), self.end_id, *self._ids("\n")]

    def _ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, special=False)
