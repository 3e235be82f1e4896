"""Los wav2vec 2.0 publicados: como el del curso, salvo dónde y cuándo se normaliza."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.layers.norms import LayerNorm
from tfcourse.models.wav2vec2 import Wav2Vec2, Wav2Vec2Config


class NormedWaveEncoder(nn.Module):
    """Codificador de la onda que normaliza cada vector tras cada convolución.

    Es el de los modelos grandes y multilingües. Fuente: Baevski et al. (2020), § 4.2.
    """

    def __init__(
        self, channels: tuple[int, ...], kernels: tuple[int, ...], strides: tuple[int, ...]
    ):
        super().__init__()
        widths = zip((1, *channels), channels, kernels, strides, strict=False)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(before, after, kernel, stride=stride)
            for before, after, kernel, stride in widths
        )
        self.norms = nn.ModuleList(LayerNorm(after) for after in channels)

    def forward(self, waves: Float[Tensor, "B T"]) -> Float[Tensor, "B L C"]:
        """Un vector cada tantas muestras como valga el producto de las zancadas."""
        x = waves[:, None]
        for convolution, norm in zip(self.convolutions, self.norms, strict=True):
            x = F.gelu(norm(convolution(x).mT).mT)
        return x.mT


class PublishedWav2Vec2(Wav2Vec2):
    """wav2vec 2.0 con las normalizaciones de los modelos publicados.

    `post_norm`: cada bloque normaliza detrás, y los vectores entran ya normalizados («base»); si
    no, como en el curso (los grandes). `each_layer`: la onda se normaliza tras cada convolución.
    """

    def __init__(self, config: Wav2Vec2Config, *, post_norm: bool, each_layer: bool):
        super().__init__(config)
        self.post_norm = post_norm
        if each_layer:
            sizes = (config.channels, config.kernels, config.strides)
            self.encoder = NormedWaveEncoder(*sizes)
        for block in self.blocks:
            block.around_attention.norm_first = not post_norm
            block.around_feed_forward.norm_first = not post_norm

    def context(
        self, features: Float[Tensor, "B L C"], hidden: Bool[Tensor, "B L"] | None = None
    ) -> Float[Tensor, "B L D"]:
        """Vectores de contexto; donde `hidden` es True, el Transformer no ve el sonido."""
        if not self.post_norm:
            return super().context(features, hidden)
        x = self.projection(features)
        if hidden is not None:
            x = torch.where(hidden[..., None], self.mask_vector, x)
        x = self.norm(self.positions(x))
        for block in self.blocks:
            x = block(x)
        return x
