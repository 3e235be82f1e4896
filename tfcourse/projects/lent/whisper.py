"""Proyecto: un Whisper desde cero: lo que presta el curso. Se escribe con «make ejercicios»."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def power_spectrogram(waves: Tensor, n_fft: int, hop: int) -> Tensor:
    """La energía de cada frecuencia en cada tramo, (B, N/2 + 1, tramos)."""
    n = torch.arange(n_fft, device=waves.device)
    window = 0.5 - 0.5 * torch.cos(2 * math.pi * n / n_fft)
    padded = F.pad(waves[:, None], (n_fft // 2, n_fft // 2), mode="reflect")[:, 0]
    pieces = padded.unfold(-1, n_fft, hop) * window
    return torch.fft.rfft(pieces).abs().square().transpose(1, 2)


def mel_filters(sample_rate: int, n_fft: int, n_mels: int) -> Tensor:
    """Un triángulo por fila, (mels, N/2 + 1)."""
    top = 2595 * math.log10(1 + sample_rate / 2 / 700)
    corners = 700 * (10 ** (torch.linspace(0, top, n_mels + 2) / 2595) - 1)
    left, center, right = corners[:-2, None], corners[1:-1, None], corners[2:, None]
    bins = torch.arange(n_fft // 2 + 1) * sample_rate / n_fft
    rising, falling = (bins - left) / (center - left), (right - bins) / (right - center)
    return torch.minimum(rising, falling).clamp(min=0)


def log_mel(waves: Tensor, filters: Tensor, hop: int) -> Tensor:
    """Lo que lee el modelo, (B, mels, columnas)."""
    power = power_spectrogram(waves, 2 * (filters.shape[1] - 1), hop)[..., :-1]
    x = (filters @ power).clamp(min=1e-10).log10()
    x = x.maximum(x.amax((1, 2), keepdim=True) - 5)
    mean, std = x.mean((1, 2), keepdim=True), x.std((1, 2), keepdim=True, correction=0)
    return (x - mean) / (std + 1e-5)


class AudioInput(nn.Module):
    """Dos convoluciones y el lugar de cada vector."""

    def __init__(self, n_mels: int, d_model: int):
        super().__init__()
        self.first = nn.Conv1d(n_mels, d_model, 3, padding=1)
        self.second = nn.Conv1d(d_model, d_model, 3, stride=2, padding=1)

    def forward(self, mels: Tensor) -> Tensor:
        """Un vector cada dos columnas."""
        x = F.gelu(self.second(F.gelu(self.first(mels)))).transpose(1, 2)
        half = x.shape[2] // 2
        rates = torch.exp(-math.log(10_000) / (half - 1) * torch.arange(half, device=x.device))
        angles = torch.arange(x.shape[1], device=x.device)[:, None] * rates
        return x + torch.cat([angles.sin(), angles.cos()], dim=1)


class Attention(nn.Module):
    """Varias cabezas; las claves y los valores se preparan aparte, y se pueden guardar."""

    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(3))
        self.k_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, x: Tensor) -> Tensor:
        """Por cabezas, (B, H, L, Dh)."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def prepare(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """Las claves y los valores de lo que se va a mirar."""
        return self.split(self.k_proj(source)), self.split(self.v_proj(source))

    def weights(self, x: Tensor, keys: Tensor, causal: bool = False) -> Tensor:
        """A qué mira cada vector; con `causal`, los de `x` son los últimos de las claves."""
        q = self.split(self.q_proj(x))
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if causal:
            n_queries, n_keys = scores.shape[-2:]
            ones = torch.ones(n_queries, n_keys, dtype=torch.bool, device=x.device)
            scores = scores.masked_fill(ones.triu(n_keys - n_queries + 1), -math.inf)
        return scores.softmax(-1)

    def forward(self, x: Tensor, keys: Tensor, values: Tensor, causal: bool = False) -> Tensor:
        """Lo que cada vector se lleva de los valores."""
        mixed = self.weights(x, keys, causal) @ values
        return self.out_proj(mixed.transpose(1, 2).flatten(2))


class EncoderBlock(nn.Module):
    """Autoatención sin máscara y red, cada una con su norma delante y su residuo."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = Attention(d_model, n_heads)
        self.hidden, self.output = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x: Tensor) -> Tensor:
        """Cada instante mira a todos."""
        y = self.norm1(x)
        x = x + self.attention(y, *self.attention.prepare(y))
        return x + self.output(F.gelu(self.hidden(self.norm2(x))))


