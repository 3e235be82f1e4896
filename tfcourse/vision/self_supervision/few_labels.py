"""Cuánto sirve lo aprendido sin etiquetas: vecinos, una sonda lineal y seguir entrenando."""

from collections.abc import Callable
from copy import deepcopy

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.models.vit_published import ViTEncoder

Features = Callable[[Tensor], Tensor]
# El codificador de todos los que se comparan: el de aula con dos capas y las posiciones de MAE.
ENCODER = {"positions": "senos 2D", "n_layers": 2}


def pixels(images: Float[Tensor, "N C H W"]) -> Float[Tensor, "N P"]:
    """Los píxeles, tal cual: lo que tiene quien no ha aprendido nada."""
    return images.flatten(1)


def features_of(
    encoder: ViTEncoder, what: str = "clase y media", prepare: Features = lambda images: images
) -> Features:
    """Una función de imágenes a rasgos, con el codificador quieto.

    `what` es «clase», el token de clase; «media», la de los parches, o «clase y media», los dos.
    `prepare` es lo que se le hace a las imágenes antes de leerlas.
    Errores: `ValueError` si no se conoce.
    """
    kinds = ("clase", "media", "clase y media")
    if what not in kinds:
        raise ValueError(f"no hay rasgos {what!r}: usa {', '.join(kinds)}")
    n_patches = encoder.config.grid[0] * encoder.config.grid[1]

    @torch.no_grad()
    def features(images):
        encoder.eval()
        states = torch.cat([encoder(prepare(part)) for part in images.split(500)])
        parts = {"clase": states[:, 0], "media": states[:, -n_patches:].mean(1)}
        return torch.cat([parts[name] for name in kinds[:2] if name in what], dim=1)

    return features


def neighbour_guesses(
    known: Float[Tensor, "N D"],
    labels: Int[Tensor, " N"],
    asked: Float[Tensor, "M D"],
    k: int = 5,
) -> Int[Tensor, " M"]:
    """La clase que más votan los `k` vecinos con mayor coseno; cada voto pesa según su parecido.

    Con menos de `k` ejemplos votan todos. El peso es exp(coseno / 0,07).
    Fuente: Wu et al. (2018), § 3.4. Errores: `ValueError` si no hay ejemplos o `k` no es positivo.
    """
    if k < 1 or not len(known):
        raise ValueError(f"k={k} vecinos de {len(known)} ejemplos: hace falta al menos uno")
    cosine = F.normalize(asked, dim=-1) @ F.normalize(known, dim=-1).T
    near, which = cosine.topk(min(k, len(known)))
    votes = torch.zeros(len(asked), int(labels.max()) + 1, device=asked.device, dtype=near.dtype)
    return votes.scatter_add(1, labels[which], (near / 0.07).exp()).argmax(1)


def linear_probe(
    known: Float[Tensor, "N D"], labels: Int[Tensor, " N"], decay: float = 1e-3, steps: int = 60
) -> Callable[[Tensor], Tensor]:
    """Sonda lineal: una capa que clasifica los rasgos, aprendida hasta el final con L-BFGS.

    Los rasgos se centran y se escalan con los conocidos; `decay` castiga los pesos grandes.
    Devuelve una función de rasgos `(M, D)` a logits `(M, K)`.
    """
    mean, scale = known.mean(0), known.std(0, correction=0) + 1e-3
    x = (known - mean) / scale
    n_classes = int(labels.max()) + 1
    weight = torch.zeros(n_classes, x.shape[1], device=x.device, requires_grad=True)
    bias = torch.zeros(n_classes, device=x.device, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=steps, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(F.linear(x, weight, bias), labels) + decay * weight.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    weight, bias = weight.detach(), bias.detach()
    return lambda asked: F.linear((asked - mean) / scale, weight, bias)


def probe_accuracy(features: Features, known: LabelledImages, test: LabelledImages) -> float:
    """Acierto de una sonda lineal sobre esos rasgos."""
    probe = linear_probe(features(known.images), known.labels)
    return accuracy(probe(features(test.images)).argmax(1), test.labels)


def neighbour_accuracy(
    features: Features, known: LabelledImages, test: LabelledImages, k: int = 5
) -> float:
    """Acierto de los `k` vecinos más parecidos, con esos rasgos."""
    asked = features(test.images)
    return accuracy(neighbour_guesses(features(known.images), known.labels, asked, k), test.labels)


def few_label_score(features: Features, per_class: int = 5) -> dict[str, float]:
    """Acierto con las cifras reservadas y esas etiquetas de cada clase: vecinos y sonda."""
    known, test = split_digits()
    few = few_per_class(known, per_class)
    return {
        "acierto de los vecinos": neighbour_accuracy(features, few, test),
        "acierto de la sonda": probe_accuracy(features, few, test),
    }


def accuracy(guesses: Int[Tensor, " N"], labels: Int[Tensor, " N"]) -> float:
    """Parte de aciertos."""
    return float((guesses == labels).float().mean())


class Tuned(nn.Module):
    """Un codificador ya aprendido, con una capa encima, para seguir entrenándolo entero."""

    def __init__(self, encoder: ViTEncoder, n_classes: int):
        super().__init__()
        self.encoder = deepcopy(encoder).requires_grad_(True)
        self.output = nn.Linear(encoder.config.d_model, n_classes)
        nn.init.normal_(self.output.weight, std=0.02)
        nn.init.zeros_(self.output.bias)

    def forward(self, images: Float[Tensor, "B C H W"]) -> Float[Tensor, "B K"]:
        """Logits de cada clase, con la media de los parches."""
        rows, columns = self.encoder.config.grid
        return self.output(self.encoder(images)[:, -rows * columns :].mean(1))
