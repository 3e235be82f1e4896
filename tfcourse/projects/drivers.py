"""Cómo se hace trabajar a la pieza de cada paso, por su nombre."""

import inspect
from collections.abc import Callable

import torch
from torch import Tensor, nn

from tfcourse.projects.clip_drivers import CLIP_DRIVERS
from tfcourse.projects.driving import (
    COMPLAINT,
    NORMS,
    CannotWork,
    drive,
    located,
    needed,
    parts,
    ready_optimizers,
)
from tfcourse.projects.lending import prestada
from tfcourse.projects.translator_drivers import TRANSLATOR_DRIVERS
from tfcourse.projects.whisper_drivers import WHISPER_DRIVERS

DRAWS = 20_000  # con tantos, una frecuencia se aparta menos de 0,02 de su probabilidad


def _forward(module: nn.Module, *inputs) -> object:
    return module(*inputs)


def _rotary_attention(module: nn.Module, x: Tensor) -> dict[str, Tensor]:
    """Las cabezas, la mezcla entera, la de las dos últimas posiciones y el giro desde la quinta."""
    heads, mix = needed(module, "heads"), needed(module, "mix")
    q, k, v = parts(heads(x), 3, "heads")
    late_q, late_k, _ = heads(x, 5)
    return {
        "consultas": q, "claves": k, "valores": v, "salida": module(x),
        "mezcla de las dos últimas consultas": mix(q[:, :, -2:], k, v),
        "consultas desde la posición 5": late_q, "claves desde la posición 5": late_k,
    }  # fmt: skip


def _by_layers(module: nn.Module, tokens: Tensor) -> dict[str, Tensor]:
    """Lo que sale de cada piso del modelo, y los logits."""
    states = needed(module, "states")(tokens)
    if isinstance(states, (tuple, list)):
        parts(states, len(module.blocks) + 2, "states")
    floors = ["embeddings", *(f"bloque {n}" for n in range(len(states) - 2)), "norma final"]
    return {**dict(zip(floors, states, strict=True)), "logits": module(tokens)}


def _translator(module: nn.Module, source: Tensor, target: Tensor) -> dict[str, Tensor]:
    """La memoria que deja el codificador y los logits, por partes y de una vez."""
    memory, mask = parts(needed(module, "encode")(source), 2, "encode")
    logits = needed(module, "decode")(target, memory, mask)
    return {
        "memoria": memory,
        "logits de decode": logits,
        "logits de forward": module(source, target),
    }


def _vit(module: nn.Module, images: Tensor) -> dict[str, Tensor]:
    """Lo que sale del codificador y los logits."""
    return {"estados": needed(module, "encode")(images), "logits": module(images)}


def _detector(module: nn.Module, memory: Tensor, positions: Tensor) -> object:
    """Lo que responde cada bloque, con su nombre."""
    answers = module(memory, positions)
    pairs = isinstance(answers, (list, tuple)) and all(
        isinstance(answer, (list, tuple)) and len(answer) == 2 for answer in answers
    )
    if not pairs:
        raise CannotWork("parejas", bloques=len(module.blocks))
    found = {}
    for depth, answer in enumerate(parts(answers, len(module.blocks), "forward")):
        found[f"logits del bloque {depth}"], found[f"cajas del bloque {depth}"] = answer
    return found


