"""Fusión de dos modalidades: las seis variantes, detrás de una sola firma."""

from dataclasses import dataclass, field

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.audio.mel import MelConfig
from tfcourse.layers.fusion import FusionStage, ModalityEmbedding
from tfcourse.layers.image.patches import PatchEmbedding, check_patches
from tfcourse.layers.masks import modality_mask
from tfcourse.layers.norms import LayerNorm
from tfcourse.models.sound_classifier import LogMel, SoundStem

# «aula» es del curso: dos capas bastan para que las seis variantes se distingan.
SIZES = {"aula": {"d_model": 64, "n_heads": 4, "n_layers": 2, "d_hidden": 128}}
# Un segundo a 8000 muestras son 32 columnas y, tras el tallo, 16 tokens: los de una cifra de 8 × 8.
FUSION_MEL = MelConfig(8_000, n_fft=512, hop=250, n_mels=40)


@dataclass(frozen=True)
class Variant:
    """Una manera de juntar: a quién mira la primera mitad de las capas y a quién la segunda.

    `added`: los tokens se suman de dos en dos antes de empezar. `sees`: qué modalidades lee.
    """

    first: str
    second: str
    added: bool = False
    sees: tuple[bool, bool] = (True, True)

    def looks(self, n_layers: int) -> tuple[str, ...]:
        """A quién mira cada capa. Errores: `ValueError` si no se reparten en dos mitades."""
        if n_layers < 2 or n_layers % 2:
            raise ValueError(f"n_layers={n_layers}: usa un número par, la mitad para cada etapa")
        return (self.first,) * (n_layers // 2) + (self.second,) * (n_layers // 2)


# Las de Xu et al. (2023), § 3, con los nombres en español.
VARIANTS = {
    "suma temprana": Variant("todas", "todas", added=True),
    "concatenación temprana": Variant("todas", "todas"),
    "varios a uno": Variant("propia", "todas"),
    "uno a varios": Variant("todas", "propia"),
    "cruzada": Variant("otra", "otra"),
    "cruzada y concatenación": Variant("otra", "todas"),
}
UNIMODAL = {
    "solo imagen": Variant("todas", "todas", sees=(True, False)),
    "solo sonido": Variant("todas", "todas", sees=(False, True)),
}
# Ninguna capa mira a la otra modalidad: para una fusión tardía o con cuello de botella.
APART = {"por separado": Variant("propia", "propia")}
KNOWN = VARIANTS | UNIMODAL | APART


class FusionEncoder(nn.Module):
    """Codificador de dos secuencias: entran dos y salen los canales que deja la variante.

    Con `tied`, las dos modalidades comparten los pesos de cada capa, y todas las variantes menos la
    suma son un mismo codificador con otra máscara (`variant_masks`).
    """

    def __init__(self, variant: Variant, n_layers: int, *, tied: bool = False, **sizes):
        super().__init__()
        self.variant = variant
        self.stages = nn.ModuleList(
            FusionStage(look, tied, norm_first=True, activation=nn.GELU, **sizes)
            for look in variant.looks(n_layers)
        )
        self.weights = nn.Parameter(torch.ones(2)) if variant.added else None  # α y β
        self.norm = LayerNorm(sizes["d_model"])

    def enter(
        self, a: Float[Tensor, "B Na D"], b: Float[Tensor, "B Nb D"]
    ) -> tuple[Float[Tensor, "B Ma D"], Float[Tensor, "B Mb D"]]:
        """Lo que leen las capas: las dos secuencias, una sola o su suma.

        Errores: `ValueError` si se suman dos secuencias de longitudes distintas.
        """
        if self.weights is not None:
            if a.shape != b.shape:
                raise ValueError(
                    f"la suma empareja los tokens uno a uno y llegaron {a.shape[1]} y "
                    f"{b.shape[1]}: iguala las longitudes o usa otra variante"
                )
            return self.weights[0] * a + self.weights[1] * b, b[:, :0]
        return (
            a if self.variant.sees[0] else a[:, :0],
            b if self.variant.sees[1] else b[:, :0],
        )

    def forward(
        self, a: Float[Tensor, "B Na D"], b: Float[Tensor, "B Nb D"]
    ) -> tuple[Float[Tensor, "B ..."], ...]:
        """Los canales con los que acaba: uno, con todos los tokens, o dos."""
        a, b = self.enter(a, b)
        for stage in self.stages:
            a, b = stage(a, b)
        if self.variant.second == "todas":
            return (self.norm(torch.cat([a, b], dim=1)),)
        return self.norm(a), self.norm(b)

    @torch.no_grad()
    def attention_maps(
        self, a: Float[Tensor, "B Na D"], b: Float[Tensor, "B Nb D"]
    ) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa entre todos los tokens, primero los de `a`."""
        a, b = self.enter(a, b)
        found = []
        for stage in self.stages:
            found.append(stage.attention_maps(a, b))
            a, b = stage(a, b)
        return found


def variant_masks(
    variant: Variant, lengths: tuple[int, int], n_layers: int = 2
) -> list[Bool[Tensor, "1 1 L L"]]:
    """Las máscaras de cada capa, sobre las dos secuencias una detrás de otra.

    La suma solo tiene una secuencia: la de las parejas. Errores: los de `modality_mask`.
    """
    counts = (lengths[0], 0) if variant.added else lengths
    counts = tuple(n if seen else 0 for n, seen in zip(counts, variant.sees, strict=True))
    modalities = torch.repeat_interleave(torch.tensor([0, 1]), torch.tensor(counts))
    return [modality_mask(modalities, look) for look in variant.looks(n_layers)]


@dataclass(frozen=True)
class FusionConfig:
    """Tamaños de un clasificador de imagen y sonido; `variant` es de `KNOWN`.

    Errores: `ValueError` si la variante no se conoce o un tamaño no vale.
    """

    variant: str
    n_classes: int = 10
    image_size: int = 8
    patch_size: int = 2
    seconds: float = 1.0
    mel: MelConfig = field(default_factory=lambda: FUSION_MEL)
    d_model: int = SIZES["aula"]["d_model"]
    n_heads: int = SIZES["aula"]["n_heads"]
    n_layers: int = SIZES["aula"]["n_layers"]
    d_hidden: int = SIZES["aula"]["d_hidden"]

    def __post_init__(self):
        if self.variant not in KNOWN:
            raise ValueError(f"variant={self.variant!r}: usa {', '.join(KNOWN)}")
        check_patches((self.image_size, self.image_size), self.patch_size)

    @property
    def image_tokens(self) -> int:
        """Cuántos parches tiene una imagen."""
        return (self.image_size // self.patch_size) ** 2

    @property
    def sound_tokens(self) -> int:
        """Cuántos tokens tiene un clip: uno cada dos columnas, sin la última."""
        return (round(self.seconds * self.mel.sample_rate) // self.mel.hop + 1) // 2

    @property
    def lengths(self) -> tuple[int, int]:
        """Los tokens de la imagen y los del sonido."""
        return self.image_tokens, self.sound_tokens


class SoundTokens(nn.Module):
    """De una onda a tokens: log-mel sin la última columna y el tallo de dos convoluciones."""

    def __init__(self, mel: MelConfig, d_model: int):
        super().__init__()
        self.log_mel = LogMel(mel)
        self.stem = SoundStem(mel.n_mels, d_model)

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B N D"]:
        """Un token cada dos columnas."""
        return self.stem(self.log_mel(waves)[..., :-1])


class FusionClassifier(nn.Module):
    """Clasifica lo que se ve y se oye a la vez: tokens, embeddings, una variante y una capa lineal.

    Cada canal se resume en la media de sus tokens, y la capa lineal lee la media de los canales.
    """

    def __init__(self, config: FusionConfig, *, tied: bool = False):
        super().__init__()
        self.config = config
        d_model = config.d_model
        self.image_tokens = PatchEmbedding(1, config.patch_size, d_model)
        self.sound_tokens = SoundTokens(config.mel, d_model)
        self.image_embedding = ModalityEmbedding(config.image_tokens, d_model)
        self.sound_embedding = ModalityEmbedding(config.sound_tokens, d_model)
        self.encoder = FusionEncoder(
            KNOWN[config.variant], config.n_layers, tied=tied,
            d_model=d_model, n_heads=config.n_heads, d_hidden=config.d_hidden,
        )  # fmt: skip
        self.head = nn.Linear(d_model, config.n_classes)

    def tokens(
        self,
        images: Float[Tensor, "B 1 H W"],
        waves: Float[Tensor, "B T"],
        present: Bool[Tensor, "B 2"] | None = None,
    ) -> tuple[Float[Tensor, "B Na D"], Float[Tensor, "B Nb D"]]:
        """Las dos secuencias, de la misma anchura; `present` dice qué modalidades no faltan.

        La que la variante no lee sale vacía.
        """
        seen, heard = (None, None) if present is None else present.unbind(dim=1)
        empty = images.new_zeros(len(images), 0, self.config.d_model)
        sees_image, sees_sound = self.encoder.variant.sees
        return (
            self.image_embedding(self.image_tokens(images), seen) if sees_image else empty,
            self.sound_embedding(self.sound_tokens(waves), heard) if sees_sound else empty,
        )

    def forward(
        self,
        images: Float[Tensor, "B 1 H W"],
        waves: Float[Tensor, "B T"],
        present: Bool[Tensor, "B 2"] | None = None,
    ) -> Float[Tensor, "B K"]:
        """Logits de cada clase."""
        channels = self.encoder(*self.tokens(images, waves, present))
        return self.head(torch.stack([x.mean(dim=1) for x in channels]).mean(dim=0))

    @torch.no_grad()
    def attention_maps(
        self,
        images: Float[Tensor, "B 1 height width"],
        waves: Float[Tensor, "B T"],
        present: Bool[Tensor, "B 2"] | None = None,
    ) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa entre todos los tokens, primero los de la imagen."""
        return self.encoder.attention_maps(*self.tokens(images, waves, present))
