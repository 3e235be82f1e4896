"""Historias clínicas de verdad, sin nombres: los archivos de MIMIC-IV, leídos como pacientes."""

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import torch

from tfcourse.datasets.records.patients import ILLS, MAX_VISITS, NEVER, Patients
from tfcourse.stored.full import Source

MIMIC_SOURCE = Source(
    "MIMIC-IV, demostración",
    "https://physionet.org/content/mimic-iv-demo/2.2/",
    "ODbL 1.0",
    0.02,
    "TFCOURSE_MIMIC",
)
# Los archivos que se leen y sus columnas.
FILES = {
    "patients": ("subject_id", "anchor_age"),
    "admissions": ("subject_id", "hadm_id", "admittime", "dischtime"),
    "diagnoses_icd": ("hadm_id", "icd_code", "icd_version"),
}
LONG_STAY = 7  # días; la «estancia larga» de Med-BERT
_LIMITS = (7, 31, 365)  # días hasta los que llegan «días», «semanas» y «meses»


def mimic_patients(folder: Path | None = None, letters: int = 3) -> tuple[Patients, list[str]]:
    """Pacientes y códigos de una carpeta `hosp` de MIMIC-IV o de su demostración, que es abierta.

    Sin `folder`, la que dice `TFCOURSE_MIMIC`.
    Cada ingreso es una visita, y de cada código se leen los `letters` primeros signos (la familia).
    El desenlace es haber tenido una estancia de más de siete días. Aquí no hay reglas: `starts`
    queda vacío y `risk`, sin número. Fuente: Johnson et al. (2023).
    Errores: `FileNotFoundError` si falta algún archivo; `ValueError` si alguno está a medias o no
    tiene las columnas de MIMIC-IV.
    """
    folder = folder or MIMIC_SOURCE.folder()
    tables = {name: list(_rows(folder, name)) for name in FILES}
    stays, codes = defaultdict(list), defaultdict(list)
    for row in tables["admissions"]:
        dates = (datetime.fromisoformat(row[key]) for key in ("admittime", "dischtime"))
        stays[row["subject_id"]].append((*dates, row["hadm_id"]))
    for row in tables["diagnoses_icd"]:
        family = f"{row['icd_version']}-{row['icd_code'].strip()[:letters]}"
        if family not in codes[row["hadm_id"]]:
            codes[row["hadm_id"]].append(family)
    names = sorted({family for found in codes.values() for family in found})
    ages = {row["subject_id"]: int(row["anchor_age"]) for row in tables["patients"]}
    visits = {who: sorted(stays[who])[-MAX_VISITS:] for who in sorted(stays)}
    return _as_patients(visits, codes, names, ages), names


def gap_of(days: int) -> int:
    """El índice de `GAPS` de un tiempo en días."""
    return sum(days >= limit for limit in _LIMITS)


def _rows(folder: Path, name: str) -> Iterator[dict]:
    path = Path(folder) / f"{name}.csv.gz"
    if not path.exists():
        raise FileNotFoundError(
            f"falta {path.name} en {folder}: baja la demostración de MIMIC-IV, de physionet.org, y "
            "da su carpeta «hosp»; sin red, el capítulo sigue con los pacientes sintéticos"
        )
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            missing = [name for name in FILES[name] if name not in (rows.fieldnames or ())]
            if missing:
                raise ValueError(
                    f"a {path.name} le falta la columna {missing[0]!r}: no es el de MIMIC-IV"
                )
            yield from rows
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise ValueError(f"{path} está a medias ({error}): descárgalo otra vez") from error


def _as_patients(visits: dict, codes: dict, names: list[str], ages: dict) -> Patients:
    number = {name: i for i, name in enumerate(names)}
    widest = max(len(codes[stay]) for row in visits.values() for *_, stay in row)
    table = torch.full((len(visits), MAX_VISITS, widest), -1)
    gaps = torch.full((len(visits), MAX_VISITS), -1)
    outcome = torch.zeros(len(visits), dtype=torch.long)
    for i, row in enumerate(visits.values()):
        for v, (start, end, stay) in enumerate(row):
            found = [number[name] for name in codes[stay]]
            table[i, v, : len(found)] = torch.tensor(found, dtype=torch.long)
            outcome[i] |= int((end - start).days > LONG_STAY)
            if v:
                gaps[i, v] = gap_of((start - row[v - 1][1]).days)
    return Patients(
        table,
        gaps,
        torch.tensor([min(89, max(40, ages[who])) for who in visits]),
        torch.full((len(visits), len(ILLS)), NEVER),
        torch.full((len(visits),), float("nan")),
        outcome,
    )
