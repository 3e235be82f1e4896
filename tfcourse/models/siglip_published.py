"""El SigLIP publicado: sus dos torres, con la atención que resume la imagen."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.blocks import EncoderBlock, FeedForward, Residual
from tfcourse.models.clip import Siglip
from tfcourse.models.gpt import GPTConfig, tanh_gelu
from tfcourse.models.vit import ViT, ViTConfig, ViTNorm


class AttentionPooling(nn.Module):
    """Resumen por atención: un vector aprendido pregunta a todos y pasa por una red por posición.

    Fuente: Zhai et al. (2022), § 3.2.
    """

    def __init__(self, d_model: int, n_heads: int, d_hidden: int):
        super().__init__()
        self.question = nn.Parameter(torch.randn(d_model))
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.around = Residual(d_model, 0.0, norm_first=True, norm=ViTNorm)
        self.feed_forward = FeedForward(d_model, d_hidden, tanh_gelu)

    def forward(self, states: Float[Tensor, "B L D"]) -> Float[Tensor, "B D"]:
        """Un vector por imagen."""
        asked = self.question.expand(len(states), 1, -1)
        found = self.attention(asked, states, states)
        return self.around(found, self.feed_forward)[:, 0]

    def attention_maps(self, states: Float[Tensor, "B L D"]) -> Float[Tensor, "B H 1 L"]:
        """Pesos de cada cabeza al preguntar."""
        asked = self.question.expand(len(states), 1, -1)
        return self.attention.attention_maps(asked, states)


class SiglipImageTower(ViT):
    """La torre de imágenes: un ViT sin token de clase, que se resume preguntando."""

    def __init__(self, config: ViTConfig):
        super().__init__(config)
        self.head = nn.Identity()
        self.pooling = AttentionPooling(config.d_model, config.n_heads, config.d_hidden)
        for block in self.blocks:
            block.feed_forward.activation = tanh_gelu()

    def summary(self, states: Float[Tensor, "B L D"]) -> Float[Tensor, "B D"]:
        """El vector de la imagen."""
        return self.pooling(states)

    @torch.no_grad()
    def attention_maps(
        self, images: Float[Tensor, "B C height width"]
    ) -> list[Float[Tensor, "B H Lq Lk"]]:
        """Pesos de cada capa y, al final, a qué parches mira la pregunta."""
        states = self.encode(images)
        return [*super().attention_maps(images), self.pooling.attention_maps(states)]


class SiglipTextTower(nn.Module):
    """La torre de textos: un codificador Pre-LN en el que cada token mira a todos."""

    def __init__(self, config: GPTConfig):
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.n_tokens, config.d_model)
        self.positions = nn.Embedding(config.max_length, config.d_model)
        self.blocks = nn.ModuleList(
            EncoderBlock(
                config.d_model, config.n_heads, config.d_hidden or 4 * config.d_model,
                norm_first=True, activation=tanh_gelu,
            )
            for _ in range(config.n_layers)
        )  # fmt: skip
        self.closing_norm = ViTNorm(config.d_model)

    def forward(self, tokens: Int[Tensor, "B L"]) -> Float[Tensor, "B L D"]:
        """Un vector por token, también por los de relleno: así se entrenó."""
        x = self.embedding(tokens) + self.positions.weight[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.closing_norm(x)


class PublishedSiglip(Siglip):
    """SigLIP tal como se publicó: al texto lo resume su último token, que suele ser relleno.

    Los textos van rellenos hasta el largo con que se entrenó, 64 tokens. El factor que multiplica a
    los cosenos no tiene tope. Fuente: Zhai et al. (2023), § 3 y § 4.
    """

    def __init__(self, image_tower: SiglipImageTower, text_tower: SiglipTextTower, d_shared: int):
        width = text_tower.config.d_model
        super().__init__(image_tower, text_tower, width, d_shared)
        self.text_projection = nn.Linear(width, d_shared)

    @property
    def scale(self) -> Float[Tensor, ""]:
        """Por cuánto se multiplican los cosenos."""
        return self.log_scale.exp()

    def read(self, tokens: Int[Tensor, "B L"], lengths: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
        """Los vectores de unos textos, de longitud 1; el relleno también se lee."""
        return F.normalize(self.text_projection(self.text_tower(tokens)[:, -1]), dim=-1)
