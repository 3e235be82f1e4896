"""La receta de afinar: predecir el desenlace con pocas etiquetas, según con qué se empieza."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.batching import minibatches
from tfcourse.datasets.records.patient_records import Records, code_counts
from tfcourse.datasets.records.patients import Patients, make_patients
from tfcourse.metrics.ranking import area_under_roc
from tfcourse.models.bert import Bert
from tfcourse.models.risk import RiskHead
from tfcourse.models.segmented_bert import SegmentedLM
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.multimodal.records.recipe import load
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import fit, seed_everything
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle

PROBE_STRENGTH = 0.01
STRENGTHS = (0.01, 0.1, 1.0)


@dataclass(frozen=True)
class Recipe:
    """Cómo se afina: pasos, ritmos del codificador y de la capa nueva, lote y decaimiento."""

    steps: int = 80
    lr: float = 1e-3
    head_lr: float = 3e-3
    batch_size: int = 32
    weight_decay: float = 0.01
    warmup = 0.15


# Sobre la sonda, pocos pasos y cortos: lo aprendido no hay que estropearlo (Kumar et al., 2022).
RECIPES = {"de cero": Recipe(), "preentrenado": Recipe(steps=30, lr=3e-4, head_lr=1e-4)}


def steps_for(recipe: Recipe, labels: int) -> Recipe:
    """Con más etiquetas, más pasos: la raíz de cuántas veces más que doscientas."""
    return replace(recipe, steps=round(recipe.steps * max(1.0, labels / 200) ** 0.5))


def labelled(labels: int, seed: int) -> Patients:
    """Los pacientes con etiqueta de una semilla."""
    return make_patients(labels, 1_000 + seed)


def starting_point(start: str, few: Records, seed: int) -> RiskHead:
    """De qué modelo se parte: el Med-BERT del curso y su sonda, o la misma red «de cero».

    Errores: `ValueError` si no es ninguno de los dos comienzos.
    """
    if start not in RECIPES:
        raise ValueError(f"start={start!r}: usa {' o '.join(RECIPES)}")
    shipped, _ = load("medbert_sintetico")
    if start == "preentrenado":
        return probed(shipped.bert, few)
    seed_everything(seed)
    return RiskHead(SegmentedLM(shipped.bert.config).bert)


def build(recipe: Recipe, start: RiskHead) -> RiskHead:
    """Una copia del modelo del que se parte, que se queda como estaba."""
    return copy.deepcopy(start)


def batches(recipe: Recipe, seed: int, few: Records) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin `(tokens, longitudes, visitas, desenlaces)`; si hay pocas, enteras."""
    return minibatches(*few, batch_size=min(recipe.batch_size, len(few.labels)), seed=seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    start: RiskHead,
    few: Records,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Copia el modelo y lo entrena entero con las etiquetas; sin `budget`, según la receta."""
    seed_everything(seed)
    model = build(recipe, start)
    optimizer = torch.optim.AdamW(
        [
            {"params": model.bert.parameters(), "lr": recipe.lr},
            {"params": model.output.parameters(), "lr": recipe.head_lr},
        ],
        weight_decay=recipe.weight_decay,
    )
    budget = budget or Steps(recipe.steps)
    history = fit(
        model, batches(recipe, seed, few), risk_loss, budget=budget, optimizer=optimizer,
        schedule=cycle(budget, recipe.warmup), checkpoint=checkpoint, description="Afinando",
    )  # fmt: skip
    return Trained(model, recipe, history)


def tuned_risk(start: str, few: Records, seed: int) -> RiskHead:
    """Afina con esas etiquetas, desde ese comienzo y con su receta."""
    first = starting_point(start, few, seed)
    recipe = steps_for(RECIPES[start], len(few.labels))
    return train(recipe, seed, start=first, few=few).model


def risk_loss(model: RiskHead, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada del desenlace."""
    tokens, lengths, visits, labels = batch
    longest = int(lengths.max())
    guess = model(tokens[:, :longest], lengths, visits[:, :longest])
    return F.binary_cross_entropy_with_logits(guess, labels.float())


@torch.no_grad()
def risk_logits(model: RiskHead, data: Records) -> Float[Tensor, " N"]:
    """El logit del desenlace de cada historia."""
    model.eval()
    device = next(model.parameters()).device
    return torch.cat([model(*(x.to(device) for x in part)).cpu() for part in _read_parts(data)])


@torch.no_grad()
def summaries(model: RiskHead, data: Records) -> Float[Tensor, "N D"]:
    """El resumen de cada historia, antes de la última capa."""
    return torch.cat([model.eval().summary(*part) for part in _read_parts(data)])


def probed(bert: Bert, data: Records, strength: float = PROBE_STRENGTH) -> RiskHead:
    """Sonda: el codificador no se mueve, y la salida es una regresión logística sobre su resumen.

    Se ajusta con los resúmenes tipificados, y la media y la escala se meten después en la capa.
    """
    model = RiskHead(copy.deepcopy(bert))
    seen = summaries(model, data)
    mean, scale = seen.mean(dim=0), seen.std(dim=0) + 1e-3
    solved = LogisticRegression(strength).fit((seen - mean) / scale, data.labels, 2)
    with torch.no_grad():
        weight = (solved.weight[1] - solved.weight[0]) / scale
        model.output.weight.copy_(weight[None])
        model.output.bias.copy_(solved.bias[1] - solved.bias[0] - weight @ mean)
    return model.eval()


def linear_area(few: Tensor, labels: Tensor, test: Tensor, truth: Tensor, strength: float) -> float:
    """El área de una regresión logística."""
    model = LogisticRegression(strength).fit(few, labels, 2)
    logits = model.logits(test)
    return area_under_roc(logits[:, 1] - logits[:, 0], truth)


def counting_area(few: Records, test: Records, tokenizer: Tokenizer) -> float:
    """La mejor regresión logística sobre la bolsa de códigos: recuentos o si están, tres fuerzas.

    Se elige mirando los reservados, que es hacerle trampa a su favor.
    """
    train, other = code_counts(few, tokenizer), code_counts(test, tokenizer)
    kinds = ((train, other), ((train > 0).float(), (other > 0).float()))
    return max(
        linear_area(a, few.labels, b, test.labels, strength)
        for a, b in kinds
        for strength in STRENGTHS
    )


def _read_parts(data: Records) -> Iterator[tuple[Tensor, ...]]:
    """Las historias por partes `(tokens, longitudes, visitas)`, para no leerlas todas a la vez."""
    return zip(*(x.split(250) for x in data[:3]), strict=True)
