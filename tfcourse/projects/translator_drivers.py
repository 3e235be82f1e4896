"""Cómo se hace trabajar a las piezas del traductor con atención, y los juguetes para probarlas."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from tfcourse.projects.driving import (
    COMPLAINT,
    drive,
    how_many,
    located,
    needed,
    parts,
    ready_optimizers,
)

START, STOP = 1, 2


class ToyCell(nn.Module):
    """Una celda de juguete: la tangente de dos productos."""

    def __init__(self, weights: dict[str, Tensor]):
        super().__init__()
        self.read, self.recall = weights["read"], weights["recall"]

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        """El estado nuevo, (B, H)."""
        return torch.tanh(x @ self.read + h @ self.recall)


def _not_so_many(found: object, count: int, name: str) -> dict[str, object]:
    return {COMPLAINT: "cuantas", **how_many(found, count, name)}


def _unroller(answer: object) -> Callable:
    """Quien recorre un lote, con la celda de juguete; y a qué entradas llega el gradiente."""

    def work(weights: dict, x: Tensor, mask: Tensor, h: Tensor, backwards: bool) -> object:
        leaf = x.clone().requires_grad_()
        found = answer(ToyCell(weights), leaf, mask, h, backwards)
        if not isinstance(found, (list, tuple)) or len(found) != 2:
            return _not_so_many(found, 2, "unroll")
        if not all(isinstance(part, Tensor) for part in found):
            return {COMPLAINT: "tensores", "cual": "unroll"}
        states, last = found
        if not (states.requires_grad and last.requires_grad):
            return {COMPLAINT: "sin-gradiente", "de": ["la entrada 2"]}
        total = states.square().sum() + last.sum()
        (grad,) = torch.autograd.grad(total, [leaf], allow_unused=True)
        grad = torch.zeros_like(leaf) if grad is None else grad
        return {"estados": states.detach(), "último": last.detach(), "gradiente": grad}

    return located(work, answer)


def _encoder(module: nn.Module, source: Tensor) -> dict[str, Tensor]:
    states, summary, mask = parts(module(source), 3, "forward")
    return {"estados": states, "resumen": summary, "máscara": mask}


def _attention(module: nn.Module, query: Tensor, states: Tensor, mask: Tensor) -> dict:
    keys = needed(module, "prepare")(states)
    context, weights = parts(module(query, keys, states, mask), 2, "forward")
    return {"claves": keys, "contexto": context, "pesos": weights}


def _decoder(module: nn.Module, token: Tensor, summary: Tensor, states: Tensor, mask: Tensor):
    """Dos tokens seguidos: el segundo se escribe con el estado que dejó el primero."""
    first = needed(module, "start")(summary)
    keys = needed(getattr(module, "attention", None), "prepare")(states)
    found, h = {"estado inicial": first}, first
    for turn, row in enumerate(token.unbind(1), start=1):
        given = needed(module, "step")(row, h, keys, states, mask)
        logits, h, weights = parts(given, 3, "step")
        found |= {f"logits {turn}": logits, f"estado {turn}": h, f"pesos {turn}": weights}
    return found


def _translator(module: nn.Module, source: Tensor, target: Tensor) -> dict[str, Tensor]:
    """El estado con que empieza, lo que da paso a paso y lo que da de una vez."""
    memory, h = parts(needed(module, "read")(source), 2, "read")
    kept = zip(("claves", "estados", "máscara"), parts(memory, 3, "la memoria"), strict=True)
    found, logits, weights = {"estado inicial": h, **dict(kept)}, [], []
    for token in target.unbind(1):
        row, h, seen = parts(needed(module, "step")(token, h, memory), 3, "step")
        logits.append(row)
        weights.append(seen)
    return found | {
        "logits de step": torch.stack(logits, 1), "pesos de step": torch.stack(weights, 1),
        "logits de forward": module(source, target),
    }  # fmt: skip


class Pairs(nn.Module):
    """Un traductor de juguete, con el que se prueba a quien entrena.

    El token siguiente depende del que se lee y de la media de la entrada. Apunta qué se le da y en
    qué modo estaba.
    """

    def __init__(self, weights: dict[str, Tensor]):
        super().__init__()
        for name, value in weights.items():
            setattr(self, name, nn.Parameter(value.clone()))
        self.modes: list[bool] = []
        self.lengths: list[int] = []

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Logits del token que sigue a cada uno de `target`."""
        self.modes.append(self.training)
        self.lengths.append(target.shape[1])
        read = self.source[source].mean(1, keepdim=True)
        return (self.target[target] + read) @ self.output.T + self.bias


