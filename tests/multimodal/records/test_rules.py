"""Qué se ha aprendido de las reglas: quitar y cambiar males, contra cuentas hechas aparte."""

import pytest
import torch

from tests.multimodal.records.people import PEOPLE, TOKENIZER, tiny_risk
from tfcourse.datasets.records.patient_records import encode_patients
from tfcourse.datasets.records.patients import ILLS, NEVER, swapped_ills, without_ill
from tfcourse.multimodal.records.few_labels import risk_logits
from tfcourse.multimodal.records.rules import change, ill_effects


def test_removing_and_swapping_change_codes_starts_and_risk():
    gone = without_ill(PEOPLE, "alba")
    number = ILLS.index("alba")
    assert not ((gone.codes >= 4 * number) & (gone.codes < 4 * number + 4)).any()
    others = PEOPLE.codes // 4 != number
    assert torch.equal(gone.codes[others], PEOPLE.codes[others])
    assert (gone.starts[:, number] == NEVER).all() and (gone.risk <= PEOPLE.risk + 1e-6).all()
    turned = swapped_ills(PEOPLE, "alba", "boro")
    assert torch.equal(turned.starts[:, 0], PEOPLE.starts[:, 1])
    alba, boro = PEOPLE.codes // 4 == 0, PEOPLE.codes // 4 == 1
    alba &= PEOPLE.codes >= 0
    assert torch.equal(turned.codes[alba], PEOPLE.codes[alba] + 4)
    assert torch.equal(turned.codes[boro], PEOPLE.codes[boro] - 4)
    back = swapped_ills(turned, "alba", "boro")
    assert torch.equal(back.codes, PEOPLE.codes) and torch.equal(back.risk, PEOPLE.risk)
    with pytest.raises(ValueError, match="no hay ningún mal llamado «gripe»"):
        without_ill(PEOPLE, "gripe")


def test_effects_are_the_mean_change_of_those_who_have_it():
    model = tiny_risk().eval()
    with torch.no_grad():
        model.output.weight.normal_()
    effects = ill_effects(model, PEOPLE, TOKENIZER)
    assert list(effects) == list(ILLS)
    have = PEOPLE.rows((PEOPLE.starts[:, 4] < NEVER).nonzero()[:, 0])
    gone = without_ill(have, "ebro")
    guesses = [risk_logits(model, encode_patients(p, TOKENIZER)) for p in (have, gone)]
    assert effects["ebro"][0] == pytest.approx(float((guesses[0] - guesses[1]).mean()), abs=1e-5)
    assert effects["ebro"][1] == pytest.approx(
        float((have.risk.logit() - gone.risk.logit()).mean())
    )
    assert effects["gala"][1] == pytest.approx(0, abs=1e-5)
    assert change(model, have, have, TOKENIZER) == (0.0, 0.0)
