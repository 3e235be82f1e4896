"""Un modelo de lenguaje que lee imágenes: torre, proyector y GPT, con la forma de LLaVA."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import maps_by_layer
from tfcourse.layers.cache import KVCache
from tfcourse.layers.image.pixel_shuffle import Projector
from tfcourse.layers.positions import check_length
from tfcourse.models.gpt import GPT
from tfcourse.models.modern import ModernLM
from tfcourse.models.vit import ViT


class VisionLanguage(nn.Module):
    """Modelo de visión y lenguaje: donde la frase dice `image_id` va un trozo de la imagen.

    La torre da un vector por parche, el proyector los junta y les da el ancho del modelo de
    lenguaje, y ahí se leen como si fueran palabras. La torre no lleva token de clase.
    Fuentes: Liu et al. (2023), § 4.1; la mezcla por sus marcas, Wiedmann et al. (2025).
    """

    def __init__(
        self,
        tower: ViT,
        language: GPT | ModernLM,
        image_id: int,
        factor: int = 1,
        d_hidden: int | None = None,
    ):
        super().__init__()
        self.tower, self.language, self.image_id = tower, language, image_id
        self.projector = Projector(tower.config.d_model, language.config.d_model, factor, d_hidden)

    @property
    def n_image(self) -> int:
        """Cuántos tokens ocupa una imagen."""
        rows, columns = self.tower.config.grid
        return rows * columns // self.projector.factor**2

    def look(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B N D"]:
        """Los tokens de unas imágenes, ya con el ancho del modelo de lenguaje."""
        return self.projector(self.tower.encode(images))

    def forward(
        self, tokens: Int[Tensor, "B L"], images: Float[Tensor, "B C H W"] | None = None
    ) -> Float[Tensor, "B L V"]:
        """Logits del token que sigue a cada posición; sin imágenes, los del modelo de lenguaje.

        Errores: los de `merge`.
        """
        return self.read(self.embed(tokens, images))

    def embed(
        self, tokens: Int[Tensor, "B L"], images: Float[Tensor, "B C H W"] | None = None
    ) -> Float[Tensor, "B L D"]:
        """Un vector por token: el de la tabla o, en las marcas, el que viene de la imagen."""
        x = self.language.embedding(tokens)
        is_image = tokens == self.image_id
        if images is not None or is_image.any():
            seen = x.new_zeros(len(x), 0, x.shape[-1]) if images is None else self.look(images)
            x = merge(x, is_image, seen)
        if self.language.positions is not None:
            check_length(x.shape[1], self.language.config.max_length)
            x = x + self.language.positions.weight[: x.shape[1]]
        return x

    def read(self, x: Float[Tensor, "B L D"], cache: KVCache | None = None) -> Tensor:
        """Lo que el modelo de lenguaje saca de unos vectores, vengan de donde vengan."""
        language = self.language
        for depth, block in enumerate(language.blocks):
            x = block(x, None if cache is None else cache.layers[depth])
        x, head = language.closing_norm(x), getattr(language, "head", None)
        return x @ language.embedding.weight.T if head is None else head(x)

    def start(
        self, prompt: Int[Tensor, "B L"], images: Float[Tensor, "B C H W"] | None = None
    ) -> KVCache:
        """Lee la imagen y el comienzo de una vez; después se escribe con `language.step`."""
        cache = KVCache(self.language.config.n_layers, self.language.config.max_length)
        self.read(self.embed(prompt, images), cache)
        return cache

    @torch.no_grad()
    def attention_maps(
        self,
        tokens: Int[Tensor, "B L"],
        images: Float[Tensor, "B C height width"] | None = None,
    ) -> list[Float[Tensor, "B H Lq Lk"]]:
        """Pesos de cada capa y cabeza, recalculados: si hay imagen, los de la torre van delante."""
        seen = [] if images is None else self.tower.attention_maps(images)
        return seen + maps_by_layer(self.language.blocks, self.embed(tokens, images))


def merge(
    x: Float[Tensor, "B L D"], is_image: Bool[Tensor, "B L"], seen: Float[Tensor, "B N D"]
) -> Float[Tensor, "B L D"]:
    """Mezcla: en cada fila, los N vectores de la imagen sustituyen, en orden, a sus N marcas.

    Errores: `ValueError` si alguna fila no tiene tantas marcas como vectores.
    """
    counts = is_image.sum(dim=1)
    if (counts != seen.shape[1]).any():
        raise ValueError(
            f"una frase tiene {int(counts[counts != seen.shape[1]][0])} marcas de imagen y la "
            f"imagen da {seen.shape[1]} tokens: pon tantas marcas como tokens"
        )
    return x.masked_scatter(is_image[..., None], seen.to(x.dtype))
