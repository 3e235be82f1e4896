"""Lo aprendido de las reglas que deciden el desenlace: cambiar una historia y mirar el logit."""

import torch

from tfcourse.datasets.records.patient_records import encode_patients
from tfcourse.datasets.records.patients import (
    ILLS,
    NEVER,
    RULES,
    Patients,
    swapped_ills,
    without_ill,
)
from tfcourse.models.risk import RiskHead
from tfcourse.multimodal.records.few_labels import risk_logits
from tfcourse.tokenizers.base import Tokenizer


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
