"""El modelo Whisper: lee un espectrograma log-mel y escribe lo que se ha dicho, como se le pida."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import AttentionMaps, BlockMaps, maps_by_layer
from tfcourse.layers.blocks import EncoderBlock, FeedForward
from tfcourse.layers.positions import check_length
from tfcourse.layers.writing_block import WritingBlock, WritingBlocks, WritingState
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


class AudioEncoder(nn.Module):
    """El codificador de Whisper: lee un espectrograma y da un vector cada dos columnas.

    Un tallo de dos convoluciones, senos y cosenos, y bloques Pre-LN sin máscara: cada instante mira
    a todos. Fuente: Radford et al. (2023), § 2.2 y figura 1.
    """

    def __init__(self, config: WhisperConfig):
        super().__init__()
        self.config = config
        self.stem = SoundStem(config.n_mels, config.d_model)
        places = whisper_sinusoids(config.max_frames // 2, config.d_model)
        self.register_buffer("places", places, persistent=False)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden,
                norm_first=True, activation=nn.GELU, norm=nn.LayerNorm,
            )
            for _ in range(config.n_encoder)
        )  # fmt: skip
        self.norm = nn.LayerNorm(config.d_model)

    def forward(self, mels: Float[Tensor, "B mels frames"]) -> Float[Tensor, "B Lk D"]:
        """Lee el sonido. Errores: `ValueError` si no cabe el espectrograma."""
        x = self.embed(mels)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def embed(self, mels: Float[Tensor, "B mels frames"]) -> Float[Tensor, "B Lk D"]:
        """Lo que leen los bloques: un vector cada dos columnas, con su lugar sumado."""
        check_mels(mels, self.config)
        x = self.stem(mels)
        return x + self.places[: x.shape[1]].to(x.dtype)

    @torch.no_grad()
    def attention_maps(
        self, mels: Float[Tensor, "B mels frames"]
    ) -> list[Float[Tensor, "B H Lk Lk"]]:
        """A qué instantes mira cada instante, capa a capa."""
        return maps_by_layer(self.blocks, self.embed(mels))


class TextDecoder(nn.Module):
    """El decodificador de Whisper: escribe tokens mirando un sonido ya leído.

    La capa de salida comparte su matriz con los embeddings.
    Fuente: Radford et al. (2023), § 2.2 y figura 1.
    """

    def __init__(self, config: WhisperConfig):
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.n_tokens, config.d_model)
        self.places = nn.Embedding(config.max_length, config.d_model)
        size = (config.d_model, config.n_heads, config.d_hidden)
        self.blocks = WritingBlocks(SpeechBlock(*size) for _ in range(config.n_decoder))
        self.norm = nn.LayerNorm(config.d_model)

    def initialize(self) -> None:
        """Embeddings pequeños: la misma matriz da los logits, y así salen de tamaño 1."""
        for table in (self.table, self.places):
            nn.init.normal_(table.weight, std=self.config.d_model**-0.5)

    def forward(
        self, written: Int[Tensor, "B L"], memory: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "B L V"]:
        """Logits del token que sigue a cada uno, con forzado del profesor."""
        return self.logits(self.blocks(self.embed(written), memory))

    def embed(self, written: Int[Tensor, "B L"], start: int = 0) -> Float[Tensor, "B L D"]:
        """Un vector por token: cuál es y en qué lugar está."""
        end = start + written.shape[1]
        check_length(end, self.config.max_length)
        return self.table(written) + self.places.weight[start:end]

    def logits(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Cuánto se parece cada vector al de cada token."""
        return self.norm(x) @ self.table.weight.T

    def start(self, memory: Float[Tensor, "B Lk D"]) -> WritingState:
        """Mira el sonido, una sola vez, y deja todo listo para escribir."""
        return self.blocks.start(memory, self.config.max_length)

    def step(
        self, tokens: Int[Tensor, "B L"], state: WritingState
    ) -> tuple[Float[Tensor, "B V"], WritingState]:
        """Un paso al escribir: lee uno o varios tokens y da los logits del siguiente."""
        x = self.blocks.step(self.embed(tokens, state.cache.length), state)
        return self.logits(x[:, -1]), state

    @torch.no_grad()
    def attention_maps(
        self, written: Int[Tensor, "B L"], memory: Float[Tensor, "B Lk D"]
    ) -> list[BlockMaps]:
        """A qué mira cada token escrito al elegir el siguiente, capa a capa."""
        return self.blocks.attention_maps(self.embed(written), memory)


class Whisper(nn.Module):
    """Whisper: un codificador que oye y un decodificador que escribe.

    `ctc` es una cabeza sobre el codificador que solo ayuda a entrenar: el original no la tiene.
    Fuente: Radford et al. (2023), § 2.2 y figura 1.
    """

    def __init__(self, config: WhisperConfig):
        super().__init__()
        self.config = config
        self.encoder, self.decoder = AudioEncoder(config), TextDecoder(config)
        self.ctc = nn.Linear(config.d_model, config.n_tokens)
        self.decoder.initialize()

    def forward(
        self, mels: Float[Tensor, "B mels frames"], written: Int[Tensor, "B L"]
    ) -> Float[Tensor, "B L V"]:
        """Logits del token que sigue a cada uno, con forzado del profesor."""
        return self.decoder(written, self.encoder(mels))

    def start(self, mels: Float[Tensor, "B mels frames"]) -> WritingState:
        """Lee el sonido, una sola vez, y deja todo listo para escribir."""
        return self.decoder.start(self.encoder(mels))

    def step(
        self, tokens: Int[Tensor, "B L"], state: WritingState
    ) -> tuple[Float[Tensor, "B V"], WritingState]:
        """Un paso al escribir: lee uno o varios tokens y da los logits del siguiente."""
        return self.decoder.step(tokens, state)

    def select(self, state: WritingState, rows: Int[Tensor, "K"]) -> WritingState:
        """El estado de algunas filas, repetidas si hace falta: para la búsqueda en haz."""
        return state.select(rows)

    @torch.no_grad()
    def attention_maps(
        self, mels: Float[Tensor, "B mels frames"], written: Int[Tensor, "B L"]
    ) -> AttentionMaps:
        """A qué mira cada instante al oír, y cada token escrito al elegir el siguiente."""
        writing = self.decoder.attention_maps(written, self.encoder(mels))
        return AttentionMaps.gather(self.encoder.attention_maps(mels), writing)


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
