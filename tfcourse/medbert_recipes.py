"""Recetas de Med-BERT: preentrenar sin etiquetas, afinar con pocas y medir."""

import copy
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.batching import minibatches
from tfcourse.datasets.masking import MASK, Masking, mask_tokens
from tfcourse.datasets.patient_records import (
    N_SEGMENTS,
    Records,
    encode_patients,
    first_code,
    record_tokenizer,
)
from tfcourse.datasets.patients import (
    ILLS,
    N_VARIANTS,
    NEVER,
    Patients,
    make_patients,
    reserved_patients,
    without_ill,
)
from tfcourse.losses import segmented_loss
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.models.risk import RiskHead
from tfcourse.models.segmented_bert import VARIANTS, SegmentedLM
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.shipped import WeightsCard, load_weights, weights_card
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import History, fit, one_cycle, seed_everything

SHIPPED = "medbert_sintetico"
N_UNLABELLED = 6_000
EVALUATION_SEED = 99
PROBE_STRENGTH = 0.01


@dataclass(frozen=True)
class PretrainingRecipe:
    """Cómo se preentrena: tamaños, pasos, lote, qué parte se tapa y los ritmos."""

    size: dict = field(default_factory=lambda: dict(VARIANTS["aula"]))
    steps: int = 300
    batch_size: int = 64
    rate: float = 0.2
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.0


LONG = PretrainingRecipe(steps=800, rate=0.3)


@dataclass(frozen=True)
class TuningRecipe:
    """Cómo se afina: pasos, ritmos del codificador y de la capa nueva, lote y decaimiento."""

    steps: int = 80
    lr: float = 1e-3
    head_lr: float = 3e-3
    batch_size: int = 32
    weight_decay: float = 0.01


