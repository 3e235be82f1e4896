"""Con historias de verdad: Med-BERT en las cien de la demostración abierta de MIMIC-IV."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, stdev

import torch
from torch import Tensor

from tfcourse.datasets.folders.hospital_folders import MIMIC_SOURCE, mimic_patients
from tfcourse.datasets.records.patient_records import (
    Records,
    code_counts,
    encode_patients,
    record_tokenizer,
)
from tfcourse.metrics.ranking import area_under_roc
from tfcourse.models.risk import RiskHead
from tfcourse.multimodal.records import few_labels
from tfcourse.multimodal.records.few_labels import linear_area, risk_logits
from tfcourse.multimodal.records.recipe import Recipe, build, train
from tfcourse.stored.full import FullRun
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import seed_everything
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device

COUNTS_STRENGTH = 0.1  # la regularización de la bolsa de códigos: ni se elige ni se ajusta aquí


@dataclass(frozen=True)
class Full:
    """Partes de la validación cruzada, pasos, lotes, cada cuánto se guarda y tamaño de la red.

    Quien empieza de cero y quien empieza preentrenado se afinan con los mismos pasos y ritmos.
    """

    folds: int = 5
    steps: int = 2_000
    batch_size: int = 16
    tuning_steps: int = 150
    save_every: int = 100
    lr: float = 3e-4
    head_lr: float = 1e-3
    size: dict = field(
        default_factory=lambda: {"d_model": 192, "n_heads": 6, "n_layers": 6, "d_hidden": 64}
    )


REHEARSAL = Full(
    folds=2, steps=2, batch_size=2, tuning_steps=2, save_every=1,
    size={"d_model": 8, "n_heads": 2, "n_layers": 1, "d_hidden": 8},
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """AUROC de la estancia larga, con validación cruzada: el conjunto no tiene reparto oficial.

    Las personas de cada parte no se leen ni al preentrenar ni al afinar.
    """
    people, codes = mimic_patients()
    tokenizer = record_tokenizer(codes)
    records = encode_patients(people, tokenizer)
    areas: dict[str, list[float]] = {"al azar": [0.5] * settings.folds}
    for number, (known, unseen) in enumerate(folds(records, settings.folds)):
        few, test = (code_counts(part, tokenizer) for part in (known, unseen))
        area = linear_area(few, known.labels, test, unseen.labels, COUNTS_STRENGTH)
        areas.setdefault("bolsa de códigos, lineal", []).append(area)
        for name, start in starts(settings, known, tokenizer, folder, number).items():
            point = Checkpoint(folder / f"{name} {number}.safetensors", settings.save_every)
            recipe = few_labels.Recipe(
                settings.tuning_steps, settings.lr, settings.head_lr, settings.batch_size
            )
            made = few_labels.train(recipe, 0, start=start, few=known, checkpoint=point)
            logits = risk_logits(made.model.to(default_device()), unseen)
            areas.setdefault(name, []).append(area_under_roc(logits, unseen.labels))
    return [
        {"modelo": name, "AUROC": mean(found), "desviación entre partes": stdev(found)}
        for name, found in areas.items()
    ]


def folds(records: Records, number: int) -> Iterator[tuple[Records, Records]]:
    """Las partes para aprender y para medir, siempre las mismas y con igual proporción de casos.

    Errores: `ValueError` si de alguna clase hay menos personas que partes.
    """
    from sklearn.model_selection import StratifiedKFold

    counts = records.labels.bincount(minlength=2)
    if int(counts.min()) < number:
        raise ValueError(
            f"hay {int(counts[1])} casos y {int(counts[0])} no casos, y se piden {number} partes "
            "con de todo: revisa la carpeta o pide menos"
        )
    splitter = StratifiedKFold(number, shuffle=True, random_state=0)
    for known, unseen in splitter.split(records.tokens.numpy(), records.labels.numpy()):
        yield records.rows(_rows(known)), records.rows(_rows(unseen))


def _rows(places) -> Tensor:
    return torch.from_numpy(places).long()


def starts(
    settings: Full, known: Records, tokenizer: Tokenizer, folder: Path, number: int
) -> dict[str, RiskHead]:
    """De dónde parte cada uno: de cero, o de haber rellenado huecos en esas mismas historias."""
    size = settings.size | {"max_length": known.tokens.shape[1]}
    recipe = Recipe(size, settings.steps, settings.batch_size)
    point = Checkpoint(folder / f"huecos {number}.safetensors", settings.save_every)
    learnt = train(recipe, 0, data=known, tokenizer=tokenizer, checkpoint=point).model
    seed_everything(number)
    blank = build(recipe, len(tokenizer))
    return {"Med-BERT, de cero": RiskHead(blank.bert), "Med-BERT": RiskHead(learnt.bert)}


RUNS = {
    "historias": FullRun(
        name="historias",
        title="MIMIC-IV (demostración), estancia de más de siete días, AUROC",
        sources=(MIMIC_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=2,
        hours=0.5,
    )
}
