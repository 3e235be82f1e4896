"""El modelo Whisper: lee un espectrograma log-mel y escribe lo que se ha dicho, como se le pida."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.blocks import EncoderBlock, FeedForward
from tfcourse.layers.cache import KVCache
from tfcourse.layers.positions import check_length
from tfcourse.layers.writing_block import WritingBlock
from tfcourse.models.sound_classifier import SoundStem

# Radford et al. (2023), tabla 1; «aula» es la del curso. Red por posición: 4 veces d_model.
VARIANTS = {
    "aula": {"d_model": 64, "n_heads": 4, "n_encoder": 2, "n_decoder": 2, "d_hidden": 128},
    "tiny": {"d_model": 384, "n_heads": 6, "n_encoder": 4, "n_decoder": 4, "d_hidden": 1536},
    "base": {"d_model": 512, "n_heads": 8, "n_encoder": 6, "n_decoder": 6, "d_hidden": 2048},
    "small": {"d_model": 768, "n_heads": 12, "n_encoder": 12, "n_decoder": 12, "d_hidden": 3072},
    "medium": {"d_model": 1024, "n_heads": 16, "n_encoder": 24, "n_decoder": 24, "d_hidden": 4096},
    "large": {"d_model": 1280, "n_heads": 20, "n_encoder": 32, "n_decoder": 32, "d_hidden": 5120},
}


@dataclass(frozen=True)
class WhisperConfig:
    """Tamaños de Whisper; `VARIANTS` tiene los del artículo y los del curso.

    `max_frames` es cuántas columnas del espectrograma caben (3000 en el original: 30 segundos), y
    `max_length`, cuántos tokens se escriben.
    Errores: `ValueError` si algún tamaño no es positivo o si `d_model` es impar.
    """

    n_tokens: int
    n_mels: int = 40
    max_frames: int = 400
    max_length: int = 16
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_encoder: int = VARIANTS["aula"]["n_encoder"]
    n_decoder: int = VARIANTS["aula"]["n_decoder"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]

    def __post_init__(self):
        for name in ("n_tokens", "n_mels", "max_frames", "max_length", "n_encoder", "n_decoder"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: tiene que ser al menos 1")
        if self.d_model < 4 or self.d_model % 2:
            raise ValueError(
                f"d_model={self.d_model}: tiene que ser par y al menos 4, porque la mitad de las "
                "posiciones son senos y la otra mitad, cosenos"
            )


def whisper_sinusoids(length: int, channels: int) -> Float[Tensor, "L D"]:
    """Posiciones del codificador: primero todos los senos y después todos los cosenos.

    Los periodos van de 2π a 2π · 10 000, los dos incluidos: por eso se divide entre D/2 − 1.
    Fuente: el código de Radford et al. (2023).
    """
    spacing = math.log(10_000) / (channels // 2 - 1)
    frequency = torch.exp(-spacing * torch.arange(channels // 2))
    angles = torch.arange(length)[:, None] * frequency
    return torch.cat([angles.sin(), angles.cos()], dim=1)


class SpeechBlock(WritingBlock):
    """El bloque que escribe mirando una memoria, con GELU en la red por posición."""

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__(d_model, n_heads, d_hidden)
        self.feed_forward = FeedForward(d_model, d_hidden, nn.GELU)


class SpeechState(NamedTuple):
    """Lo que se guarda al escribir: claves y valores del sonido, por capas, y la caché."""

    seen: list[tuple[Tensor, Tensor]]
    cache: KVCache


class Whisper(nn.Module):
    """Whisper: un tallo de dos convoluciones, un codificador y un decodificador Pre-LN.

    La capa de salida comparte su matriz con los embeddings. `ctc` es una cabeza sobre el
    codificador que solo ayuda a entrenar: el original no lo tiene.
    Fuente: Radford et al. (2023), § 2.2 y figura 1.
    """

    def __init__(self, config: WhisperConfig):
        super().__init__()
        self.config = config
        size = (config.d_model, config.n_heads, config.d_hidden)
        self.stem = SoundStem(config.n_mels, config.d_model)
        places = whisper_sinusoids(config.max_frames // 2, config.d_model)
        self.register_buffer("places", places, persistent=False)
        self.encoder = nn.ModuleList(
            EncoderBlock(*size, norm_first=True, activation=nn.GELU, norm=nn.LayerNorm)
            for _ in range(config.n_encoder)
        )
        self.encoder_norm = nn.LayerNorm(config.d_model)
        self.table = nn.Embedding(config.n_tokens, config.d_model)
        self.written_places = nn.Embedding(config.max_length, config.d_model)
        self.decoder = nn.ModuleList(SpeechBlock(*size) for _ in range(config.n_decoder))
        self.decoder_norm = nn.LayerNorm(config.d_model)
        self.ctc = nn.Linear(config.d_model, config.n_tokens)
        for table in (self.table, self.written_places):
            nn.init.normal_(table.weight, std=config.d_model**-0.5)

    def forward(
        self, mels: Float[Tensor, "B mels frames"], written: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B L V"]:
        """Logits del token que sigue a cada uno, con forzado del profesor."""
        return self.decode(written, self.encode(mels))

    def encode(self, mels: Float[Tensor, "B mels frames"]) -> Float[Tensor, "B Lk D"]:
        """Un vector cada dos columnas. Errores: `ValueError` si no cabe el espectrograma."""
        check_mels(mels, self.config)
        x = self.stem(mels)
        x = x + self.places[: x.shape[1]].to(x.dtype)
        for block in self.encoder:
            x = block(x)
        return self.encoder_norm(x)

    def decode(
        self, written: Int[Tensor, "B L"], memory: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "B L V"]:
        """Logits a partir de un sonido ya leído."""
        x = self.embed(written)
        for block in self.decoder:
            x = block(x, block.read(memory))
        return self.decoder_norm(x) @ self.table.weight.T

    def embed(self, written: Int[Tensor, "B L"], start: int = 0) -> Float[Tensor, "B L D"]:
        """Un vector por token: cuál es y en qué lugar está."""
        end = start + written.shape[1]
        check_length(end, self.config.max_length)
        return self.table(written) + self.written_places.weight[start:end]

    def start(self, mels: Float[Tensor, "B mels frames"]) -> SpeechState:
        """Lee el sonido, una sola vez, y deja todo listo para escribir."""
        memory = self.encode(mels)
        seen = [block.read(memory) for block in self.decoder]
        return SpeechState(seen, KVCache(len(self.decoder), self.config.max_length))

    def step(
        self, tokens: Int[Tensor, "B L"], state: SpeechState
    ) -> tuple[Float[Tensor, "B V"], SpeechState]:
        """Un paso al escribir: lee uno o varios tokens y da los logits del siguiente."""
        x = self.embed(tokens, state.cache.length)
        for block, seen, cache in zip(self.decoder, state.seen, state.cache.layers, strict=True):
            x = block(x, seen, cache)
        return self.decoder_norm(x[:, -1]) @ self.table.weight.T, state

    def select(self, state: SpeechState, rows: Int[Tensor, "K"]) -> SpeechState:
        """El estado de algunas filas, repetidas si hace falta: para la búsqueda en haz."""
        return SpeechState([(k[rows], v[rows]) for k, v in state.seen], state.cache.select(rows))

    @torch.no_grad()
    def cross_attention(
        self, mels: Float[Tensor, "B mels frames"], written: Int[Tensor, "B L"]
    ) -> Float[Tensor, "layers B H L Lk"]:
        """A qué instantes mira cada token escrito al elegir el siguiente, capa a capa."""
        memory, maps = self.encode(mels), []
        x = self.embed(written)
        for block in self.decoder:
            maps.append(block.look_weights(x, memory))
            x = block(x, block.read(memory))
        return torch.stack(maps)


def check_mels(mels: Float[Tensor, "B mels frames"], config: WhisperConfig) -> None:
    """Error si el espectrograma no es de este modelo o no cabe."""
    if mels.shape[1] != config.n_mels:
        raise ValueError(
            f"el espectrograma tiene {mels.shape[1]} bandas y el modelo lee {config.n_mels}: "
            "calcúlalo con la configuración con la que se entrenó"
        )
    if mels.shape[2] > config.max_frames:
        raise ValueError(
            f"el espectrograma tiene {mels.shape[2]} columnas y caben {config.max_frames}: parte "
            "la grabación en trozos más cortos"
        )