def masked_records(
    data: Records, tokenizer: Tokenizer, recipe: PretrainingRecipe, seed: int
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes `(leído, había, longitudes, visitas, elegidas)`: el desenlace no se mira."""
    special = first_code(tokenizer)  # ni los especiales, ni las edades, ni los tiempos
    masking = Masking(tokenizer.token_id(MASK), len(tokenizer), special, rate=recipe.rate)
    generator = torch.Generator().manual_seed(seed)
    stream = minibatches(*data[:3], batch_size=recipe.batch_size, seed=seed, group_by=data.lengths)
    for tokens, lengths, visits in stream:
        longest = int(lengths.max())
        tokens, visits = tokens[:, :longest], visits[:, :longest]
        read, chosen = mask_tokens(tokens, masking, generator)
        yield read, tokens, lengths, visits, chosen


def pretrain(
    data: Records, tokenizer: Tokenizer, recipe: PretrainingRecipe, seed: int = 0
) -> tuple[SegmentedLM, History]:
    """Preentrena con historias sin etiquetas."""
    seed_everything(seed)
    model = untrained(tokenizer, recipe.size)
    batches = masked_records(data, tokenizer, recipe, seed)
    history = fit_with_muon(model, batches, segmented_loss, recipe)
    return model.cpu().eval(), history


def unlabelled(tokenizer: Tokenizer, n_patients: int = N_UNLABELLED, seed: int = 1) -> Records:
    """Historias sintéticas de las que no se mira el desenlace."""
    return encode_patients(make_patients(n_patients, seed), tokenizer)


@torch.no_grad()
def filled_ills(model: SegmentedLM, data: Records, tokenizer: Tokenizer) -> dict[str, float]:
    """Acierto en códigos tapados: el código, el mal que anota, y decir siempre el más frecuente."""
    recipe = PretrainingRecipe(rate=0.15, batch_size=min(500, len(data.tokens)))
    batch = next(masked_records(data, tokenizer, recipe, EVALUATION_SEED))
    read, tokens, lengths, visits, chosen = batch
    guess, truth = model.eval()(read, lengths, visits, chosen).argmax(dim=-1), tokens[chosen]
    ill, wanted = ((x - first_code(tokenizer)) // N_VARIANTS for x in (guess, truth))
    chronic = wanted < len(ILLS)
    return {
        "código": float((guess == truth).float().mean()),
        "mal": float((ill == wanted)[chronic].float().mean()),
        "el más frecuente": float(wanted[chronic].bincount().max() / chronic.sum()),
    }


def train_shipped() -> tuple[SegmentedLM, WeightsCard]:
    """Preentrena los pesos que vienen con el curso, con su ficha."""
    torch.set_num_threads(1)
    tokenizer, started = record_tokenizer(), time.process_time()
    model, _ = pretrain(unlabelled(tokenizer), tokenizer, LONG, seed=0)
    spent = time.process_time() - started
    found = filled_ills(model, encode_patients(reserved_patients(500), tokenizer), tokenizer)
    card = WeightsCard(
        config=asdict(model.bert.config),
        recipe=asdict(LONG),
        seed=0,
        cpu_seconds=round(spent),
        quality={f"acierto, {name}": round(value, 4) for name, value in found.items()},
        data="historias clínicas sintéticas de make_patients(), sin mirar el desenlace",
    )
    return model, card


@cache
def shipped_medbert() -> tuple[SegmentedLM, Tokenizer]:
    """El Med-BERT que viene con el curso, preentrenado con pacientes sintéticos."""
    model = SegmentedLM(BertConfig(**weights_card(SHIPPED).config))
    load_weights(SHIPPED, model)
    return model.eval(), record_tokenizer()


def untrained(tokenizer: Tokenizer, size: dict) -> SegmentedLM:
    """La misma red, sin entrenar."""
    return SegmentedLM(BertConfig(len(tokenizer), n_segments=N_SEGMENTS, **size))


def risk_loss(model: RiskHead, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada del desenlace."""
    tokens, lengths, visits, labels = batch
    longest = int(lengths.max())
    guess = model(tokens[:, :longest], lengths, visits[:, :longest])
    return F.binary_cross_entropy_with_logits(guess, labels.float())


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


def tuned(start: RiskHead, data: Records, recipe: TuningRecipe, seed: int = 0) -> RiskHead:
    """Copia el modelo y lo entrena entero con las etiquetas."""
    seed_everything(seed)
    model = copy.deepcopy(start)
    optimizer = torch.optim.AdamW(
        [
            {"params": model.bert.parameters(), "lr": recipe.lr},
            {"params": model.output.parameters(), "lr": recipe.head_lr},
        ],
        weight_decay=recipe.weight_decay,
    )
    batches = minibatches(*data, batch_size=min(recipe.batch_size, len(data.labels)), seed=seed)
    fit(
        model, batches, risk_loss, steps=recipe.steps, optimizer=optimizer,
        schedule=one_cycle(recipe.steps), description="Afinando",
    )  # fmt: skip
    return model.cpu().eval()


@torch.no_grad()
def risk_logits(model: RiskHead, data: Records) -> Float[Tensor, " N"]:
    """El logit del desenlace de cada historia."""
    model.eval()
    return torch.cat([model(*part) for part in _read_parts(data)])


def area_under_roc(scores: Float[Tensor, " N"], labels: Int[Tensor, " N"]) -> float:
    """AUROC: la probabilidad de que un caso puntúe más que un no caso; los empates, la mitad.

    Errores: `ValueError` si falta alguna de las dos clases.
    """
    cases, others = scores[labels == 1], scores[labels == 0]
    if not len(cases) or not len(others):
        raise ValueError(
            f"hay {len(cases)} casos y {len(others)} no casos: hacen falta de los dos para comparar"
        )
    others = others.sort().values
    below = torch.searchsorted(others, cases)
    not_above = torch.searchsorted(others, cases, right=True)
    return float((below + not_above).double().mean() / 2 / len(others))


def ill_effects(
    model: RiskHead, patients: Patients, tokenizer: Tokenizer
) -> dict[str, tuple[float, float]]:
    """Cuánto sube el logit por tener cada mal: según el modelo y según las reglas.

    Se mide en quienes lo tienen, quitándoles sus códigos. No es lo que pesa un código: es lo que
    cambia la respuesta.
    """
    effects = {}
    for number, ill in enumerate(ILLS):
        have = patients.rows((patients.starts[:, number] < NEVER).nonzero()[:, 0])
        effects[ill] = change(model, have, without_ill(have, ill), tokenizer)
    return effects


def change(
    model: RiskHead, before: Patients, after: Patients, tokenizer: Tokenizer
) -> tuple[float, float]:
    """Cuánto baja el logit de unos pacientes al cambiarlos: según el modelo y según las reglas."""
    guesses = [risk_logits(model, encode_patients(p, tokenizer)) for p in (before, after)]
    truth = [p.risk.logit() for p in (before, after)]
    return tuple(float((first - second).mean()) for first, second in (guesses, truth))


def _read_parts(data: Records) -> Iterator[tuple[Tensor, ...]]:
    """Las historias por partes `(tokens, longitudes, visitas)`, para no leerlas todas a la vez."""
    return zip(*(x.split(250) for x in data[:3]), strict=True)
