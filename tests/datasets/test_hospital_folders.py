"""Los archivos de MIMIC-IV, en una carpeta diminuta del mismo formato hecha aquí."""

import gzip

import pytest

from tfcourse.datasets.folders.hospital_folders import gap_of, mimic_patients
from tfcourse.datasets.records.patient_records import encode_patients, record_tokenizer

TABLES = {
    "patients": "subject_id,gender,anchor_age\n20,F,52\n10,M,97\n",
    "admissions": (
        "subject_id,hadm_id,admittime,dischtime\n"
        "10,101,2180-05-06 22:23:00,2180-05-07 17:15:00\n"
        "20,202,2180-03-01 08:00:00,2180-03-12 09:00:00\n"
        "20,201,2180-01-01 08:00:00,2180-01-03 09:00:00\n"
    ),
    "diagnoses_icd": (
        "subject_id,hadm_id,seq_num,icd_code,icd_version\n"
        "20,201,1,E119   ,10\n20,201,2,E1165,10\n20,201,3,4019,9\n"
        "20,202,1,I10,10\n10,101,1,I10,10\n"
    ),
}


@pytest.fixture
def folder(tmp_path):
    for name, text in TABLES.items():
        with gzip.open(tmp_path / f"{name}.csv.gz", "wt", encoding="utf-8") as file:
            file.write(text)
    return tmp_path


def test_admissions_become_visits_in_order(folder):
    people, names = mimic_patients(folder)
    assert names == ["10-E11", "10-I10", "9-401"]
    tokenizer = record_tokenizer(names)
    records = encode_patients(people, tokenizer)
    read = [
        [tokenizer.tokens[t] for t in row[:n].tolist()]
        for row, n in zip(records.tokens, records.lengths.tolist(), strict=True)
    ]
    assert read[0] == ["[CLS]", "80-89", "10-I10", "[SEP]"]  # las edades se recortan a la tabla
    assert read[1] == ["[CLS]", "50-59", "10-E11", "9-401", "meses", "10-I10", "[SEP]"]
    assert records.visits[1, :7].tolist() == [0, 0, 1, 1, 2, 2, 0]
    assert records.labels.tolist() == [0, 1]  # once días es una estancia larga; uno, no


def test_gaps_by_days():
    assert [gap_of(days) for days in (0, 6, 7, 30, 31, 364, 365, 4000)] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_missing_file_is_explained(folder):
    (folder / "admissions.csv.gz").unlink()
    with pytest.raises(FileNotFoundError, match="falta admissions.csv.gz .* physionet.org"):
        mimic_patients(folder)


def test_half_a_download_and_another_file_are_told(folder):
    path = folder / "diagnoses_icd.csv.gz"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="diagnoses_icd.csv.gz está a medias"):
        mimic_patients(folder)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("subject_id,hadm_id\n20,201\n")
    with pytest.raises(ValueError, match="le falta la columna 'icd_code': no es el de MIMIC-IV"):
        mimic_patients(folder)
