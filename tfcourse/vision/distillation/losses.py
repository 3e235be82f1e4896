"""Destilación: una red pequeña aprende de las etiquetas y de lo que contesta otra que ya sabe."""

from copy import deepcopy
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

UNKNOWN = -1  # etiqueta de una imagen de la que no se sabe la clase
KINDS = ("etiquetas", "dura", "blanda")
TEMPERATURE, SOFT_SHARE = 3.0, 0.1  # τ y λ de Touvron et al. (2021), § 5.1


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
    _copies: dict = field(default_factory=dict, repr=False, compare=False)

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
            answer = self.answer(images)
        if self.kind == "dura":
            return 0.5 * (known_loss(by_class, labels) + hard_distillation(by_teacher, answer))
        soft = soft_distillation(by_teacher, answer)
        return (1 - SOFT_SHARE) * known_loss(by_class, labels) + SOFT_SHARE * soft

    def answer(self, images: Tensor) -> Tensor:
        """Lo que dice el maestro, que responde en el dispositivo de las imágenes.

        Si vive en otro, responde una copia: él se queda donde estaba.
        """
        if next(self.teacher.parameters(), images).device != images.device:
            self._copies.setdefault(images.device, deepcopy(self.teacher).to(images.device))
        return self._copies.get(images.device, self.teacher)(images)


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
