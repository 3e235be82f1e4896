"""Ajuste fino: de un codificador ya entrenado a un clasificador, con pocas etiquetas."""

import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.batching import minibatches
from tfcourse.models.bert import Bert
from tfcourse.models.classifier import Classifier, Pool, mean_state
from tfcourse.training import Steps, fit, one_cycle, seed_everything
from tfcourse.training.checkpoints import Checkpoint


@dataclass(frozen=True)
class Labelled:
    """Secuencias con etiqueta: `tokens` (N, L), `lengths` (N,) y `labels` (N,)."""

    tokens: Tensor
    lengths: Tensor
    labels: Tensor

    def tensors(self) -> tuple[Tensor, Tensor, Tensor]:
        """Los tres, en orden, para repartirlos en lotes."""
        return self.tokens, self.lengths, self.labels


@dataclass(frozen=True)
class TuningRecipe:
    """Cómo se ajusta: pasos, ritmos, lote y cómo se reúnen los vectores de la secuencia.

    `lr` es el ritmo del codificador, que ya sabe algo; `head_lr`, el de la capa nueva, que no.
    """

    steps: int = 50
    lr: float = 3e-4
    head_lr: float = 2e-2
    batch_size: int = 16
    pool: Pool = mean_state
    dropout: float = 0.1


def labelled_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada media de un lote `(tokens, longitudes, etiquetas)`."""
    tokens, lengths, labels = batch
    longest = int(lengths.max())
    return F.cross_entropy(model(tokens[:, :longest], lengths), labels)


def fine_tune(
    encoder: Bert,
    data: Labelled,
    n_classes: int,
    recipe: TuningRecipe | None = None,
    seed: int = 0,
    *,
    checkpoint: Checkpoint | None = None,
) -> Classifier:
    """Copia el codificador, le añade una capa y lo entrena todo con las etiquetas.

    El original no se toca. Fuente: Devlin et al. (2019), § 3.2.
    """
    recipe = recipe or TuningRecipe()
    seed_everything(seed)
    model = Classifier(
        copy.deepcopy(encoder), encoder.config.d_model, n_classes,
        pool=recipe.pool, dropout=recipe.dropout,
    )  # fmt: skip
    batch_size = min(recipe.batch_size, len(data.labels))
    fit(
        model,
        minibatches(*data.tensors(), batch_size=batch_size, seed=seed),
        labelled_loss,
        budget=Steps(recipe.steps),
        optimizer=torch.optim.AdamW(
            [
                {"params": model.encoder.parameters(), "lr": recipe.lr},
                {"params": model.output.parameters(), "lr": recipe.head_lr},
            ],
            weight_decay=0.01,
        ),
        schedule=one_cycle(recipe.steps),
        checkpoint=checkpoint,
        description="Ajustando",
    )
    return model


@torch.no_grad()
def most_likely_classes(
    model: Classifier, tokens: Int[Tensor, "N L"], lengths: Int[Tensor, "N"], batch_size: int = 256
) -> Int[Tensor, "N"]:
    """La clase más probable de cada secuencia, en la CPU; se calcula donde esté el modelo."""
    device, guesses = next(model.parameters()).device, []
    for rows in torch.arange(len(tokens)).split(batch_size):
        longest = int(lengths[rows].max())
        logits = model(tokens[rows, :longest].to(device), lengths[rows].to(device))
        guesses.append(logits.argmax(dim=-1).cpu())
    return torch.cat(guesses)


def classifier_accuracy(model: Classifier, data: Labelled, batch_size: int = 128) -> float:
    """Parte de las secuencias cuya clase más probable es la suya."""
    guesses = most_likely_classes(model, data.tokens, data.lengths, batch_size)
    return float((guesses == data.labels).float().mean())


def most_common_share(labels: Int[Tensor, "N"]) -> float:
    """Acierto de contestar siempre la clase más frecuente."""
    return int(labels.bincount().max()) / len(labels)
