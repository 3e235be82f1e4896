"""Proyecto: un traductor desde cero: lo que presta el curso. Se escribe con «make ejercicios»."""

import math

import torch
from torch import Tensor, nn


class GRUCell(nn.Module):
    """Un paso de lectura: decide cuánto conserva del estado y cuánto cambia."""

    def __init__(self, d_input: int, d_hidden: int):
        super().__init__()
        self.input_proj = nn.Linear(d_input, 3 * d_hidden)
        self.hidden_proj = nn.Linear(d_hidden, 3 * d_hidden)

    def forward(self, x: Tensor, h: Tensor) -> Tensor:
        """El estado nuevo."""
        x_reset, x_update, x_new = self.input_proj(x).chunk(3, dim=-1)
        h_reset, h_update, h_new = self.hidden_proj(h).chunk(3, dim=-1)
        reset = torch.sigmoid(x_reset + h_reset)
        update = torch.sigmoid(x_update + h_update)
        new = torch.tanh(x_new + reset * h_new)
        return update * h + (1 - update) * new


def unroll(
    cell: nn.Module, x: Tensor, mask: Tensor, h: Tensor, backwards: bool
) -> tuple[Tensor, Tensor]:
    """Los estados de leer un lote con relleno, y el último."""
    places, states = range(x.shape[1]), []
    for place in reversed(places) if backwards else places:
        real = mask[:, place, None]
        h = torch.where(real, cell(x[:, place], h), h)
        states.append(h * real)
    if backwards:
        states.reverse()
    return torch.stack(states, dim=1), h


class Encoder(nn.Module):
    """Lee el texto en las dos direcciones."""

    def __init__(self, n_tokens: int, d_embedding: int, d_hidden: int):
        super().__init__()
        self.d_hidden = d_hidden
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.ahead = GRUCell(d_embedding, d_hidden)
        self.back = GRUCell(d_embedding, d_hidden)

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Los estados, el resumen y la máscara."""
        x, mask = self.embedding(source), source != 0
        start = x.new_zeros(len(x), self.d_hidden)
        ahead, last = unroll(self.ahead, x, mask, start, False)
        back, first = unroll(self.back, x, mask, start, True)
        return torch.cat([ahead, back], dim=-1), torch.cat([last, first], dim=-1), mask


class AdditiveAttention(nn.Module):
    """Compara una consulta con cada lugar de la entrada y mezcla los estados."""

    def __init__(self, d_query: int, d_key: int, d_hidden: int):
        super().__init__()
        self.query_proj = nn.Linear(d_query, d_hidden, bias=False)
        self.key_proj = nn.Linear(d_key, d_hidden, bias=False)
        self.score_proj = nn.Linear(d_hidden, 1, bias=False)

    def prepare(self, states: Tensor) -> Tensor:
        """Las claves: lo que no depende de la consulta."""
        return self.key_proj(states)

    def forward(
        self, query: Tensor, keys: Tensor, states: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """El contexto y los pesos."""
        scores = self.score_proj(torch.tanh(self.query_proj(query)[:, None] + keys)).squeeze(-1)
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
        return (weights[:, None] @ states).squeeze(1), weights


class Decoder(nn.Module):
    """Escribe un token: mira la entrada, avanza y da los logits."""

    def __init__(self, n_tokens: int, d_embedding: int, d_hidden: int):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.start_proj = nn.Linear(2 * d_hidden, d_hidden)
        self.attention = AdditiveAttention(d_hidden, 2 * d_hidden, d_hidden)
        self.cell = GRUCell(d_embedding + 2 * d_hidden, d_hidden)
        self.output = nn.Linear(3 * d_hidden, n_tokens)

    def start(self, summary: Tensor) -> Tensor:
        """El estado con el que se empieza a escribir."""
        return torch.tanh(self.start_proj(summary))

    def step(
        self, token: Tensor, h: Tensor, keys: Tensor, states: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Los logits, el estado nuevo y los pesos."""
        context, weights = self.attention(h, keys, states, mask)
        h = self.cell(torch.cat([self.embedding(token), context], dim=-1), h)
        return self.output(torch.cat([h, context], dim=-1)), h, weights


