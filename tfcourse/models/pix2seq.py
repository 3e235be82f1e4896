"""Pix2Seq: un modelo de lenguaje que lee una imagen y escribe sus cajas."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.layers.attention_maps import AttentionMaps
from tfcourse.layers.image.coordinate_waves import cell_centers, coordinate_waves
from tfcourse.layers.image.patch_head import PatchHead
from tfcourse.layers.positions import check_length
from tfcourse.layers.writing_block import WritingBlock, WritingBlocks, WritingState
from tfcourse.models.detr import DETRConfig, ImageEncoder
from tfcourse.tokenizers.boxes import WORDS_PER_OBJECT, BoxVocabulary

# Chen et al. (2022), § 3.1 y apéndice; «aula» es la del curso.
VARIANTS = {
    "aula": {"d_model": 96, "n_heads": 6, "n_encoder": 1, "n_decoder": 2, "d_hidden": 192},
    "base": {"d_model": 256, "n_heads": 8, "n_encoder": 6, "n_decoder": 6, "d_hidden": 1024},
}
WAVES = {"temperature": 16.0, "turns": 8.0}  # de una vuelta cada dos imágenes a ocho por imagen
SPREAD = 0.1  # desviación de los embeddings al empezar


@dataclass(frozen=True)
class Pix2SeqConfig:
    """Tamaños de Pix2Seq; `VARIANTS` tiene los del artículo y los del curso.

    `max_objects` es cuántos objetos caben en una secuencia, ruido incluido. Errores: `ValueError`
    si no cabe ninguno.
    """

    n_classes: int
    n_bins: int = 65
    max_objects: int = 8
    d_model: int = VARIANTS["aula"]["d_model"]
    n_heads: int = VARIANTS["aula"]["n_heads"]
    n_encoder: int = VARIANTS["aula"]["n_encoder"]
    n_decoder: int = VARIANTS["aula"]["n_decoder"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]

    def __post_init__(self):
        if self.max_objects < 1:
            raise ValueError(
                f"max_objects={self.max_objects}: en la secuencia tiene que caber algún objeto"
            )

    @property
    def vocabulary(self) -> BoxVocabulary:
        """Las palabras que escribe."""
        return BoxVocabulary(self.n_bins, self.n_classes)

    @property
    def max_length(self) -> int:
        """Cuántas palabras caben, con la de inicio y la de fin."""
        return WORDS_PER_OBJECT * self.max_objects + 2

    def encoder(self) -> ImageEncoder:
        """El que lee la imagen: el de DETR, con la posición sumada también a la entrada."""
        config = DETRConfig(
            self.n_classes,
            d_model=self.d_model,
            n_heads=self.n_heads,
            n_encoder=self.n_encoder,
            d_hidden=self.d_hidden,
            norm_first=True,
            place_content=True,
        )
        return ImageEncoder(config)


class Pix2Seq(nn.Module):
    """Pix2Seq: codificador de imágenes y decodificador autorregresivo de palabras.

    No hay consultas de objetos, ni cabeza de cajas, ni emparejamiento: solo el logit de la palabra
    siguiente. Fuente: Chen et al. (2022), § 2.2.
    """

    def __init__(self, config: Pix2SeqConfig):
        super().__init__()
        self.config, self.vocabulary = config, config.vocabulary
        self.encoder = config.encoder()
        self.words = nn.Embedding(len(self.vocabulary), config.d_model)
        self.places = nn.Embedding(config.max_length, config.d_model)
        size = (config.d_model, config.n_heads, config.d_hidden)
        self.decoder = WritingBlocks(WritingBlock(*size) for _ in range(config.n_decoder))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, len(self.vocabulary))
        self.patches = PatchHead(config.d_model, config.n_classes)  # solo sirve para entrenar
        self.initialize()

    @torch.no_grad()
    def initialize(self) -> None:
        """Embeddings pequeños; los de las coordenadas son ondas: marcas vecinas, vectores vecinos.

        Solo es el punto de partida: se aprenden como los demás.
        """
        for table in (self.words, self.places):
            nn.init.normal_(table.weight, std=SPREAD)
        bins = torch.linspace(0, 1, self.config.n_bins)[:, None]
        self.words.weight[: self.config.n_bins] = SPREAD * fine_waves(bins, self.config.d_model)

    def forward(
        self, images: Float[Tensor, "B 3 Y X"], words: Int[Tensor, "B K L"]
    ) -> Float[Tensor, "B K L V"]:
        """Logits de la palabra que sigue a cada una, en K secuencias por imagen."""
        return self.decode(words, self.encode(images))

    def encode(self, images: Float[Tensor, "B 3 Y X"]) -> Float[Tensor, "B Lk D"]:
        """Un vector por casilla, con su sitio sumado: al escribir hay que saber dónde está."""
        memory, grid = self.encoder(images)
        return memory + 0.5 * fine_waves(cell_centers(*grid), memory.shape[-1]).to(memory)

    def decode(
        self, words: Int[Tensor, "B K L"], memory: Float[Tensor, "B Lk D"]
    ) -> Float[Tensor, "B K L V"]:
        """Logits a partir de la imagen ya leída. Errores: `ValueError` si no caben las palabras."""
        x = self.decoder(self.embed(words.flatten(0, 1)), memory)
        return self.head(self.norm(x)).unflatten(0, words.shape[:2])

    def embed(self, words: Int[Tensor, "N L"], start: int = 0) -> Float[Tensor, "N L D"]:
        """Un vector por palabra: la que es y en qué lugar está."""
        end = start + words.shape[1]
        check_length(end, self.config.max_length)
        return self.words(words) + self.places.weight[start:end]

    def start(self, images: Float[Tensor, "B 3 Y X"]) -> WritingState:
        """Lee las imágenes y deja todo listo para escribir."""
        return self.start_from(self.encode(images))

    def start_from(self, memory: Float[Tensor, "B Lk D"]) -> WritingState:
        """Lo mismo, con las imágenes ya leídas."""
        return self.decoder.start(memory, self.config.max_length)

    def step(
        self, words: Int[Tensor, "B 1"], state: WritingState
    ) -> tuple[Float[Tensor, "B V"], WritingState]:
        """Un paso al escribir: lee una palabra y da los logits de la siguiente."""
        x = self.decoder.step(self.embed(words, state.cache.length), state)
        return self.head(self.norm(x))[:, -1], state

    @torch.no_grad()
    def attention_maps(
        self, images: Float[Tensor, "B 3 Y X"], words: Int[Tensor, "B K L"]
    ) -> AttentionMaps:
        """A qué mira cada casilla al leer, y cada palabra al elegir la siguiente, capa a capa.

        Al escribir, las K secuencias de cada imagen van seguidas: `(B · K, H, L, Lk)`.
        """
        writing = self.decoder.attention_maps(self.embed(words.flatten(0, 1)), self.encode(images))
        return AttentionMaps.gather(self.encoder.attention_maps(images), writing)


def fine_waves(coordinates: Float[Tensor, "*B K"], d_model: int) -> Float[Tensor, "*B D"]:
    """Ondas finas de una o varias coordenadas: distinguen dos marcas vecinas."""
    turned = WAVES["turns"] * coordinates
    return coordinate_waves(turned, d_model // coordinates.shape[-1], WAVES["temperature"])
