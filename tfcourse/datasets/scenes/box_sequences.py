"""Escenas escritas como secuencias: en qué orden van los objetos y qué ruido se les añade."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, SceneConfig, scene_batches
from tfcourse.tokenizers.boxes import WORDS_PER_OBJECT, BoxVocabulary, dequantize, quantize

ORDERS = ("azar", "tamaño", "sitio")
JITTER = 0.1  # cuánto se mueve, como mucho, cada borde de una copia


@dataclass(frozen=True)
class Writing:
    """Cómo se escribe una escena: en qué orden, con cuántos objetos de ruido y cuántas veces.

    `order` es «azar», «tamaño» (los mayores delante) o «sitio» (los más cercanos a la esquina de
    arriba a la izquierda). Con `n_noise`, tras los objetos van otros inventados, hasta
    `max_objects + n_noise` en total, y no hay símbolo de fin. `copies` es cuántas veces se escribe
    cada imagen, cada una en un orden: la imagen se lee una sola vez.
    Errores: `ValueError` si algo de eso no existe.
    """

    order: str = "azar"
    n_noise: int = 0
    copies: int = 1

    def __post_init__(self):
        if self.order not in ORDERS:
            raise ValueError(f"orden desconocido: {self.order!r}; usa {', '.join(ORDERS)}")
        if self.n_noise < 0 or self.copies < 1:
            raise ValueError(
                f"n_noise={self.n_noise} y copies={self.copies}: el ruido no puede ser negativo y "
                "cada imagen se escribe al menos una vez"
            )


class Written(NamedTuple):
    """Lo que se lee, lo que hay que predecir y cuánto pesa cada palabra, de K copias por imagen."""

    inputs: Int[Tensor, "B K L"]
    targets: Int[Tensor, "B K L"]
    weights: Float[Tensor, "B K L"]


def write_scenes(
    boxes: Float[Tensor, "B M 4"],
    classes: Int[Tensor, "B M"],
    counts: Int[Tensor, "B"],
    vocabulary: BoxVocabulary,
    generator: torch.Generator,
    writing: Writing = Writing(),
) -> Written:
    """Escribe cada escena: los objetos en orden y, detrás, el fin o los objetos de ruido.

    Fuente: Chen et al. (2022), § 2.1 y 2.3.
    """
    n_images, max_objects = classes.shape
    rank = order_keys(boxes, writing, generator)
    present = (torch.arange(max_objects) < counts[:, None])[:, None].expand_as(rank)
    order = rank.masked_fill(~present, torch.inf).argsort(dim=-1)
    present = present.gather(-1, order).flatten(0, 1)
    words = vocabulary.encode(boxes, classes)[:, None].expand(-1, writing.copies, -1, -1)
    words = words.gather(2, order[..., None].expand_as(words)).flatten(0, 1)
    if writing.n_noise:
        written = _with_noise(words, present, vocabulary, generator, writing.n_noise)
    else:
        written = _with_stop(words, present, vocabulary)
    return Written(*(part.unflatten(0, (n_images, writing.copies)) for part in written))


def order_keys(boxes: Float[Tensor, "B M 4"], writing: Writing, generator) -> Tensor:
    """Por qué número se ordenan los objetos de cada copia, de menor a mayor."""
    shape = (len(boxes), writing.copies, boxes.shape[1])
    if writing.order == "azar":
        return torch.rand(shape, generator=generator)
    areas, distances = -boxes[..., 2:].prod(-1), boxes[..., :2].square().sum(-1)
    return (areas if writing.order == "tamaño" else distances)[:, None].expand(shape)


def noise_objects(
    words: Int[Tensor, "N M 5"],
    present: Bool[Tensor, "N M"],
    vocabulary: BoxVocabulary,
    generator: torch.Generator,
    n_total: int,
) -> Int[Tensor, "N T 5"]:
    """Objetos inventados: la mitad, copias movidas de uno real; la otra mitad, cajas al azar.

    La clase también es al azar. Fuente: Chen et al. (2022), § 2.3 y fig. 5.
    """
    many = (len(words), n_total)
    side = 0.1 + 0.4 * torch.rand(*many, 2, generator=generator)
    corner = (1 - side) * torch.rand(*many, 2, generator=generator)
    random_boxes = torch.cat([corner, corner + side], dim=-1)
    which = (torch.rand(many, generator=generator) * present.sum(1, keepdim=True)).long()
    copies = words[..., :4].gather(1, which[..., None].expand(*many, 4))
    real = dequantize(copies, vocabulary.n_bins)
    moved = real + JITTER * (2 * torch.rand(*many, 4, generator=generator) - 1)
    copied = (torch.rand(many, generator=generator) < 0.5) & present.any(1, keepdim=True)
    chosen = torch.where(copied[..., None], moved, random_boxes)
    kinds = torch.randint(vocabulary.n_classes, (*many, 1), generator=generator)
    bins = quantize(chosen, vocabulary.n_bins)
    return torch.cat([bins, kinds + vocabulary.n_bins], dim=-1)


def _with_stop(words, present, vocabulary: BoxVocabulary) -> Written:
    """INICIO, los objetos, FIN y relleno. El relleno no cuenta."""
    n_rows, n_words = len(words), WORDS_PER_OBJECT * words.shape[1]
    text = torch.full((n_rows, n_words + 2), vocabulary.pad_id)
    text[:, 0] = vocabulary.start_id
    text[:, 1:-1] = words.masked_fill(~present[..., None], vocabulary.pad_id).flatten(1)
    text[torch.arange(n_rows), 1 + WORDS_PER_OBJECT * present.sum(1)] = vocabulary.stop_id
    inputs, targets = text[:, :-1], text[:, 1:]
    return Written(inputs, targets, (targets != vocabulary.pad_id).float())


def _with_noise(words, present, vocabulary: BoxVocabulary, generator, n_noise: int) -> Written:
    """INICIO, los objetos y el ruido, siempre la misma longitud.

    Del ruido se predice que lo es; sus coordenadas no cuentan.
    """
    n_total = words.shape[1] + n_noise
    fake = noise_objects(words, present, vocabulary, generator, n_total)
    real = torch.cat([present, present.new_zeros(len(words), n_noise)], dim=1)
    read = torch.where(real[..., None], torch.cat([words, fake[:, words.shape[1] :]], dim=1), fake)
    targets, weights = read.clone(), torch.ones(read.shape)
    targets[..., -1] = read[..., -1].where(real, torch.tensor(vocabulary.noise_id))
    weights[..., :-1] = real[..., None].float()
    start = torch.full((len(words), 1), vocabulary.start_id)
    inputs = torch.cat([start, read.flatten(1)[:, :-1]], dim=1)
    return Written(inputs, targets.flatten(1), weights.flatten(1))


def sequence_batches(
    batch_size: int,
    seed: int,
    vocabulary: BoxVocabulary,
    writing: Writing = Writing(),
    scenes: SceneConfig = SHAPE_SCENES,
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin `(imágenes, lo leído, objetivos, pesos, mapa de clases)`, listos para `fit`."""
    generator = torch.Generator().manual_seed(seed)
    for batch in scene_batches(batch_size, seed, scenes):
        written = write_scenes(
            batch.boxes, batch.classes, batch.counts, vocabulary, generator, writing
        )
        yield (batch.images, *written, batch.semantic)
