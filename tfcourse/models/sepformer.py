"""SepFormer: separar las voces de una mezcla con una máscara que decide un Transformer."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Complex, Float
from torch import Tensor, nn

from tfcourse.audio.resampling import resampled
from tfcourse.audio.signals import check_wave
from tfcourse.layers.norms import LayerNorm
from tfcourse.layers.sound.dual_path import DualPathBlock, chunked, rejoined
from tfcourse.layers.sound.wave_fronts import make_front

SAMPLE_RATE = 8_000  # la de las ondas con las que se entrena, como en el artículo
# «artículo»: Subakan et al. (2021), § 3.2, para ondas a 8 kHz. Las demás son del curso.
VARIANTS = {
    "aula": {
        "front": "stft", "n_filters": 0, "kernel": 512, "stride": 128, "mask": "softmax",
        "d_model": 64, "n_heads": 4, "d_hidden": 128, "n_intra": 1, "n_inter": 1,
        "n_blocks": 2, "chunk": 12,
    },
    "larga": {
        "front": "stft", "n_filters": 0, "kernel": 512, "stride": 128, "mask": "softmax",
        "d_model": 128, "n_heads": 4, "d_hidden": 256, "n_intra": 1, "n_inter": 1,
        "n_blocks": 3, "chunk": 12,
    },
    "aula, aprendido": {
        "front": "aprendido", "n_filters": 128, "kernel": 32, "stride": 16, "mask": "relu",
        "d_model": 64, "n_heads": 4, "d_hidden": 128, "n_intra": 1, "n_inter": 1,
        "n_blocks": 2, "chunk": 32,
    },
    "artículo": {
        "front": "aprendido", "n_filters": 256, "kernel": 16, "stride": 8, "mask": "relu",
        "d_model": 256, "n_heads": 8, "d_hidden": 1024, "n_intra": 8, "n_inter": 8,
        "n_blocks": 2, "chunk": 250,
    },
}  # fmt: skip

# Cómo se convierten los puntajes (B, S, L, F) en máscaras. El softmax reparte cada coeficiente
# entre los hablantes; con las otras dos, nada obliga a que entre todas sumen 1.
MASKS = {
    "softmax": lambda scores: scores.softmax(dim=1),
    "sigmoide": torch.sigmoid,
    "relu": torch.relu,
}


@dataclass(frozen=True)
class SepFormerConfig:
    """Tamaños: los del codificador de la onda, los del doble camino y cómo es la máscara.

    `chunk` es lo que mide cada trozo, en vectores; `n_intra` y `n_inter`, los bloques de cada
    camino, y `n_blocks`, cuántas veces se recorren los dos.
    Errores: `ValueError` si hay menos de dos hablantes o si la máscara no se conoce.
    """

    n_speakers: int = 2
    front: str = VARIANTS["aula"]["front"]
    n_filters: int = VARIANTS["aula"]["n_filters"]
    kernel: int = VARIANTS["aula"]["kernel"]
    stride: int = VARIANTS["aula"]["stride"]
    mask: str = VARIANTS["aula"]["mask"]
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]
    n_intra: int = VARIANTS["aula"]["n_intra"]
    n_inter: int = VARIANTS["aula"]["n_inter"]
    n_blocks: int = VARIANTS["aula"]["n_blocks"]
    chunk: int = VARIANTS["aula"]["chunk"]

    def __post_init__(self):
        if self.n_speakers < 2:
            raise ValueError(
                f"n_speakers={self.n_speakers}: para separar hacen falta al menos dos voces"
            )
        if self.mask not in MASKS:
            raise ValueError(f"mask={self.mask!r}: usa {', '.join(map(repr, MASKS))}")


class MaskNet(nn.Module):
    """Red de máscaras: trozos, doble camino, y un puntaje por hablante y coeficiente.

    Fuente: Subakan et al. (2021), § 2.2.
    """

    def __init__(self, config: SepFormerConfig, n_coefficients: int):
        super().__init__()
        self.config = config
        self.norm = LayerNorm(n_coefficients)
        self.input = nn.Linear(n_coefficients, config.d_model)
        self.blocks = nn.ModuleList(
            DualPathBlock(
                config.d_model, config.n_heads, config.d_hidden, config.n_intra, config.n_inter
            )
            for _ in range(config.n_blocks)
        )
        self.activation = nn.PReLU()
        self.split = nn.Linear(config.d_model, config.n_speakers * config.d_model)
        self.output = nn.Linear(config.d_model, n_coefficients)

    def forward(self, features: Float[Tensor, "B L F"]) -> Float[Tensor, "B S L F"]:
        """Las máscaras: cuánto de cada coeficiente se lleva cada hablante."""
        chunks = chunked(self.input(self.norm(features)), self.config.chunk)
        for block in self.blocks:
            chunks = block(chunks)
        x = self.split(self.activation(rejoined(chunks, features.shape[1])))
        own = x.unflatten(-1, (self.config.n_speakers, -1)).transpose(1, 2)
        return MASKS[self.config.mask](self.output(self.activation(own)))


class SepFormer(nn.Module):
    """SepFormer: codifica la mezcla, la multiplica por una máscara por hablante y descodifica.

    Las salidas no tienen orden: cuál es quién se decide al comparar.
    Fuente: Subakan et al. (2021), § 2, con la STFT como otro codificador posible.
    """

    def __init__(self, config: SepFormerConfig):
        super().__init__()
        self.config = config
        self.front = make_front(config.front, config.n_filters, config.kernel, config.stride)
        self.mask_net = MaskNet(config, self.front.n_coefficients)

    def masks(
        self, waves: Float[Tensor, "B T"]
    ) -> tuple[Float[Tensor, "B S L F"], Float[Tensor, "B L F"] | Complex[Tensor, "B L F"]]:
        """Las máscaras y los coeficientes de la mezcla."""
        coefficients = self.front.analyze(waves)
        return self.mask_net(self.front.features(coefficients)), coefficients

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B S T"]:
        """Una onda por hablante. Errores: los de `check_wave`."""
        check_wave(waves)
        # El volumen se quita al entrar y se devuelve al salir: la red oye siempre lo mismo.
        level = waves.square().mean(dim=-1, keepdim=True).sqrt().clamp_min(1e-8)
        masks, coefficients = self.masks(waves / level)
        parts = self.front.synthesize(masks * coefficients[:, None], waves.shape[-1])
        return parts * level[:, None]


@torch.no_grad()
def separate(
    model: SepFormer, wave: Tensor, sample_rate: int = SAMPLE_RATE
) -> Float[Tensor, "S T"]:
    """Las voces de una mezcla de un solo canal, cada una en su onda.

    A otra frecuencia de muestreo que la de entrenar, se remuestrea al entrar y al salir.
    Errores: `ValueError` si llega más de un canal; los de `check_wave` y `check_rate`.
    """
    check_wave(wave)
    if wave.ndim != 1:
        raise ValueError(
            f"la mezcla llegó con forma {tuple(wave.shape)}: se separa un solo canal, (T,); "
            "promedia los canales con wave.mean(dim=0)"
        )
    was_training = model.training
    parts = model.eval()(resampled(wave, sample_rate, SAMPLE_RATE)[None])[0]
    model.train(was_training)
    back = resampled(parts, SAMPLE_RATE, sample_rate)
    return F.pad(back, (0, len(wave) - back.shape[-1]))  # de ida y vuelta, puede bailar una muestra
