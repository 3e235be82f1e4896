"""Cada familia: la de la biblioteca y la nuestra, con los mismos pesos, contestan lo mismo."""

import pytest
import torch

from tests.accelerator.pretend import accelerator_device
from tests.official.references import REFERENCES
from tfcourse.official.loading import FAMILIES, load_official


@pytest.mark.parametrize("name", REFERENCES)
@torch.no_grad()
def test_same_answers_as_the_library(name, tmp_path):
    reference = REFERENCES[name]
    theirs = reference.build()
    ours = load_official(theirs)
    assert ours.family == name
    wanted = reference.theirs(theirs)
    torch.testing.assert_close(reference.ours(ours.model), wanted, atol=reference.close, rtol=0)
    if reference.generates:
        expected, found = reference.generates(theirs, ours.model)
        assert found.tolist() == expected.tolist()
    # Y de la carpeta que ella misma guarda, con los nombres de los archivos publicados.
    theirs.save_pretrained(tmp_path)
    again = load_official(tmp_path)
    assert again.family == name and again.folder == tmp_path
    torch.testing.assert_close(reference.ours(again.model), wanted, atol=reference.close, rtol=0)
    # Y entero, en el dispositivo que se pide.
    device = accelerator_device()
    there = load_official(theirs.float(), device=device).model
    assert {x.device.type for x in [*there.parameters(), *there.buffers()]} == {device.type}


def test_every_family_has_its_reference():
    assert list(REFERENCES) and {family.name for family in FAMILIES} == set(REFERENCES)
