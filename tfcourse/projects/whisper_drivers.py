"""Cómo se hace trabajar a las piezas del Whisper, y un oyente de guion para quien escribe."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from tfcourse.projects.driving import NORMS, CannotWork, drive, located, needed

STOP = 0
LATE = 2  # las últimas posiciones, que se dan aparte


def _attention(module: nn.Module, x: Tensor, source: Tensor) -> dict[str, Tensor]:
    """Mirar otra cosa, mirarse sin ver el futuro, y lo mismo con las dos últimas consultas."""
    prepare, weights = needed(module, "prepare"), needed(module, "weights")
    seen, own = _pair(prepare(source), "prepare"), _pair(prepare(x), "prepare")
    return {
        "claves": seen[0], "valores": seen[1],
        "pesos": weights(x, seen[0]), "salida": module(x, *seen),
        "pesos causales": weights(x, own[0], True), "salida causal": module(x, *own, True),
        "salida causal de las dos últimas": module(x[:, -LATE:], *own, True),
    }  # fmt: skip


def _pair(value: object, method: str) -> object:
    """Las dos cosas que da un método. Errores: `CannotWork` si no son dos."""
    if not (isinstance(value, (list, tuple)) and len(value) == 2):
        raise CannotWork("no-son-dos", de=method)
    return value


def _writing_block(module: nn.Module, x: Tensor, memory: Tensor) -> dict[str, Tensor]:
    """El bloque que escribe: todo de una vez, y con la caché, dos vectores y después los demás.

    Los demás se leen de uno en uno, y otra vez, juntos. Lo que se mira del sonido se prepara con
    la atención cruzada de la propia pieza.
    """
    cross = getattr(module, "cross_attention", None)
    heard = needed(cross, "prepare")(memory)
    whole, kept = _pair(module(x, heard), "forward")
    keys, values = _pair(kept, "forward")
    begun, past = module(x[:, :LATE], heard)
    first, later = past, []
    for place in range(LATE, x.shape[1]):
        row, past = module(x[:, place : place + 1], heard, past)
        later.append(row)
    together, _ = module(x[:, LATE:], heard, first)
    return {
        "de una vez": whole, "claves guardadas": keys, "valores guardados": values,
        "los dos primeros": begun, "los demás, de uno en uno": torch.cat(later, 1),
        "los demás, juntos": together,
        "claves guardadas al final": past[0], "valores guardados al final": past[1],
    }  # fmt: skip


def _whisper(module: nn.Module, mels: Tensor, tokens: Tensor, first: int) -> dict[str, Tensor]:
    """Lo oído, los logits de una vez y los de escribir a trozos, con la caché.

    Los últimos se leen de uno en uno y, desde la misma caché, todos juntos: quien la cambia en el
    sitio o cuenta en otra parte lo que ha leído, ahí se pierde.
    """
    memory = needed(module, "encode")(mels)
    step, heard = needed(module, "step"), needed(module, "start")(memory)
    begun, past = _pair(step(tokens[:, :first], heard), "step")
    same, later = past, []
    for place in range(first, tokens.shape[1]):
        row, past = step(tokens[:, place : place + 1], heard, past)
        later.append(row)
    together, _ = step(tokens[:, first:], heard, same)
    return {
        "lo oído": memory, "logits de una vez": module(mels, tokens), "logits del comienzo": begun,
        "logits de uno en uno": torch.cat(later, 1),
        "logits de los demás, juntos y desde la misma caché": together,
    }  # fmt: skip


class ScriptedListener(nn.Module):
    """Un Whisper de guion, con el que se prueba a quien escribe: lo que sigue está en una tabla.

    `table` es (R, V). Cada fila acaba tras escribir tantos tokens como dice el primer número de su
    sonido. La caché, como la de un Whisper, es una lista de parejas de tensores con una fila por
    sonido: cuántos tokens se han leído y una clave. Cuenta cuántas veces se oye, cuántas se
    prepara lo oído y cuántos tokens se leen.
    """

    def __init__(self, table: Tensor, n_prompt: int):
        super().__init__()
        self.table, self.n_prompt = table, n_prompt
        self.heard = self.prepared = self.read = 0

    def encode(self, mels: Tensor) -> Tensor:
        """Lo oído: los mismos números, (B, mels, columnas)."""
        self.heard += 1
        return mels

    def start(self, memory: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Lo que se mirará al escribir: cuándo acaba cada fila y cuánto suma su sonido."""
        self.prepared += 1
        return [(memory[:, 0, 0].long(), memory.sum((1, 2)).long())]

    def step(self, tokens: Tensor, heard: list, past: list | None = None) -> tuple[Tensor, list]:
        """Los logits de lo que sigue a cada token nuevo, (B, T, V), y la caché."""
        ((ends, sounds),) = heard
        count, code = (0 * sounds, sounds % len(self.table)) if past is None else past[0]
        self.read += tokens.shape[1]
        rows = []
        for token in tokens.unbind(1):
            count, code = count + 1, (5 * code + 3 * token + sounds + 1) % len(self.table)
            logits = self.table[code].clone()
            logits[:, STOP] = torch.where(count - self.n_prompt == ends, 50.0, -50.0)
            rows.append(logits)
        return torch.stack(rows, 1), [(count, code)]

    def forward(self, mels: Tensor, tokens: Tensor) -> Tensor:
        """Los logits, de una vez: oír, preparar y leerlo todo."""
        return self.step(tokens, self.start(self.encode(mels)))[0]


def _listener(answer: object) -> Callable:
    """Quien escribe lo que oye, con el oyente de guion."""

    def work(table: Tensor, mels: Tensor, prompt: list, limit: int) -> object:
        model = ScriptedListener(table, len(prompt))
        found = answer(model, mels, prompt, STOP, limit)
        if isinstance(found, Tensor):
            return found
        if isinstance(found, (list, tuple)):
            found = [row.tolist() if isinstance(row, Tensor) else row for row in found]
        return {
            "escrito": found, "veces que se oye": model.heard,
            "veces que se prepara lo oído": model.prepared, "tokens que lee": model.read,
        }  # fmt: skip

    return located(work, answer)


WHISPER_DRIVERS: dict[str, Callable[[object], Callable]] = {
    "atencion-preparada": drive(_attention),
    "bloque-que-escribe": drive(_writing_block, NORMS),
    "whisper": drive(_whisper, NORMS),
    "voraz-que-oye": _listener,
}
