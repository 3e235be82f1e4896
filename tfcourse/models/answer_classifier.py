"""El especialista: mira la imagen según la pregunta y elige entre unas respuestas fijas."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.blocks import FeedForward
from tfcourse.models.vit import ViT


class AnswerClassifier(nn.Module):
    """Clasificador de respuestas: la pregunta mira a los parches, y una red elige la respuesta.

    La pregunta es la media de sus palabras, sin orden, y lo que mira se le suma. A cada parche se
    le suma su posición, que se aprende: la atención no distingue el orden de los parches. No sabe
    escribir: solo elige una de las `n_answers` que conoce.
    Fuente de la idea: Antol et al. (2015), § 5.
    """

    def __init__(
        self, tower: ViT, n_words: int, n_answers: int, d_model: int = 64, n_heads: int = 4
    ):
        super().__init__()
        self.tower = tower
        self.embedding = nn.Embedding(n_words, d_model, padding_idx=0)
        self.bridge = nn.Linear(tower.config.d_model, d_model)
        rows, columns = tower.config.grid
        self.positions = nn.Parameter(torch.empty(rows * columns, d_model))
        nn.init.normal_(self.positions, std=0.02)
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, 4 * d_model, nn.GELU)
        self.output = nn.Linear(d_model, n_answers)

    def asked(self, words: Int[Tensor, "B L"]) -> Float[Tensor, "B 1 D"]:
        """El vector de cada pregunta: la media de sus palabras, sin el relleno, que es el 0."""
        many = (words != 0).sum(dim=1, keepdim=True).clamp(min=1)
        return (self.embedding(words).sum(dim=1) / many)[:, None]

    def seen(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B N D"]:
        """Lo que se mira: un vector por parche, con su posición."""
        return self.bridge(self.tower.encode(images)) + self.positions

    def forward(
        self, words: Int[Tensor, "B L"], images: Float[Tensor, "B C H W"]
    ) -> Float[Tensor, "B K"]:
        """Logits de cada respuesta."""
        states, question = self.seen(images), self.asked(words)
        x = question + self.attention(question, states, states)
        return self.output((x + self.feed_forward(x))[:, 0])

    @torch.no_grad()
    def attention_maps(
        self, words: Int[Tensor, "B L"], images: Float[Tensor, "B C height width"]
    ) -> list[Float[Tensor, "B H Lq Lk"]]:
        """Pesos de cada capa de la torre y, al final, a qué parches mira cada pregunta."""
        own = self.attention.attention_maps(self.asked(words), self.seen(images))
        return [*self.tower.attention_maps(images), own]
