"""Unos pacientes sintéticos y una red diminuta, para las pruebas."""

from tfcourse.datasets.records.patient_records import encode_patients, record_tokenizer
from tfcourse.datasets.records.patients import make_patients
from tfcourse.models.risk import RiskHead
from tfcourse.multimodal.records.recipe import Recipe, build

TINY = Recipe(
    size={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16, "max_length": 90},
    steps=40,
    batch_size=16,
)
TOKENIZER = record_tokenizer()
PEOPLE = make_patients(200, 3)
RECORDS = encode_patients(PEOPLE, TOKENIZER)


def tiny_risk() -> RiskHead:
    """Una red de riesgo sin entrenar."""
    return RiskHead(build(TINY, len(TOKENIZER)).bert)
