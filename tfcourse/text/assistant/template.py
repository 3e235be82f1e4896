"""La plantilla: cómo se escribe una conversación para un modelo que solo continúa texto."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from tfcourse.models.gpt import GPT
from tfcourse.tokenizers.base import Tokenizer

MARKS = ("<usuario>", "<asistente>", "<fin>")


class Turns(NamedTuple):
    """Un lote de conversaciones: los tokens, con relleno detrás, y cuáles son de la respuesta."""

    tokens: Int[Tensor, "B L"]
    answer: Bool[Tensor, "B L"]


class Template:
    """La plantilla de un turno: `<usuario> instrucción<asistente> respuesta<fin>`.

    Las tres marcas son tokens nuevos, con los números que siguen a los del tokenizador. Delante de
    cada texto va un espacio: así, lo que se copia tiene los mismos tokens en los dos lados.
    """

    def __init__(self, tokenizer: Tokenizer):
        self.tokenizer = tokenizer
        self.user_id, self.assistant_id, self.end_id = range(
            len(tokenizer), len(tokenizer) + len(MARKS)
        )

    def __len__(self) -> int:
        return len(self.tokenizer) + len(MARKS)

    def prompt(self, text: str) -> list[int]:
        """Los números de una instrucción, hasta donde le toca escribir al modelo."""
        return [self.user_id, *self.tokenizer.encode(f" {text}"), self.assistant_id]

    def answer(self, text: str) -> list[int]:
        """Los números de una respuesta, con su marca de fin."""
        return [*self.tokenizer.encode(f" {text}"), self.end_id]

    def read(self, ids: Sequence[int] | Int[Tensor, "L"]) -> str:
        """Lo que escribió el modelo, hasta la primera marca."""
        numbers = [int(number) for number in ids]
        marks = [place for place, number in enumerate(numbers) if number >= len(self.tokenizer)]
        return self.tokenizer.decode(numbers[: marks[0]] if marks else numbers).strip()

    def readable(self, number: int) -> str:
        """Un token tal como se le enseña a una persona, también si es una marca."""
        mark = number - len(self.tokenizer)
        return MARKS[mark] if mark >= 0 else self.tokenizer.readable(number)

    def turns(self, pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Turns:
        """Un lote de `(instrucción, respuesta)`, ya en números. Errores: los de `padded_turns`."""
        return padded_turns(pairs, self.tokenizer.pad_id)


def padded_turns(pairs: Sequence[tuple[Sequence[int], Sequence[int]]], pad_id: int) -> Turns:
    """Un lote de `(instrucción, respuesta)`, ya en números, rellenado por la derecha.

    El modelo solo mira hacia atrás, así que el relleno no cambia lo que va delante.
    Errores: `ValueError` si no hay ninguna.
    """
    if not pairs:
        raise ValueError("no hay conversaciones: pasa al menos una pareja")
    longest = max(len(asked) + len(told) for asked, told in pairs)
    tokens = torch.full((len(pairs), longest), pad_id)
    answer = torch.zeros(len(pairs), longest, dtype=torch.bool)
    for row, (asked, told) in enumerate(pairs):
        end = len(asked) + len(told)
        tokens[row, :end] = torch.tensor([*asked, *told])
        answer[row, len(asked) : end] = True
    return Turns(tokens, answer)


@torch.no_grad()
def with_marks(model: GPT, n_marks: int = len(MARKS), seed: int = 0) -> GPT:
    """Una copia de un GPT con `n_marks` tokens más.

    Sus filas se sortean alrededor de la media de las que había y con su desviación: al principio,
    una marca no significa nada, pero ninguna es igual a otra. Como la salida comparte la matriz,
    también se pueden escribir.
    """
    config = replace(model.config, n_tokens=model.config.n_tokens + n_marks)
    wider = GPT(config).to(model.embedding.weight)
    state = dict(model.state_dict())
    rows = state["embedding.weight"]
    noise = torch.randn(n_marks, rows.shape[1], generator=torch.Generator().manual_seed(seed))
    new = rows.mean(dim=0) + rows.std(dim=0) * noise.to(rows)
    state["embedding.weight"] = torch.cat([rows, new])
    wider.load_state_dict(state)
    return wider.eval()