def _trainer(answer: object) -> Callable:
    """Quien entrena, con el juguete: lo que devuelve, cómo lo usó y los pesos que quedan."""
    ready_optimizers()

    def work(weights: dict, batches: list, lr: float, limit: float) -> object:
        model = Pairs(weights).eval()
        found = answer(model, batches, lr, limit)
        if found is not None and (not isinstance(found, (list, tuple)) or len(found) != 2):
            return _not_so_many(found, 2, "train")
        learning = "aprendizaje" if model.modes and all(model.modes) else "evaluación"
        return {
            "pérdidas": found[0], "tamaños del gradiente": found[1],
            "veces que se usa el modelo": len(model.modes),
            "tokens que lee cada vez": max(model.lengths, default=0),
            "modo mientras aprende": learning,
            "modo al terminar": "aprendizaje" if model.training else "evaluación",
            **{name: value.detach() for name, value in model.named_parameters()},
        }  # fmt: skip

    return located(work, answer)


class ScriptedReader(nn.Module):
    """Un traductor de guion con estado, con el que se prueba a quien escribe.

    El estado son dos números, cuántos tokens se han leído y una clave; los logits y los pesos son
    filas de una tabla. Con `stops`, cada fila acaba donde se dice. Cuenta lecturas y pasos.
    """

    def __init__(self, table: Tensor, stops: Tensor | None = None):
        super().__init__()
        self.table, self.stops, self.reads, self.steps = table, stops, 0, 0

    def read(self, source: Tensor) -> tuple[tuple[Tensor, ...], Tensor]:
        """La memoria, tres tensores de primer eje B, y el estado inicial, (B, 2)."""
        self.reads += 1
        stops = torch.full_like(source[:, 0], -1) if self.stops is None else self.stops
        codes = source.sum(1) % len(self.table)
        memory = source[..., None].float(), source != 0, stops[:, None].float()
        return memory, torch.stack([torch.zeros_like(codes), codes], -1).float()

    def step(self, token: Tensor, h: Tensor, memory: tuple) -> tuple[Tensor, Tensor, Tensor]:
        """Los logits del token siguiente, el estado nuevo y los pesos."""
        self.steps += 1
        states, mask, stops = memory
        place, code = h.long().unbind(-1)
        code = (5 * code + 3 * token + states.sum((1, 2)).long() + 1) % len(self.table)
        logits = self.table[code].clone()
        if self.stops is not None:
            logits[:, STOP] = torch.where(place == stops[:, 0].long(), 50.0, -50.0)
        places = (code[:, None] + torch.arange(mask.shape[1])) % len(self.table)
        weights = self.table[places, 0].masked_fill(~mask, -torch.inf).softmax(-1)
        return logits, torch.stack([place + 1, code], -1).float(), weights


def _plain(value: object) -> object:
    """Lo mismo, con las filas de números como listas."""
    if isinstance(value, (list, tuple)):
        return [row.tolist() if isinstance(row, Tensor) else row for row in value]
    return value


def _greedy(answer: object) -> Callable:
    """Quien traduce, con el traductor de guion."""

    def work(table: Tensor, stops: Tensor, source: Tensor, limit: int) -> object:
        model = ScriptedReader(table, stops)
        found = answer(model, source, START, STOP, limit)
        if isinstance(found, Tensor):
            return found
        return {
            "traducciones": _plain(found), "veces que se lee la entrada": model.reads,
            "pasos que se dan": model.steps,
        }  # fmt: skip

    return located(work, answer)


def _beam(answer: object) -> Callable:
    """Quien busca con un haz, con el traductor de guion."""

    def work(table: Tensor, source: Tensor, width: int, limit: int) -> object:
        model = ScriptedReader(table)
        found = answer(model, source, START, STOP, width, limit)
        if found is not None and (not isinstance(found, (list, tuple)) or len(found) != 2):
            return _not_so_many(found, 2, "beam_search")
        written, score = found
        return {
            "traducción": written.tolist() if isinstance(written, Tensor) else written,
            "logaritmo por token": score, "veces que se lee la entrada": model.reads,
        }  # fmt: skip

    return located(work, answer)


def _mapper(answer: object) -> Callable:
    """Quien saca el mapa de lo que se mira, con el traductor de guion."""

    def work(table: Tensor, source: Tensor, target: Tensor) -> object:
        model = ScriptedReader(table)
        found = answer(model, source, target)
        return {"mapa": found, "veces que se lee la entrada": model.reads}

    return located(work, answer)


TRANSLATOR_DRIVERS: dict[str, Callable[[object], Callable]] = {
    "recorrido": _unroller,
    "codificador": drive(_encoder),
    "atencion-aditiva": drive(_attention),
    "decodificador": drive(_decoder),
    "traductor-recurrente": drive(_translator),
    "entrenador-de-parejas": _trainer,
    "voraz-con-estado": _greedy,
    "haz-con-estado": _beam,
    "mapa": _mapper,
}
