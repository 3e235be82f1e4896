"""word2vec: vectores de palabras que se aprenden prediciendo a las vecinas."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn


class SkipGram(nn.Module):
    """Skip-gram: dos tablas; la palabra del centro debe parecerse a sus vecinas y no a otras.

    `centre` guarda los vectores que se usan después; `context`, los de cada palabra cuando hace de
    vecina. Fuente: Mikolov et al. (2013b), § 2.2.
    """

    def __init__(self, n_words: int, d_embedding: int):
        super().__init__()
        self.centre = nn.Embedding(n_words, d_embedding)
        self.context = nn.Embedding(n_words, d_embedding)
        nn.init.uniform_(self.centre.weight, -0.5 / d_embedding, 0.5 / d_embedding)
        nn.init.zeros_(self.context.weight)

    def embed(self, words: Int[Tensor, "B"]) -> Float[Tensor, "B D"]:
        """Vectores de unas palabras."""
        return self.centre(words)

    def forward(
        self,
        words: Int[Tensor, "B"],
        neighbours: Int[Tensor, "B"],
        negatives: Int[Tensor, "K"],
    ) -> tuple[Float[Tensor, "B"], Float[Tensor, "B K"]]:
        """Puntajes de cada centro con su vecina y con las K negativas, comunes a todo el lote."""
        centre = self.embed(words)
        positive = (centre * self.context(neighbours)).sum(-1)
        return positive, centre @ self.context(negatives).T

    @torch.no_grad()
    def vectors(self) -> Float[Tensor, "V D"]:
        """Los vectores de todas las palabras."""
        everyone = torch.arange(self.context.num_embeddings, device=self.context.weight.device)
        return self.embed(everyone)


def negative_sampling_loss(
    model: SkipGram, batch: tuple[Tensor, Tensor, Tensor], n_negatives: float = 5.0
) -> Float[Tensor, ""]:
    """Pérdida con muestras negativas: −log σ(u·v) − k E[log σ(−u′·v)], de media en el lote.

    La esperanza se estima con las negativas del lote, sean las que sean; `n_negatives` es la k.
    Fuente: Mikolov et al. (2013b), ec. 4.
    """
    positive, negative = model(*batch)
    noise = F.logsigmoid(-negative).mean(dim=-1)
    return -(F.logsigmoid(positive) + n_negatives * noise).mean()