class Translator(nn.Module):
    """Lee un texto y escribe otro."""

    def __init__(self, n_source: int, n_target: int, d_embedding: int, d_hidden: int):
        super().__init__()
        self.encoder = Encoder(n_source, d_embedding, d_hidden)
        self.decoder = Decoder(n_target, d_embedding, d_hidden)

    def read(self, source: Tensor) -> tuple[tuple[Tensor, Tensor, Tensor], Tensor]:
        """La memoria y el estado con el que se empieza a escribir."""
        states, summary, mask = self.encoder(source)
        keys = self.decoder.attention.prepare(states)
        return (keys, states, mask), self.decoder.start(summary)

    def step(self, token: Tensor, h: Tensor, memory: tuple) -> tuple[Tensor, Tensor, Tensor]:
        """Los logits, el estado nuevo y los pesos de escribir un token."""
        return self.decoder.step(token, h, *memory)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Los logits de lo que sigue a cada token de `target`."""
        memory, h = self.read(source)
        every = []
        for token in target.unbind(dim=1):
            logits, h, _ = self.step(token, h, memory)
            every.append(logits)
        return torch.stack(every, dim=1)


def rename(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos del curso, con los nombres de tu modelo."""
    projections, found = {"ih": "input_proj", "hh": "hidden_proj"}, {}
    for name, value in weights.items():
        part, _, last = name.replace("alignment", "attention").rpartition(".")
        if part in ("encoder.rnn", "decoder.cell"):
            kind, side, *rest = last.split("_")
            if part == "encoder.rnn":
                part = "encoder.back" if "reverse" in rest else "encoder.ahead"
            part, last = f"{part}.{projections[side]}", kind
        found[f"{part}.{last}"] = value.float()
    return found


def masked_loss(logits: Tensor, target: Tensor) -> Tensor:
    """Entropía cruzada media, sin contar el relleno."""
    real = target != 0
    logs = logits.log_softmax(dim=-1).gather(-1, target[..., None]).squeeze(-1)
    return -(logs * real).sum() / real.sum()


def train(
    model: nn.Module, batches: list[tuple[Tensor, Tensor]], lr: float, limit: float
) -> tuple[list[float], list[float]]:
    """Da un paso por lote; devuelve las pérdidas y los tamaños del gradiente."""
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses, sizes = [], []
    model.train()
    for source, target in batches:
        loss = masked_loss(model(source, target[:, :-1]), target[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        size = nn.utils.clip_grad_norm_(model.parameters(), limit)
        optimizer.step()
        losses.append(loss.item())
        sizes.append(size.item())
    model.eval()
    return losses, sizes


@torch.no_grad()
def translate(
    model: nn.Module, source: Tensor, start: int, stop: int, max_length: int
) -> list[list[int]]:
    """Lo que el modelo escribe para cada fila."""
    memory, h = model.read(source)
    token = torch.full_like(source[:, 0], start)
    ended, written = torch.zeros_like(token, dtype=torch.bool), []
    for _ in range(max_length):
        logits, h, _ = model.step(token, h, memory)
        token = logits.argmax(dim=-1)
        written.append(token)
        ended = ended | (token == stop)
        if ended.all():
            break
    rows = torch.stack(written, dim=1).tolist()
    return [row[: row.index(stop)] if stop in row else row for row in rows]


@torch.no_grad()
def beam_search(
    model: nn.Module, source: Tensor, start: int, stop: int, width: int, max_length: int
) -> tuple[list[int], float]:
    """La mejor traducción que encuentra el haz, y el logaritmo de su probabilidad por token."""
    memory, h = model.read(source)
    alive, done = [(0.0, [])], []
    for _ in range(max_length):
        last = [tokens[-1] if tokens else start for _, tokens in alive]
        own = tuple(part.expand(len(alive), *part.shape[1:]) for part in memory)
        logits, h, _ = model.step(torch.tensor(last, device=source.device), h, own)
        logs = logits.log_softmax(dim=-1).tolist()
        grown = [(score, tokens, None) for score, tokens in done]
        for row, (score, tokens) in enumerate(alive):
            grown += [(score + log, [*tokens, token], row) for token, log in enumerate(logs[row])]
        kept = sorted(grown, key=lambda candidate: -candidate[0])[:width]
        done = [(score, tokens) for score, tokens, _ in kept if tokens[-1] == stop]
        going = [candidate for candidate in kept if candidate[1][-1] != stop]
        alive = [(score, tokens) for score, tokens, _ in going]
        if not alive:
            break
        h = h[torch.tensor([row for _, _, row in going], device=source.device)]
    score, tokens = max((score / len(tokens), tokens) for score, tokens in [*done, *alive])
    return [token for token in tokens if token != stop], score


@torch.no_grad()
def alignment(model: nn.Module, source: Tensor, target: Tensor) -> Tensor:
    """A dónde se mira al escribir cada token."""
    memory, h = model.read(source)
    rows = []
    for token in target[:, :-1].unbind(dim=1):
        _, h, weights = model.step(token, h, memory)
        rows.append(weights)
    return torch.stack(rows, dim=1) * (target[:, 1:] != 0)[..., None]
