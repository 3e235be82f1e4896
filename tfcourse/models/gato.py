"""Gato: un decodificador que lee y escribe una sola fila de tokens, sean de lo que sean."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.cache import KVCache
from tfcourse.layers.image.patch_block import ResidualPatchEmbedding
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.positions import check_length
from tfcourse.layers.rotary import RotaryPositions
from tfcourse.models.gpt import GPTBlock, GPTConfig, initialize_gpt
from tfcourse.tokenizers.mu_law import N_BINS
from tfcourse.tokenizers.token_rows import MAX_PLACES, TokenBatch

MARKS = 3  # separador, parche y sonido, al final del vocabulario
WAVES = 32  # de cuántas ondas se hacen los vectores iniciales de las casillas

# Reed et al. (2022), tabla 5: 1,2 mil millones de parámetros. «aula» es del curso.
VARIANTS = {
    "aula": {"d_model": 96, "n_heads": 4, "n_layers": 3, "max_length": 96},
    "gato": {"d_model": 2048, "n_heads": 16, "n_layers": 24, "max_length": 1024},
}


@dataclass(frozen=True)
class GatoConfig:
    """Tamaños de un Gato: palabras, valores, parches y trozos de sonido.

    `n_tokens` cuenta los tres últimos, las marcas: separador, parche y sonido.
    Errores: `ValueError` si faltan tokens o los parches no se pueden reducir.
    """

    n_tokens: int
    n_bins: int = N_BINS
    patch_side: int = 16
    grid: tuple[int, int] = (2, 2)
    channels: int = 3
    sound_features: int = 200
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_layers: int = VARIANTS["aula"]["n_layers"]
    max_length: int = VARIANTS["aula"]["max_length"]

    def __post_init__(self):
        if self.n_tokens <= self.n_bins + MARKS:
            raise ValueError(
                f"n_tokens={self.n_tokens}: hacen falta {self.n_bins} casillas, {MARKS} marcas y "
                "alguna palabra"
            )
        if self.patch_side < 4 or self.patch_side % 4:
            raise ValueError(
                f"patch_side={self.patch_side}: el bloque reduce cuatro veces cada lado; usa un "
                f"múltiplo de 4, p. ej. {max(4, self.patch_side // 4 * 4)}"
            )

    @property
    def patch_id(self) -> int:
        """El número del hueco de un parche."""
        return self.n_tokens - 2

    @property
    def sound_id(self) -> int:
        """El número del hueco de un trozo de sonido."""
        return self.n_tokens - 1


class Gato(nn.Module):
    """Red única: cada token se vuelve un vector según lo que sea, y un GPT lee la fila.

    Texto y valores salen de una tabla, que también da los logits; los parches, de un bloque de
    convoluciones; los trozos de sonido, de una capa lineal. A todos se les suma el lugar que ocupan
    en su paso. Las posiciones en la fila son rotatorias: no están en el artículo, y con una red tan
    pequeña están para ayudar a saber cuál es el último paso. Allí, la red por posición lleva
    compuerta (GeGLU); aquí es la de GPT.
    Fuente: Reed et al. (2022), § 2.2 y apéndice C.
    """

    def __init__(self, config: GatoConfig):
        super().__init__()
        self.config = config
        gpt = GPTConfig(
            config.n_tokens, config.d_model, config.n_heads, config.n_layers, config.max_length,
            positions="rotatorias",
        )  # fmt: skip
        self.table = nn.Embedding(config.n_tokens, config.d_model)
        self.places = nn.Embedding(MAX_PLACES, config.d_model)
        self.look = ResidualPatchEmbedding(
            config.channels, config.patch_side, config.grid, config.d_model
        )
        self.listen = nn.Linear(config.sound_features, config.d_model)
        rotary = RotaryPositions(config.max_length, config.d_model // config.n_heads)
        self.blocks = nn.ModuleList(GPTBlock(gpt, rotary) for _ in range(config.n_layers))
        self.norm = LayerNorm(config.d_model)
        initialize_gpt(self)
        last = config.n_tokens - MARKS
        self.table.weight.data[last - config.n_bins : last] = value_vectors(
            config.n_bins, config.d_model
        )

    def embed(self, batch: TokenBatch) -> Float[Tensor, "B L D"]:
        """El vector de cada token, según lo que sea, más el de su lugar en el paso.

        Errores: `ValueError` si no hay tantos parches o trozos como huecos.
        """
        x = self.table(batch.ids)
        kinds = (
            (self.config.patch_id, batch.patches, self.look, "parches"),
            (self.config.sound_id, batch.sounds, self.listen, "trozos de sonido"),
        )
        for number, raw, embedding, name in kinds:
            holes = batch.ids == number
            if int(holes.sum()) != len(raw):
                raise ValueError(
                    f"la fila tiene {int(holes.sum())} huecos y llegaron {len(raw)} {name}: "
                    "cada hueco necesita el suyo"
                )
            if len(raw):
                x = x.masked_scatter(holes[..., None], embedding(raw).to(x.dtype))
        return x + self.places(batch.places)

    def states(self, batch: TokenBatch, cache: KVCache | None = None) -> Float[Tensor, "B L D"]:
        """Lo que sabe la red después de leer cada token; con caché, la fila sigue a lo ya leído."""
        start = 0 if cache is None else cache.length
        check_length(start + batch.ids.shape[1], self.config.max_length)
        x = self.embed(batch)
        for depth, block in enumerate(self.blocks):
            x = block(x, None if cache is None else cache.layers[depth])
        return self.norm(x)

    def logits(self, states: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits de cada token: la tabla de entrada, traspuesta."""
        return states @ self.table.weight.T

    def forward(self, batch: TokenBatch) -> Float[Tensor, "B L V"]:
        """Logits del token que sigue a cada posición."""
        return self.logits(self.states(batch))

    def cache(self) -> KVCache:
        """Una caché vacía, para ir leyendo y escribiendo."""
        return KVCache(self.config.n_layers, self.config.max_length)


def value_vectors(n_bins: int, d_model: int, scale: float = 0.1) -> Float[Tensor, "N D"]:
    """Vectores iniciales de las casillas: las vecinas se parecen, y cada vez menos al alejarse.

    Cada componente es una suma al azar de ondas a lo largo de las casillas, las lentas más altas.
    No está en el artículo: con tan pocos episodios, se pone para no aprender cada casilla por su
    cuenta.
    """
    k = torch.arange(1, WAVES + 1)
    waves = (torch.pi * (torch.arange(n_bins)[:, None] + 0.5) / n_bins * k).cos() / k.sqrt()
    vectors = waves @ torch.randn(WAVES, d_model)
    return scale * vectors / vectors.std()


def gato_loss(model: Gato, batch: TokenBatch) -> Float[Tensor, ""]:
    """Entropía cruzada media de los tokens que se aprenden: texto y acciones.

    Los logits de los demás ni se calculan. Fuente: Reed et al. (2022), ec. 1 y 2.
    """
    wanted = next_scored(batch.scored)
    states = model.states(batch)[:, :-1][wanted]
    return F.cross_entropy(model.logits(states), batch.ids[:, 1:][wanted])


def next_scored(scored: Bool[Tensor, "B L"]) -> Bool[Tensor, "B M"]:
    """Desde qué posiciones se predice algo que cuenta: aquellas cuyo token siguiente se aprende."""
    return scored[:, 1:]


def allowed_only(logits: Float[Tensor, "*B V"], allowed: Int[Tensor, " K"]) -> Int[Tensor, "*B"]:
    """El más probable de los tokens que tienen sentido ahora, como su lugar en `allowed`."""
    return logits[..., allowed].argmax(dim=-1)