class Bigrams(nn.Module):
    """Un modelo de juguete, con el que se prueba a quien entrena: cada token predice el siguiente.

    Apunta en qué modo estaba cada vez que leyó.
    """

    def __init__(self, weights: dict[str, Tensor]):
        super().__init__()
        self.embedding, self.output = (
            nn.Parameter(weights[name].clone()) for name in ("embedding", "output")
        )
        self.bias = nn.Parameter(weights["bias"].clone())
        self.modes: list[bool] = []

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits del token que sigue a cada uno."""
        self.modes.append(self.training)
        return self.embedding[tokens] @ self.output.T + self.bias


def _trainer(answer: object) -> Callable:
    """Quien entrena, con el modelo de juguete: la pérdida de cada paso y los pesos que quedan."""
    ready_optimizers()

    def work(weights: dict, batches: list[Tensor], lr: float, warmup: int) -> object:
        model = Bigrams(weights).eval()
        losses = answer(model, batches, lr, warmup)
        learning = "aprendizaje" if model.modes and all(model.modes) else "evaluación"
        return {
            "pérdidas": losses,
            "veces que se usa el modelo": len(model.modes),
            "modo mientras aprende": learning,
            "modo al terminar": "aprendizaje" if model.training else "evaluación",
            **{name: value.detach() for name, value in model.named_parameters()},
        }

    return located(work, answer)


def _sampler(answer: object) -> Callable:
    """Quien sortea, muchas veces: con qué frecuencia sale cada token y cuáles salen alguna vez."""

    def work(logits: Tensor, temperature: float, top_p: float, seed: int) -> object:
        rows, n_tokens = logits.shape
        first, again = (torch.Generator().manual_seed(seed) for _ in range(2))
        tokens = answer(logits.repeat(DRAWS, 1), temperature, top_p, first)
        if not isinstance(tokens, Tensor):
            return tokens
        if tuple(tokens.shape) != (rows * DRAWS,):
            return {COMPLAINT: "forma", "es": list(tokens.shape), "pedida": [rows * DRAWS]}
        drawn = nn.functional.one_hot(tokens.long(), n_tokens).view(DRAWS, rows, n_tokens)
        shares = drawn.float().mean(0)
        repeated = answer(logits.repeat(DRAWS, 1), temperature, top_p, again)
        return {
            "frecuencias": shares,
            "los que salen alguna vez": (shares > 0).float(),
            "con la misma semilla sale lo mismo": int(torch.equal(tokens, repeated)),
        }

    return located(work, answer)


def _writer(answer: object) -> Callable:
    """Quien escribe con caché, sobre el GPT del curso; cuenta cuántas posiciones lee el modelo."""

    def work(sizes: dict, weights: dict, tokens: Tensor, first: int) -> object:
        model = prestada("gpt-modelo")(*sizes.values())
        model.load_state_dict(weights)
        model.eval()
        read: list[int] = []
        model.blocks[0].feed_forward.register_forward_hook(
            lambda layer, inputs, output: read.append(inputs[0].shape[1])
        )
        if not isinstance(answer, type):
            return {COMPLAINT: "no-es-modulo", "tipo": type(answer).__name__, "clase": False}
        try:
            inspect.signature(answer).bind(model)
        except TypeError:
            return {COMPLAINT: "constructor"}
        writer, other = answer(model), answer(model)
        if not callable(getattr(writer, "read", None)):
            return {COMPLAINT: "sin-metodo", "cual": "read"}
        pieces = [writer.read(tokens[:, :first])]
        pieces += [writer.read(tokens[:, i : i + 1]) for i in range(first, tokens.shape[1])]
        total = sum(read)
        return {
            "logits del comienzo": pieces[0],
            "logits de lo demás": torch.cat(pieces[1:], dim=1),
            "posiciones que lee el modelo": total,
            "logits de otra escritura": other.read(tokens[:, :first]),
        }

    return located(work, getattr(answer, "read", None))


class Scripted(nn.Module):
    """Un traductor de guion, con el que se prueba a quien escribe: lo que sigue está en una tabla.

    Cada fila acaba donde dice `stops`, que va en la memoria, y cuenta cuántas
    veces se ha leído la entrada y cuánto es lo más que se ha leído de lo escrito.
    """

    def __init__(self, table: Tensor, stops: Tensor):
        super().__init__()
        self.table, self.stops, self.reads, self.longest = table, stops, 0, 0

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Una memoria cualquiera, de forma (B, S, D), y la máscara del relleno."""
        self.reads += 1
        ends = self.stops[:, None].expand_as(source)
        return torch.stack([source, ends], -1).float(), (source != 0)[:, None, None, :]

    def decode(self, written: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Los logits de lo que sigue a cada posición, (B, T, V)."""
        self.longest = max(self.longest, written.shape[1])
        places = torch.arange(written.shape[1])
        keys = memory[..., 0].sum(1).long()[:, None] + 7 * places + 3 * written
        logits = self.table[keys % len(self.table)].clone()
        logits[..., 2] = torch.where(places == memory[:, :1, 1].long(), 50.0, -50.0)
        return logits


def _greedy(answer: object) -> Callable:
    """Quien traduce, con el traductor de guion."""

    def work(table: Tensor, stops: Tensor, source: Tensor, limit: int) -> object:
        model = Scripted(table, stops)
        found = answer(model, source, 1, 2, limit)
        if isinstance(found, Tensor):
            return found
        if isinstance(found, (list, tuple)):
            found = [row.tolist() if isinstance(row, Tensor) else row for row in found]
        return {
            "traducciones": found, "veces que se lee la entrada": model.reads,
            "tokens que llega a leer `decode`": model.longest,
        }  # fmt: skip

    return located(work, answer)


DRIVERS: dict[str, Callable[[object], Callable]] = {
    "capa": drive(_forward),
    "capa-con-norma": drive(_forward, NORMS),
    "norma-de-capa": drive(_forward, starts={"gain": (1.0, 0.0), "bias": (0.0, 0.0)}),
    "norma-cuadratica": drive(_forward, starts={"gain": (1.0, 0.0)}),
    "entrada-de-parches": drive(
        _forward, starts={"class_token": (0.0, 0.0), "positions": (0.0, 0.02)}
    ),
    "atencion-rotatoria": drive(_rotary_attention),
    "por-pisos": drive(_by_layers),
    "traductor": drive(_translator),
    "vit": drive(_vit, NORMS),
    "detector": drive(_detector, NORMS),
    "voraz": _greedy,
    "entrenador": _trainer,
    "sorteo": _sampler,
    "escritor": _writer,
    **TRANSLATOR_DRIVERS,
    **CLIP_DRIVERS,
    **WHISPER_DRIVERS,
}
