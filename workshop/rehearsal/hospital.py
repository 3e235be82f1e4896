"""Historias clínicas de mentira con el formato de los archivos de MIMIC-IV."""

import gzip
from pathlib import Path

N_PEOPLE = 12
CODES = (("4019", 9), ("E119", 10), ("I10", 10), ("25000", 9))


def make_mimic(folder: Path) -> None:
    """La carpeta `hosp` de la demostración: tres de sus tablas, en `.csv.gz`."""
    people = ["subject_id,gender,anchor_age,anchor_year,anchor_year_group,dod"]
    stays = ["subject_id,hadm_id,admittime,dischtime,admission_type"]
    codes = ["subject_id,hadm_id,seq_num,icd_code,icd_version"]
    for number in range(N_PEOPLE):
        who = 10_000_032 + number
        people.append(f"{who},F,{45 + 3 * number},2180,2014 - 2016,")
        for visit in range(1 + number % 2):
            stay = 22_000_000 + 10 * number + visit
            last = 3 if number % 3 else 20  # uno de cada tres se queda más de siete días
            stays.append(
                f"{who},{stay},2180-0{visit + 1}-01 08:00:00,2180-0{visit + 1}-{last:02d} 17:00:00,"
                "URGENT"
            )
            for place in range(1 + (number + visit) % 3):
                code, version = CODES[(number + place) % len(CODES)]
                codes.append(f"{who},{stay},{place + 1},{code},{version}")
    tables = {"patients": people, "admissions": stays, "diagnoses_icd": codes}
    for name, lines in tables.items():
        with gzip.open(folder / f"{name}.csv.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


MAKERS = {"MIMIC-IV, demostración": make_mimic}
