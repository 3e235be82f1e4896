"""Destilación: una red pequeña aprende de las etiquetas y de lo que contesta otra que ya sabe."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.augmentation import image_batches
from tfcourse.datasets.digits import LabelledImages
from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.training import seed_everything
from tfcourse.vision_recipes import ImageRecipe

UNKNOWN = -1  # etiqueta de una imagen de la que no se sabe la clase
KINDS = ("etiquetas", "dura", "blanda")
TEMPERATURE, SOFT_SHARE = 3.0, 0.1  # τ y λ de Touvron et al. (2021), § 5.1
STUDENT = ImageRecipe(steps=250)


def hard_distillation(
    logits: Float[Tensor, "B K"], teacher: Float[Tensor, "B K"]
) -> Float[Tensor, ""]:
    """Destilación dura: la clase que elige el maestro hace de etiqueta.

    Fuente: Touvron et al. (2021), ec. 3.
    """
    return F.cross_entropy(logits, teacher.argmax(dim=-1))


def soft_distillation(
    logits: Float[Tensor, "B K"], teacher: Float[Tensor, "B K"], temperature: float = TEMPERATURE
) -> Float[Tensor, ""]:
    """Destilación blanda: acercarse a las probabilidades del maestro, suavizadas las dos por τ.

    τ² · KL(maestro ‖ aprendiz), en media por imagen; el factor deja los gradientes del tamaño de
    los de la entropía cruzada. Fuente: Hinton, Vinyals y Dean (2015), § 2; Touvron et al. (2021),
    ec. 2. Errores: `ValueError` si la temperatura no es positiva.
    """
    if temperature <= 0:
        raise ValueError(f"temperature={temperature}: tiene que ser mayor que 0, p. ej. 3.0")
    ours = (logits / temperature).log_softmax(dim=-1)
    theirs = (teacher / temperature).log_softmax(dim=-1)
    divergence = (theirs.exp() * (theirs - ours)).sum(dim=-1).mean()
    return temperature**2 * divergence


@dataclass(frozen=True)
class DistillationLoss:
    """Pérdida de un DeiT: el token de clase, con las etiquetas; el de destilación, con el maestro.

    El lote es `(imágenes, clases)`; donde la clase vale −1 no se sabe, y solo cuenta el maestro.
    Con `kind="etiquetas"` no hay maestro: los dos tokens aprenden de las etiquetas. En la dura las
    dos mitades pesan igual; en la blanda, la del maestro pesa `SOFT_SHARE`.
    Errores: `ValueError` si `kind` no se conoce o falta el maestro.
    """

    kind: str
    teacher: nn.Module | None = None

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"kind={self.kind!r}: usa {', '.join(KINDS)}")
        if self.kind != "etiquetas" and self.teacher is None:
            raise ValueError(f"kind={self.kind!r} necesita un maestro: pasa teacher=")

    def __call__(self, model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
        """Pérdida media del lote."""
        images, labels = batch
        by_class, by_teacher = both_answers(model, images)
        if self.kind == "etiquetas":
            return 0.5 * (known_loss(by_class, labels) + known_loss(by_teacher, labels))
        with torch.no_grad():
            answer = self.teacher.to(images.device)(images)
        if self.kind == "dura":
            return 0.5 * (known_loss(by_class, labels) + hard_distillation(by_teacher, answer))
        soft = soft_distillation(by_teacher, answer)
        return (1 - SOFT_SHARE) * known_loss(by_class, labels) + SOFT_SHARE * soft


def both_answers(model: nn.Module, images: Tensor) -> tuple[Tensor, Tensor]:
    """Los logits que aprenden de las etiquetas y los que aprenden del maestro.

    Un ViT sin token de destilación da los mismos para las dos cosas: la destilación clásica.
    """
    if hasattr(model, "both"):
        return model.both(images)
    logits = model(images)
    return logits, logits


def known_loss(logits: Tensor, labels: Tensor) -> Float[Tensor, ""]:
    """Entropía cruzada media de las imágenes cuya clase se sabe."""
    return F.cross_entropy(logits, labels, ignore_index=UNKNOWN)


def distillation_batches(
    labelled: LabelledImages, pool: Tensor | None, recipe: ImageRecipe, seed: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin: de imágenes con etiqueta o, si hay `pool`, mitad con ella y mitad sin ella."""
    size = recipe.batch_size if pool is None else recipe.batch_size // 2
    size = min(size, len(labelled))
    known = image_batches(labelled, size, moves=recipe.moves, seed=seed)
    if pool is None:
        yield from known
    unknown = LabelledImages(pool, torch.full((len(pool),), UNKNOWN))
    room = min(recipe.batch_size - size, len(pool))
    extra = image_batches(unknown, room, moves=recipe.moves, seed=seed + 1000)
    for (images, labels), (more, no_labels) in zip(known, extra, strict=False):
        yield torch.cat([images, more]), torch.cat([labels, no_labels])


def distilled(
    kind: str,
    labelled: LabelledImages,
    seed: int,
    *,
    teacher: nn.Module | None = None,
    pool: Tensor | None = None,
    recipe: ImageRecipe = STUDENT,
    token: bool = True,
    **options,
) -> ViT:
    """Construye y entrena un DeiT o, sin `token` de destilación, un ViT; queda en la CPU.

    `kind` es uno de `KINDS`; `pool` son imágenes sin etiqueta, que solo sirven si hay maestro;
    `options` cambia los tamaños. Errores: `ValueError` si se dan imágenes sin etiqueta y no hay
    quien las conteste.
    """
    if pool is not None and kind == "etiquetas":
        raise ValueError("sin maestro, las imágenes sin etiqueta no enseñan nada: quita pool")
    seed_everything(seed)
    sizes = {"n_classes": 10} | options
    model = DeiT(DeiTConfig(**sizes)) if token else ViT(ViTConfig(**sizes))
    loss = DistillationLoss(kind, None if teacher is None else teacher.eval())
    fit_with_muon(model, distillation_batches(labelled, pool, recipe, seed), loss, recipe)
    return model.cpu()
