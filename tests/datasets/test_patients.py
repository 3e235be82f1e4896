"""Pacientes sintéticos: las reglas son las que dicen, y la secuencia no pierde nada."""

import math

import pytest
import torch

from tfcourse.datasets.records.patient_records import (
    N_SEGMENTS,
    code_counts,
    encode_patients,
    record_tokenizer,
)
from tfcourse.datasets.records.patients import (
    AGES,
    BASE_RISK,
    CODES,
    GAPS,
    ILLS,
    MAX_VISITS,
    N_VARIANTS,
    NEVER,
    RULES,
    make_patients,
    true_risk,
)

N_CHRONIC = len(ILLS) * N_VARIANTS
MANY = make_patients(3000, seed=7)
TOKENIZER = record_tokenizer()
RECORDS = encode_patients(MANY, TOKENIZER)


def risk_of(age=60, **starts):
    row = torch.full((1, len(ILLS)), NEVER)
    for name, visit in starts.items():
        row[0, ILLS.index(name)] = visit
    chance = float(true_risk(row, torch.tensor([age])))
    return math.log(chance / (1 - chance)) - BASE_RISK


def test_rules_by_hand():
    weight = {rule.name: rule.weight for rule in RULES}
    order = weight["alba y después boro"]
    assert risk_of() == pytest.approx(0, abs=1e-5)
    assert risk_of(alba=1, boro=3) == pytest.approx(order, abs=1e-5)
    assert risk_of(alba=3, boro=1) == pytest.approx(0, abs=1e-5)
    assert (
        risk_of(alba=2, boro=2) == risk_of(alba=1) == risk_of(boro=1) == pytest.approx(0, abs=1e-5)
    )
    both = weight["cira y duna a la vez"]
    assert risk_of(cira=4, duna=0) == pytest.approx(both, abs=1e-5)
    assert risk_of(cira=0) == risk_of(duna=0) == pytest.approx(0, abs=1e-5)
    assert risk_of(ebro=0, faro=2) == pytest.approx(weight["ebro"] - 2.5, abs=1e-5)
    assert risk_of(ebro=2, faro=0) == pytest.approx(weight["ebro"], abs=1e-5)
    assert risk_of(faro=0) == pytest.approx(0, abs=1e-5)
    assert risk_of(age=80) == pytest.approx(2 * weight["cada década desde los 60"], abs=1e-5)
    assert risk_of(gala=0, hada=0, iris=0, jara=0, luna=0, nube=0) == pytest.approx(0, abs=1e-5)


def test_outcomes_follow_the_true_risk():
    """En cada décima parte, ordenadas por riesgo, ocurre lo que dice la probabilidad."""
    order = MANY.risk.argsort()
    for part in order.chunk(10):
        expected = float(MANY.risk[part].mean())
        error = 4 * math.sqrt(expected * (1 - expected) / len(part))
        assert abs(float(MANY.outcome[part].float().mean()) - expected) < error + 0.01


def test_an_ill_is_noted_from_its_start_and_never_before():
    for i in range(60):
        for visit in range(MAX_VISITS):
            found = [c // N_VARIANTS for c in MANY.codes[i, visit].tolist() if 0 <= c < N_CHRONIC]
            assert len(found) == len(set(found))
            assert all(int(MANY.starts[i, ill]) <= visit for ill in found)
            begun = (MANY.starts[i] == visit).nonzero()[:, 0].tolist()
            assert set(begun) <= set(found)


def test_the_four_codes_of_an_ill_are_equally_common_and_say_the_same():
    noted = MANY.codes[MANY.codes >= 0]
    counts = noted.bincount(minlength=len(CODES))[:N_CHRONIC].view(len(ILLS), N_VARIANTS).float()
    assert (counts / counts.mean(dim=1, keepdim=True) - 1).abs().max() < 0.2


def test_the_sequence_reads_the_history_in_order():
    """Contra una escritura hecha con bucles."""
    for i in range(40):
        expected, visits = ["[CLS]", AGES[(int(MANY.ages[i]) - 40) // 10]], [0, 0]
        for v in range(MAX_VISITS):
            here = [GAPS[int(MANY.gaps[i, v])]] if MANY.gaps[i, v] >= 0 else []
            here += [CODES[c] for c in MANY.codes[i, v].tolist() if c >= 0]
            expected += here
            visits += [v + 1] * len(here)
        expected, visits = [*expected, "[SEP]"], [*visits, 0]
        n = int(RECORDS.lengths[i])
        assert [TOKENIZER.tokens[t] for t in RECORDS.tokens[i, :n].tolist()] == expected
        assert RECORDS.visits[i, :n].tolist() == visits
        assert (RECORDS.tokens[i, n:] == TOKENIZER.pad_id).all() and not RECORDS.visits[i, n:].any()
    assert int(RECORDS.visits.max()) < N_SEGMENTS


def test_counts_forget_the_order():
    counts = code_counts(RECORDS, TOKENIZER)
    assert counts.shape == (3000, len(AGES) + len(GAPS) + len(CODES))
    assert torch.equal(counts.sum(1).long(), RECORDS.lengths - 2)
    turned = RECORDS._replace(tokens=RECORDS.tokens.flip(1))
    assert torch.equal(code_counts(turned, TOKENIZER), counts)


def test_seed_decides_and_rows_choose():
    again = make_patients(3000, seed=7)
    assert torch.equal(again.codes, MANY.codes) and torch.equal(again.outcome, MANY.outcome)
    assert not torch.equal(make_patients(3000, seed=8).codes, MANY.codes)
    some = RECORDS.rows(torch.tensor([5, 2]))
    assert torch.equal(some.tokens[1], RECORDS.tokens[2]) and len(some.labels) == 2
    assert torch.equal(MANY.rows(torch.tensor([4])).ages, MANY.ages[4:5])
    with pytest.raises(ValueError, match="n_patients=0: hace falta al menos un paciente"):
        make_patients(0, 0)
