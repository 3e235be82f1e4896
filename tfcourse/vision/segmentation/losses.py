"""Pérdida de máscaras: emparejar segmentos, y castigar la clase y la máscara de cada pareja."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.scenes.segments import SegmentedImages
from tfcourse.layers.image.coordinate_waves import cell_centers
from tfcourse.losses.matching import match
from tfcourse.models.segmentation import Segments
from tfcourse.training.processes import share_of_the_mean
from tfcourse.vision.detection.losses import varifocal_loss

# Para elegir pareja basta con mirar unos pocos puntos: Cheng et al. (2022), § 3.3, los sortean.
MATCH_EVERY = 3


@dataclass(frozen=True)
class MaskWeights:
    """Cuánto pesa cada término en el coste y en la pérdida.

    Cheng et al. (2022), § 4.1, usan 2, 5 y 5. En una red tan pequeña la máscara se aprende antes
    que la clase y la ahoga: aquí pesan 4, 2 y 2. `place` solo cuenta en el coste: de un segmento
    responde la consulta que nació cerca de su centro.
    """

    classes: float = 4.0
    points: float = 2.0
    dice: float = 2.0
    place: float = 5.0


def dice_loss(logits: Float[Tensor, "K P"], target: Float[Tensor, "K P"]) -> Float[Tensor, "K"]:
    """Pérdida Dice de K máscaras: 1 − 2 · lo común / lo que ocupan las dos, con probabilidades.

    No le importa cuánto ocupa el segmento. El 1 sumado arriba y abajo evita dividir entre cero.
    Fuente: Milletari et al. (2016), § 3.
    """
    chance = logits.sigmoid()
    common = 2 * (chance * target).sum(-1)
    return 1 - (common + 1) / (chance.sum(-1) + target.sum(-1) + 1)


def mask_costs(
    probabilities: Float[Tensor, "B N C"],
    logits: Float[Tensor, "B N P"],
    true_classes: Tensor,
    targets: Float[Tensor, "B M P"],
    weights: MaskWeights = MaskWeights(),
) -> Float[Tensor, "B N M"]:
    """Coste de dar cada predicción a cada segmento: −p̂(clase) + entropía por punto + Dice.

    De todas con todas sin formar un tensor (B, N, M, P): cada cruce es un producto de matrices.
    Fuente: Cheng et al. (2022), § 4.1.
    """
    likely = probabilities.gather(2, true_classes[:, None].expand(-1, logits.shape[1], -1))
    target = targets.transpose(1, 2)
    # La entropía de un sí o no, con el logit x y el blanco t, es softplus(x) − x t.
    points = (F.softplus(logits).sum(-1)[:, :, None] - logits @ target) / logits.shape[-1]
    chance = logits.sigmoid()
    sizes = chance.sum(-1)[:, :, None] + targets.sum(-1)[:, None]
    dice = 1 - (2 * chance @ target + 1) / (sizes + 1)
    return -weights.classes * likely + weights.points * points + weights.dice * dice


def mask_iou(logits: Float[Tensor, "K P"], target: Float[Tensor, "K P"]) -> Float[Tensor, "K"]:
    """IoU de cada máscara, ya redondeada, con la suya."""
    ours, true = logits > 0, target > 0.5
    share = (ours & true).sum(-1) / (ours | true).sum(-1).clamp(min=1)
    return share.to(logits.dtype)


def shrink(masks: Tensor, size: tuple[int, int]) -> Float[Tensor, "B M P"]:
    """Las máscaras al tamaño de las predichas, aplanadas: qué parte de cada casilla ocupan."""
    return F.adaptive_avg_pool2d(masks.float(), size).flatten(2)


def mass_centers(targets: Float[Tensor, "B M P"], grid: tuple[int, int]) -> Float[Tensor, "B M 2"]:
    """El centro de masas (x, y) de cada máscara, en partes de la imagen; vacía, la esquina."""
    cells = cell_centers(*grid).to(targets)
    return targets @ cells / targets.sum(-1, keepdim=True).clamp(min=1e-6)


@dataclass(frozen=True)
class MaskLoss:
    """La pérdida de conjuntos del detector, con máscaras en el sitio de las cajas.

    Se usa en `fit`, con lotes de `SegmentedImages`. Con `auxiliary`, cada capa responde por su
    lado. Fuente: Cheng et al. (2021), § 3.2, y (2022), § 4.1; la clase, de Zhang et al. (2021).
    """

    class_loss: Callable = varifocal_loss
    weights: MaskWeights = MaskWeights()
    auxiliary: bool = True

    def __call__(self, model: nn.Module, batch: SegmentedImages) -> Float[Tensor, ""]:
        """La pérdida de un lote."""
        return self.with_terms(model, batch)[0]

    def with_terms(self, model: nn.Module, batch: SegmentedImages) -> tuple[Tensor, dict]:
        """La pérdida de un lote y, sin sus pesos, los términos de la última capa."""
        layers = model(batch.images)
        kept = layers if self.auxiliary else layers[-1:]
        targets = shrink(batch.masks, layers[-1].masks.shape[-2:])
        terms = [self.layer_terms(layer, targets, batch.classes, batch.counts) for layer in kept]
        return sum(self.weigh(layer) for layer in terms), terms[-1]

    def layer_loss(self, found: Segments, targets, classes, counts) -> Float[Tensor, ""]:
        """La pérdida de lo que predice una capa."""
        return self.weigh(self.layer_terms(found, targets, classes, counts))

    def weigh(self, terms: dict[str, Tensor]) -> Float[Tensor, ""]:
        """La suma de los términos, cada uno con su peso."""
        weights = self.weights
        named = weights.classes * terms["clase"], weights.points * terms["puntos"]
        return named[0] + named[1] + weights.dice * terms["Dice"]

    def layer_terms(self, found: Segments, targets, classes, counts) -> dict[str, Tensor]:
        """Los términos de la pérdida de lo que predice una capa, sin sus pesos."""
        logits = found.masks.flatten(2)
        with torch.no_grad():
            probabilities = found.logits.sigmoid()
            few, some = logits[..., ::MATCH_EVERY], targets[..., ::MATCH_EVERY]
            costs = mask_costs(probabilities, few, classes, some, self.weights)
            if found.places is not None:
                centers = mass_centers(targets, found.masks.shape[-2:])
                costs = costs + self.weights.place * torch.cdist(found.places, centers, p=1)
            image, query, thing = match(costs, counts)
        ours, true = logits[image, query], targets[image, thing]
        mine = share_of_the_mean(len(thing))  # con varios procesos, por los segmentos de todos
        points = F.binary_cross_entropy_with_logits(ours, true) * mine
        dice = dice_loss(ours, true).mean() * mine
        quality = mask_iou(ours, true)
        labels = classes[image, thing]
        class_loss = self.class_loss(found.logits, image, query, labels, quality)
        return {"clase": class_loss, "puntos": points, "Dice": dice}


def pixel_loss(model: nn.Module, batch: SegmentedImages) -> Float[Tensor, ""]:
    """Pérdida de quien segmenta píxel a píxel: la entropía cruzada, en cada punto."""
    return F.cross_entropy(model(batch.images), batch.semantic)
