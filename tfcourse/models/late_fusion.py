"""Fusión casi al final: a través de unos pocos tokens comunes, o solo entre los resúmenes."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.models.fusion import APART, FusionClassifier, FusionConfig, FusionEncoder


class BottleneckEncoder(FusionEncoder):
    """Cuello de botella: cada modalidad mira a los suyos y a unos tokens comunes, y a nadie más.

    Cada una deja su versión de los comunes, y a la capa siguiente pasa la media de las dos. Lo que
    una cuenta a la otra cabe en ellos, y tarda dos capas en llegar.
    Fuente: Nagrani et al. (2021), § 3.2.
    """

    def __init__(self, n_neck: int, n_layers: int, **sizes):
        super().__init__(APART["por separado"], n_layers, **sizes)
        self.neck = nn.Parameter(0.02 * torch.randn(n_neck, sizes["d_model"]))

    def forward(
        self, a: Float[Tensor, "B Na D"], b: Float[Tensor, "B Nb D"]
    ) -> tuple[Float[Tensor, "B ..."], ...]:
        """Los dos canales, sin los tokens comunes."""
        neck = self.neck.expand(len(a), -1, -1)
        for stage in self.stages:
            a, b, neck = self.through(stage, a, b, neck)
        return self.norm(a), self.norm(b)

    def through(
        self, stage: nn.Module, a: Tensor, b: Tensor, neck: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Una capa: los dos canales y la media de las dos versiones de los comunes."""
        seen, heard = stage(torch.cat([a, neck], dim=1), torch.cat([b, neck], dim=1))
        a, from_a = seen.tensor_split([a.shape[1]], dim=1)
        b, from_b = heard.tensor_split([b.shape[1]], dim=1)
        return a, b, (from_a + from_b) / 2

    @torch.no_grad()
    def attention_maps(
        self, a: Float[Tensor, "B Na D"], b: Float[Tensor, "B Nb D"]
    ) -> list[Float[Tensor, "B H L L"]]:
        """Pesos de cada capa: los tokens de `a`, los comunes, los de `b` y otra vez los comunes."""
        neck, found = self.neck.expand(len(a), -1, -1), []
        for stage in self.stages:
            both = torch.cat([a, neck], dim=1), torch.cat([b, neck], dim=1)
            found.append(stage.attention_maps(*both))
            a, b, neck = self.through(stage, a, b, neck)
        return found


class BottleneckClassifier(FusionClassifier):
    """El clasificador de imagen y sonido, con un cuello de botella de `n_neck` tokens.

    De la configuración no cuenta la variante: cada modalidad tiene sus capas.
    """

    def __init__(self, config: FusionConfig, n_neck: int = 4):
        super().__init__(config)
        self.encoder = BottleneckEncoder(
            n_neck, config.n_layers,
            d_model=config.d_model, n_heads=config.n_heads, d_hidden=config.d_hidden,
        )  # fmt: skip


class JointHeadClassifier(FusionClassifier):
    """Fusión tardía con cabeza: cada modalidad se resume sola y una capa oculta lee los resúmenes.

    La de `FusionClassifier` con la variante «por separado» los promedia y es lineal: sus logits son
    la suma de lo que dice cada modalidad. Esta puede aprender cualquier relación entre los dos.
    """

    def __init__(self, config: FusionConfig):
        super().__init__(config)
        self.head = nn.Sequential(
            nn.Linear(2 * config.d_model, config.d_model),
            nn.GELU(),
            nn.Linear(config.d_model, config.n_classes),
        )

    def forward(
        self,
        images: Float[Tensor, "B 1 H W"],
        waves: Float[Tensor, "B T"],
        present: Bool[Tensor, "B 2"] | None = None,
    ) -> Float[Tensor, "B K"]:
        """Logits de cada clase."""
        channels = self.encoder(*self.tokens(images, waves, present))
        return self.head(torch.cat([x.mean(dim=1) for x in channels], dim=-1))
