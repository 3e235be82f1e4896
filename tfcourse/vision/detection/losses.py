"""Pérdida de conjuntos: emparejar, y después castigar clase y caja de cada pareja."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.geometry.boxes import giou, iou, to_corners
from tfcourse.losses.matching import match
from tfcourse.training.processes import mean_over_processes, share_of_the_mean

NO_OBJECT_WEIGHT = 0.1  # Carion et al. (2020), § 3.1: casi todas las consultas no tienen objeto


@dataclass(frozen=True)
class BoxWeights:
    """Cuánto pesa cada término en el coste y en la pérdida. Carion et al. (2020), apéndice A.4."""

    classes: float = 1.0
    l1: float = 5.0
    giou: float = 2.0


def matching_costs(
    probabilities: Float[Tensor, "B N C"],
    boxes: Float[Tensor, "B N 4"],
    true_classes: Int[Tensor, "B M"],
    true_boxes: Float[Tensor, "B M 4"],
    weights: BoxWeights = BoxWeights(),
) -> Float[Tensor, "B N M"]:
    """Coste de dar cada predicción a cada objeto: −p̂(clase) + L1 − GIoU, con sus pesos.

    Sin logaritmo: así la clase y la caja se miden en cantidades parecidas.
    Fuente: Carion et al. (2020), § 3.1 y ec. 9.
    """
    n_queries = boxes.shape[1]
    likely = probabilities.gather(2, true_classes[:, None].expand(-1, n_queries, -1))
    distance = torch.cdist(boxes, true_boxes, p=1)
    alike = giou(to_corners(boxes), to_corners(true_boxes))
    return -weights.classes * likely + weights.l1 * distance - weights.giou * alike


def set_cross_entropy(logits, image, query, labels, quality) -> Float[Tensor, ""]:
    """Entropía cruzada con la clase «sin objeto», que pesa menos, en las consultas sin pareja.

    Fuente: Carion et al. (2020), ec. 2. No usa `quality`.
    """
    nothing = logits.shape[-1] - 1
    target = torch.full(logits.shape[:2], nothing, device=logits.device)
    target[image, query] = labels
    weight = torch.ones(nothing + 1, device=logits.device, dtype=logits.dtype)
    weight[nothing] = NO_OBJECT_WEIGHT
    mean = F.cross_entropy(logits.transpose(1, 2), target, weight)
    return mean * share_of_the_mean(weight[target].sum())


def varifocal_loss(logits, image, query, labels, quality) -> Float[Tensor, ""]:
    """Pérdida varifocal: un sí o no por clase; el sí vale lo que se parece la caja, no 1.

    Los noes fáciles apenas cuentan: se multiplican por p². Por objeto del lote, con los de todos
    los procesos.
    Fuente: Zhang et al. (2021), ec. 2.
    """
    target = torch.zeros_like(logits)
    target[image, query, labels] = quality
    probability = logits.detach().sigmoid()
    weight = torch.where(target > 0, target, 0.75 * probability.square())
    losses = F.binary_cross_entropy_with_logits(logits, target, weight, reduction="sum")
    return losses / max(1, mean_over_processes(len(labels)))


def softmax_scores(logits: Float[Tensor, "B N C"]) -> Float[Tensor, "B N _"]:
    """Probabilidad de cada clase, sin la última, que es «sin objeto»."""
    return logits.softmax(-1)[..., :-1]


@dataclass(frozen=True)
class SetLoss:
    """Pérdida húngara: L(σ̂) = clase + λ_L1 ‖b − b̂‖₁ + λ_GIoU (1 − GIoU), por objeto.

    `scores` pasa de logits a probabilidades, y `class_loss` castiga las clases ya emparejadas. Con
    `auxiliary`, cada capa responde por su lado y se suman. Se usa en `fit`, con lotes que
    tengan `images`, `boxes`, `classes` y `counts`. Con varios procesos, se divide entre los objetos
    de todos. Fuente: Carion et al. (2020), ec. 1 y 2, y § 3.2.
    """

    class_loss: Callable = set_cross_entropy
    scores: Callable = softmax_scores
    weights: BoxWeights = BoxWeights()
    auxiliary: bool = True

    def __call__(self, model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
        """La pérdida de un lote."""
        return self.with_terms(model, batch)[0]

    def with_terms(self, model: nn.Module, batch: tuple) -> tuple[Tensor, dict[str, Tensor]]:
        """La pérdida de un lote y, sin sus pesos, los términos de la última capa."""
        layers = model(batch.images)
        kept = layers if self.auxiliary else layers[-1:]
        target = batch.boxes, batch.classes, batch.counts
        terms = [self.layer_terms(layer, *target) for layer in kept]
        return sum(self.weigh(layer) for layer in terms), terms[-1]

    def layer_loss(self, found, boxes, classes, counts) -> Float[Tensor, ""]:
        """La pérdida de lo que predice una capa."""
        return self.weigh(self.layer_terms(found, boxes, classes, counts))

    def weigh(self, terms: dict[str, Tensor]) -> Float[Tensor, ""]:
        """La suma de los términos, cada uno con su peso."""
        classes = self.weights.classes * terms["clase"]
        return classes + self.weights.l1 * terms["L1"] + self.weights.giou * terms["GIoU"]

    def layer_terms(self, found, boxes, classes, counts) -> dict[str, Tensor]:
        """Los términos de la pérdida de lo que predice una capa, sin sus pesos."""
        with torch.no_grad():
            probabilities = self.scores(found.logits)
            costs = matching_costs(probabilities, found.boxes, classes, boxes, self.weights)
            image, query, thing = match(costs, counts)
        ours, true = found.boxes[image, query], boxes[image, thing]
        corners = to_corners(ours)[:, None], to_corners(true)[:, None]
        n_objects = max(1, mean_over_processes(len(thing)))
        l1 = (ours - true).abs().sum() / n_objects
        shape = (1 - giou(*corners)).sum() / n_objects
        quality = iou(*corners)[:, 0, 0].detach()
        labels = classes[image, thing]
        class_loss = self.class_loss(found.logits, image, query, labels, quality)
        return {"clase": class_loss, "L1": l1, "GIoU": shape}


# La de DETR, y la de las consultas con ancla: sin clase «sin objeto».
DETR_LOSS = SetLoss()
YES_OR_NO_LOSS = SetLoss(varifocal_loss, torch.sigmoid, BoxWeights(classes=2.0))
