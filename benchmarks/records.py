"""Cuántas etiquetas hacen falta con historias clínicas sintéticas, según con qué se empieza.

El preentrenamiento es uno, el que viene con el curso; con cada semilla cambian los pacientes con
etiqueta, y lo que empieza al azar. `python -m benchmarks medbert --semillas 5 --escribir` la
vuelve a medir.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import torch

from tfcourse.datasets.records.patient_records import encode_patients, record_tokenizer
from tfcourse.datasets.records.patients import reserved_patients
from tfcourse.metrics.ranking import area_under_roc
from tfcourse.multimodal.records.few_labels import (
    RECIPES,
    STRENGTHS,
    counting_area,
    labelled,
    risk_logits,
    tuned_risk,
)
from tfcourse.multimodal.records.rules import agreement, ill_effects, order_effect

NAME = "medbert"
LABELS, N_TEST = (100, 200, 500), 2_000
MANY, N_EFFECTS = LABELS[-1], 400  # con cuántas etiquetas, y en cuántos, se miran las reglas


def settings() -> dict:
    """La receta de la tabla."""
    return {
        "weights": "medbert_sintetico",
        "labels": list(LABELS),
        "n_test": N_TEST,
        "n_effects": N_EFFECTS,
        "strengths": list(STRENGTHS),
        "pretrained": asdict(RECIPES["preentrenado"]),
        "from_scratch": asdict(RECIPES["de cero"]),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas y manera de empezar."""
    tokenizer = record_tokenizer()
    people = reserved_patients(N_TEST)
    test = encode_patients(people, tokenizer)
    for seed in seeds:
        for labels in LABELS:
            few = encode_patients(labelled(labels, seed), tokenizer)
            row = {"seed": seed, "labels": labels}
            yield row | {"start": "recuentos", "area": counting_area(few, test, tokenizer)}
            for start in RECIPES:
                model = tuned_risk(start, few, seed)
                found = {
                    "start": start,
                    "area": area_under_roc(risk_logits(model, test), test.labels),
                }
                if labels == MANY:
                    some = people.rows(torch.arange(N_EFFECTS))
                    found["agreement"] = agreement(ill_effects(model, some, tokenizer))
                    found["swap"] = order_effect(model, people, tokenizer)[0]
                yield row | found
