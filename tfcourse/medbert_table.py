"""Cuántas etiquetas hacen falta con historias clínicas sintéticas, según con qué se empieza.

El preentrenamiento es uno, el que viene con el curso; con cada semilla cambian los pacientes con
etiqueta, y lo que empieza al azar. `python -m tfcourse tablas medbert --semillas 5 --escribir` la
vuelve a medir.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

import torch
from torch import Tensor

from tfcourse.datasets.patient_records import Records, code_counts, encode_patients
from tfcourse.datasets.patients import (
    RULES,
    Patients,
    make_patients,
    reserved_patients,
    swapped_ills,
)
from tfcourse.medbert_recipes import (
    SHIPPED,
    TuningRecipe,
    area_under_roc,
    change,
    ill_effects,
    probed,
    risk_logits,
    shipped_medbert,
    tuned,
)
from tfcourse.models.risk import RiskHead
from tfcourse.models.segmented_bert import SegmentedLM
from tfcourse.models.tfidf import LogisticRegression
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import seed_everything

NAME = "medbert"
LABELS, N_TEST = (100, 200, 500), 2_000
MANY, N_EFFECTS = LABELS[-1], 400  # con cuántas etiquetas, y en cuántos, se miran las reglas
STRENGTHS = (0.01, 0.1, 1.0)
FROM_SCRATCH = TuningRecipe()
# Sobre la sonda, pocos pasos y cortos: lo aprendido no hay que estropearlo (Kumar et al., 2022).
PRETRAINED = TuningRecipe(steps=30, lr=3e-4, head_lr=1e-4)


def steps_for(recipe: TuningRecipe, labels: int) -> TuningRecipe:
    """Con más etiquetas, más pasos: la raíz de cuántas veces más que doscientas."""
    return replace(recipe, steps=round(recipe.steps * max(1.0, labels / 200) ** 0.5))


def labelled(labels: int, seed: int) -> Patients:
    """Los pacientes con etiqueta de una semilla."""
    return make_patients(labels, 1_000 + seed)


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


def tuned_risk(start: str, few: Records, tokenizer: Tokenizer, seed: int) -> RiskHead:
    """Afina con esas etiquetas: desde el Med-BERT del curso y su sonda, o «de cero»."""
    shipped, _ = shipped_medbert()
    if start == "preentrenado":
        probe = probed(shipped.bert, few)
        return tuned(probe, few, steps_for(PRETRAINED, len(few.labels)), seed)
    seed_everything(seed)
    fresh = SegmentedLM(shipped.bert.config)
    return tuned(RiskHead(fresh.bert), few, steps_for(FROM_SCRATCH, len(few.labels)), seed)


def agreement(effects: dict[str, tuple[float, float]]) -> float:
    """Correlación entre lo que cambia cada mal según el modelo y según las reglas."""
    return float(torch.corrcoef(torch.tensor(list(effects.values())).T)[0, 1])


def order_effect(model: RiskHead, people: Patients, tokenizer: Tokenizer) -> tuple[float, float]:
    """Cuánto baja el logit, según el modelo y las reglas, si lo primero hubiera sido lo segundo.

    Se mira en quienes cumplen la primera regla: tuvieron alba y después boro.
    """
    kept = RULES[0].applies(people.starts, people.ages).nonzero()[:, 0]
    in_order = people.rows(kept)
    return change(model, in_order, swapped_ills(in_order, "alba", "boro"), tokenizer)


def settings() -> dict:
    """La receta de la tabla."""
    return {
        "weights": SHIPPED,
        "labels": list(LABELS),
        "n_test": N_TEST,
        "n_effects": N_EFFECTS,
        "strengths": list(STRENGTHS),
        "pretrained": asdict(PRETRAINED),
        "from_scratch": asdict(FROM_SCRATCH),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas y manera de empezar."""
    _, tokenizer = shipped_medbert()
    people = reserved_patients(N_TEST)
    test = encode_patients(people, tokenizer)
    for seed in seeds:
        for labels in LABELS:
            few = encode_patients(labelled(labels, seed), tokenizer)
            row = {"seed": seed, "labels": labels}
            yield row | {"start": "recuentos", "area": counting_area(few, test, tokenizer)}
            for start in ("de cero", "preentrenado"):
                model = tuned_risk(start, few, tokenizer, seed)
                found = {
                    "start": start,
                    "area": area_under_roc(risk_logits(model, test), test.labels),
                }
                if labels == MANY:
                    some = people.rows(torch.arange(N_EFFECTS))
                    found["agreement"] = agreement(ill_effects(model, some, tokenizer))
                    found["swap"] = order_effect(model, people, tokenizer)[0]
                yield row | found
