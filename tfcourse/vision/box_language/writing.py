"""De escribir palabras a detectar: la pérdida de una secuencia y cómo se lee lo escrito."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from tfcourse.datasets.folders.detection_folders import BoxedImages
from tfcourse.datasets.folders.photo_folders import photos_in_order
from tfcourse.decoding import greedy
from tfcourse.layers.image.patch_head import patch_loss
from tfcourse.tokenizers.boxes import WORDS_PER_OBJECT, BoxVocabulary
from tfcourse.vision.detection.metrics import Found, joined


def soft_targets(vocabulary: BoxVocabulary, width: float) -> Float[Tensor, "V V"]:
    """Qué probabilidad se pide a cada palabra (columna) cuando la correcta es la de la fila.

    A una coordenada se le pide una campana de desviación `width` marcas: fallar por una marca no es
    como fallar por veinte. A las demás, y a todas si `width` es 0, un 1. Errores: `ValueError` si
    `width` es negativo.
    """
    if width < 0:
        raise ValueError(f"width={width}: la anchura de la campana no puede ser negativa")
    table, n_bins = torch.eye(len(vocabulary)), vocabulary.n_bins
    if width:
        bins = torch.arange(n_bins).float()
        bell = torch.exp(-((bins[:, None] - bins) ** 2) / (2 * width**2))
        table[:n_bins, :n_bins] = bell / bell.sum(1, keepdim=True)
    return table


def weighted_log_likelihood(
    logits: Float[Tensor, "*B V"],
    targets: Int[Tensor, "*B"],
    weights: Float[Tensor, "*B"],
    soft: Float[Tensor, "V V"],
) -> Float[Tensor, ""]:
    """Pérdida de Pix2Seq: −Σ ω_j log P(palabra j), dividida entre la suma de los pesos.

    Con `soft`, la tabla de `soft_targets`, en lugar de log P de la palabra va la media de los
    logaritmos con esas probabilidades. Fuente: Chen et al. (2022), ec. 1.
    Errores: `ValueError` si todos los pesos son cero.
    """
    if not weights.any():
        raise ValueError("todos los pesos son cero: no hay ninguna palabra que aprender")
    wanted = soft.to(logits)[targets]
    likelihood = (wanted * logits.log_softmax(dim=-1)).sum(-1)
    return -(weights * likelihood).sum() / weights.sum()


@dataclass(frozen=True)
class WritingLoss:
    """La pérdida, lista para `fit`: el lote es `(imágenes, lo leído, objetivos, pesos, mapa)`.

    `width` es la anchura de las coordenadas suaves. Con `eyes`, a la de las palabras se suma, con
    ese peso, la de colorear las casillas con el mapa de clases.
    """

    vocabulary: BoxVocabulary
    width: float = 1.0
    eyes: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "soft", soft_targets(self.vocabulary, self.width))

    def __call__(self, model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
        """La pérdida de un lote."""
        images, inputs, targets, weights = batch[:4]
        if not self.eyes:  # de una llamada: es la que `fit` pasa a bf16
            return self.words(model(images, inputs), targets, weights)
        memory = model.encode(images)
        loss = self.words(model.decode(inputs, memory), targets, weights)
        return loss + self.eyes * patch_loss(model.patches(memory), batch[4])

    def words(self, logits: Tensor, targets: Tensor, weights: Tensor) -> Float[Tensor, ""]:
        """La de las palabras."""
        return weighted_log_likelihood(logits, targets, weights, self.soft)


@dataclass
class Reading:
    """Lo que se saca de unas secuencias: las palabras y la confianza de cada objeto.

    Tras el fin, la confianza es 0 y las palabras no cuentan.
    """

    words: Int[Tensor, "B N 5"]
    scores: Float[Tensor, "B N"]

    def found(self, vocabulary: BoxVocabulary) -> Found:
        """En el formato de las medidas de detección."""
        boxes = vocabulary.decode_boxes(self.words)
        return Found(boxes, self.words[..., -1] - vocabulary.n_bins, self.scores)


def stop_as_word(logits: Float[Tensor, "B V"], vocabulary: BoxVocabulary) -> Bool[Tensor, "B"]:
    """Acabar si FIN es la palabra más probable, como haría cualquier modelo de lenguaje.

    Compite con cada coordenada por separado, y ellas se reparten la probabilidad entre todas.
    """
    allowed = vocabulary.allowed(0, stop=True).to(logits.device)
    return logits.masked_fill(~allowed, -torch.inf).argmax(-1) == vocabulary.stop_id


def stop_as_event(logits: Float[Tensor, "B V"], vocabulary: BoxVocabulary) -> Bool[Tensor, "B"]:
    """Acabar si FIN es más probable que seguir: la suma de todas las coordenadas."""
    allowed = vocabulary.allowed(0, stop=True).to(logits.device)
    return logits.masked_fill(~allowed, -torch.inf).softmax(-1)[:, vocabulary.stop_id] > 0.5


@torch.no_grad()
def write_objects(
    model: nn.Module,
    state,
    n_images: int,
    n_objects: int,
    *,
    stop: Callable | None = None,
    choose: Callable[[Float[Tensor, "B V"]], Int[Tensor, "B"]] = greedy,
) -> Reading:
    """Escribe hasta `n_objects` objetos por imagen; en cada lugar, solo palabras que caben en él.

    `choose` elige cada coordenada. `stop(logits, vocabulary)` dice qué imágenes se dan por acabadas
    al empezar un objeto; si lo están todas, se deja de escribir, y sin él se escriben todos. La
    clase es la más probable de las reales y su probabilidad, contando el ruido, es la confianza.
    Fuente: Chen et al. (2022), § 2.3.
    """
    vocabulary, device = model.vocabulary, model.words.weight.device
    word = torch.full((n_images, 1), vocabulary.start_id, device=device)
    done = torch.zeros(n_images, dtype=torch.bool, device=device)
    words = torch.zeros(n_images, n_objects, WORDS_PER_OBJECT, dtype=torch.long, device=device)
    words[..., -1] = vocabulary.n_bins  # lo que no se escribe: una caja vacía, sin confianza
    scores = torch.zeros(n_images, n_objects, device=device)
    for thing, place in itertools.product(range(n_objects), range(WORDS_PER_OBJECT)):
        logits, state = model.step(word, state)
        if place == 0 and stop is not None:
            done = done | stop(logits, vocabulary)
            if done.all():
                break
        if place == WORDS_PER_OBJECT - 1:
            score, chosen = best_class(logits, vocabulary)
            scores[:, thing] = score.masked_fill(done, 0.0)
        else:
            allowed = vocabulary.allowed(place).to(device)
            chosen = choose(logits.masked_fill(~allowed, -torch.inf))
        words[:, thing, place] = chosen
        word = chosen[:, None]
    return Reading(words, scores)


def best_class(
    logits: Float[Tensor, "B V"], vocabulary: BoxVocabulary
) -> tuple[Float[Tensor, "B"], Int[Tensor, "B"]]:
    """La clase real más probable, aunque «ruido» lo sea más, y su probabilidad."""
    chances = logits[:, vocabulary.n_bins : vocabulary.noise_id + 1].softmax(dim=-1)
    best = chances[:, :-1].max(dim=-1)
    return best.values, best.indices + vocabulary.n_bins


@torch.no_grad()
def read_photos(
    model: nn.Module, photos: BoxedImages, *, stop: Callable | None = None, batch_size: int = 128
) -> Found:
    """Lo que el modelo escribe de todas las fotos de un conjunto: los objetos que quepan.

    `stop`, como en `write_objects`.
    """
    device, parts = model.words.weight.device, []
    for images in photos_in_order(photos, batch_size):
        state, most = model.start(images.to(device)), model.config.max_objects
        found = write_objects(model, state, len(images), most, stop=stop).found(model.vocabulary)
        parts.append(Found(found.boxes.cpu(), found.classes.cpu(), found.scores.cpu()))
    return joined(parts)
