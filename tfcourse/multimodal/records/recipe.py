"""La receta de Med-BERT: preentrenar con historias sin etiquetas, y ver si llena los huecos."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache

import torch
from torch import Tensor

from tfcourse.datasets.batching import minibatches
from tfcourse.datasets.records.patient_records import (
    N_SEGMENTS,
    Records,
    encode_patients,
    first_code,
    record_tokenizer,
)
from tfcourse.datasets.records.patients import ILLS, N_VARIANTS, make_patients, reserved_patients
from tfcourse.datasets.text.masking import MASK, Masking, mask_tokens
from tfcourse.losses import segmented_loss
from tfcourse.models.bert import BertConfig
from tfcourse.models.segmented_bert import VARIANTS, SegmentedLM
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

N_UNLABELLED = 6_000
EVALUATION_SEED = 99


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se preentrena: tamaños, pasos, lote, qué parte se tapa y los ritmos."""

    size: dict = field(default_factory=lambda: dict(VARIANTS["aula"]))
    steps: int = 300
    batch_size: int = 64
    rate: float = 0.2
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.0


LONG = Recipe(steps=800, rate=0.3)


def build(recipe: Recipe, n_tokens: int) -> SegmentedLM:
    """Un Med-BERT sin entrenar, para un vocabulario de tantos tokens."""
    return SegmentedLM(BertConfig(n_tokens, n_segments=N_SEGMENTS, **recipe.size))


def batches(
    recipe: Recipe, seed: int, data: Records, tokenizer: Tokenizer
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


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: Records,
    tokenizer: Tokenizer,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Preentrena con historias sin etiquetas; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe, len(tokenizer)), batches(recipe, seed, data, tokenizer),
        segmented_loss, recipe, seed, budget, checkpoint=checkpoint,
    )  # fmt: skip


def unlabelled(tokenizer: Tokenizer, n_patients: int = N_UNLABELLED, seed: int = 1) -> Records:
    """Historias sintéticas de las que no se mira el desenlace."""
    return encode_patients(make_patients(n_patients, seed), tokenizer)


@torch.no_grad()
def filled_ills(model: SegmentedLM, data: Records, tokenizer: Tokenizer) -> dict[str, float]:
    """Acierto en códigos tapados: el código, el mal que anota, y decir siempre el más frecuente."""
    recipe = Recipe(rate=0.15, batch_size=min(500, len(data.tokens)))
    batch = next(batches(recipe, EVALUATION_SEED, data, tokenizer))
    read, tokens, lengths, visits, chosen = batch
    guess, truth = model.eval()(read, lengths, visits, chosen).argmax(dim=-1), tokens[chosen]
    ill, wanted = ((x - first_code(tokenizer)) // N_VARIANTS for x in (guess, truth))
    chronic = wanted < len(ILLS)
    return {
        "código": float((guess == truth).float().mean()),
        "mal": float((ill == wanted)[chronic].float().mean()),
        "el más frecuente": float(wanted[chronic].bincount().max() / chronic.sum()),
    }


def _train_long() -> Trained:
    tokenizer = record_tokenizer()
    return train(LONG, 0, data=unlabelled(tokenizer), tokenizer=tokenizer)


def _filled_by(model: SegmentedLM) -> dict[str, float]:
    tokenizer = record_tokenizer()
    held = encode_patients(reserved_patients(500), tokenizer)
    found = filled_ills(model, held, tokenizer)
    return {f"acierto, {name}": value for name, value in found.items()}


WEIGHTS = {
    "medbert_sintetico": Shipped(
        train=_train_long,
        score=_filled_by,
        blind=dict,  # decir siempre el más frecuente ya está entre lo medido
        data="historias clínicas sintéticas de make_patients(), sin mirar el desenlace",
        config=lambda model: asdict(model.bert.config),
    )
}


@cache
def load(name: str) -> tuple[SegmentedLM, Tokenizer]:
    """Un Med-BERT que viene con el curso y su tokenizador; se carga una vez.

    Errores: los de `check_shipped`.
    """
    check_shipped(name, WEIGHTS)
    model = SegmentedLM(BertConfig(**weights_card(name).config))
    load_weights(name, model)
    return model.eval(), record_tokenizer()