class DecoderBlock(nn.Module):
    """Mira a lo ya escrito, después al sonido, y pasa por la red."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.attention = Attention(d_model, n_heads)
        self.cross_attention = Attention(d_model, n_heads)
        self.hidden, self.output = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)

    def forward(self, x: Tensor, heard: tuple, past: tuple | None = None) -> tuple[Tensor, tuple]:
        """Lo nuevo, y las claves y los valores de todo lo escrito."""
        y = self.norm1(x)
        now = self.attention.prepare(y)
        if past is not None:
            now = tuple(torch.cat(pair, dim=2) for pair in zip(past, now, strict=True))
        x = x + self.attention(y, *now, causal=True)
        x = x + self.cross_attention(self.norm2(x), *heard)
        return x + self.output(F.gelu(self.hidden(self.norm3(x)))), now


class Whisper(nn.Module):
    """Oye y escribe."""

    def __init__(
        self, n_tokens: int, n_mels: int, max_length: int, d_model: int, n_heads: int,
        d_hidden: int, n_layers: int,
    ):  # fmt: skip
        super().__init__()
        sizes = (d_model, n_heads, d_hidden)
        self.input = AudioInput(n_mels, d_model)
        self.listening = nn.ModuleList(EncoderBlock(*sizes) for _ in range(n_layers))
        self.heard_norm = nn.LayerNorm(d_model)
        self.embedding = nn.Embedding(n_tokens, d_model)
        self.places = nn.Embedding(max_length, d_model)
        self.writing = nn.ModuleList(DecoderBlock(*sizes) for _ in range(n_layers))
        self.written_norm = nn.LayerNorm(d_model)

    def encode(self, mels: Tensor) -> Tensor:
        """Un vector cada dos columnas."""
        x = self.input(mels)
        for block in self.listening:
            x = block(x)
        return self.heard_norm(x)

    def start(self, memory: Tensor) -> list:
        """De cada bloque, lo que mirará del sonido."""
        return [block.cross_attention.prepare(memory) for block in self.writing]

    def step(self, tokens: Tensor, heard: list, past: list | None = None) -> tuple[Tensor, list]:
        """Los logits de lo que sigue a cada token nuevo, y la caché."""
        past = [None] * len(self.writing) if past is None else past
        begin = 0 if past[0] is None else past[0][0].shape[2]
        x = self.embedding(tokens) + self.places.weight[begin : begin + tokens.shape[1]]
        now = []
        for block, own, before in zip(self.writing, heard, past, strict=True):
            x, kept = block(x, own, before)
            now.append(kept)
        return self.written_norm(x) @ self.embedding.weight.T, now

    def forward(self, mels: Tensor, tokens: Tensor) -> Tensor:
        """Los logits de lo que sigue a cada token."""
        return self.step(tokens, self.start(self.encode(mels)))[0]


def rename(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Los pesos del curso, con los nombres de tu modelo."""
    found = {}
    for name, value in weights.items():
        if name.startswith("ctc.") or name.endswith("k_proj.bias"):
            continue
        network = "norm2" if name.startswith("encoder") else "norm3"
        own = name.replace("around_feed_forward.norm", network)
        for before, after in (
            ("around_attention.norm", "norm1"), ("around_cross_attention.norm", "norm2"),
            ("feed_forward.", ""), ("encoder.stem", "input"), ("encoder.blocks", "listening"),
            ("encoder.norm", "heard_norm"), ("decoder.blocks", "writing"),
            ("decoder.norm", "written_norm"), ("decoder.table", "embedding"),
            ("decoder.places", "places"),
        ):  # fmt: skip
            own = own.replace(before, after)
        found[own] = value.float()
    return found


def writing_loss(logits: Tensor, tokens: Tensor, n_prompt: int, stop: int) -> Tensor:
    """Entropía cruzada media de las palabras y del primer fin."""
    wanted = tokens[:, 1:]
    ended = (wanted == stop).cumsum(1) - (wanted == stop).long()
    counts = ended == 0
    counts[:, : n_prompt - 1] = False
    return F.cross_entropy(logits[counts], wanted[counts])


@torch.no_grad()
def write(
    model: nn.Module, mels: Tensor, prompt: list[int], stop: int, max_length: int
) -> list[list[int]]:
    """Lo que escribe el modelo de cada sonido."""
    heard, past = model.start(model.encode(mels)), None
    tokens = torch.tensor([prompt] * len(mels), device=mels.device)
    ended, written = torch.zeros(len(mels), dtype=torch.bool, device=mels.device), []
    for _ in range(max_length):
        logits, past = model.step(tokens, heard, past)
        last = logits[:, -1].argmax(-1)
        written.append(last)
        ended = ended | (last == stop)
        if ended.all():
            break
        tokens = last[:, None]
    rows = torch.stack(written, dim=1).tolist()
    return [row[: row.index(stop)] if stop in row else row for row in rows]


def word_error_rate(written: list[str], expected: list[str]) -> float:
    """Arreglos entre palabras esperadas, en todas las frases."""
    edits, words = 0, 0
    for text, wanted in zip(written, expected, strict=True):
        said, right = text.split(), wanted.split()
        row = list(range(len(right) + 1))
        for i, word in enumerate(said, start=1):
            before, row = row, [i]
            for j, other in enumerate(right, start=1):
                row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (word != other)))
        edits, words = edits + row[-1], words + len(right)
    return edits / words
