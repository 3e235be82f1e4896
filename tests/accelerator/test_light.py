"""Cada función y clase pública de los estantes, una vez en el acelerador y con poco trabajo."""

import pytest
import torch

from tests.accelerator.cases import SHELVES, cases, not_here
from tests.accelerator.light import Case, Uses, backward, public, tensors
from tests.accelerator.pretend import accelerator_device, use_device
from tfcourse.layers.attention import attention

CASES = [
    pytest.param(case, id=f"{shelf}/{case.name}") for shelf in SHELVES for case in cases(shelf)
]


@pytest.fixture
def device(monkeypatch):
    found = accelerator_device()
    use_device(monkeypatch.setattr, found)
    return found


def run(case, device) -> object:
    """Ejecuta el caso y comprueba que usa lo que dice y que no se va del dispositivo."""
    torch.manual_seed(0)
    with Uses(case.uses, device) as uses:
        result = case.run(device)
    backward(result)
    missing = uses.missing(result)
    assert not missing, f"el caso dice que los usa, y no con tensores de {device}: {missing}"
    return result


def assert_stays(result, device) -> None:
    places = {tensor.device.type for tensor in tensors(result)}
    assert places <= {device.type}, f"hay resultados en {sorted(places - {device.type})}"


@pytest.mark.parametrize("case", CASES)
def test_it_works_on_the_device(case, device):
    assert_stays(run(case, device), device)


@pytest.mark.parametrize("case", [c for c in CASES if c.values[0].mixed])
def test_it_works_on_the_device_in_mixed_precision(case, device):
    """Como la pone `completo`: dentro de un modelo que se entrena en bf16."""
    with torch.autocast(device.type, dtype=torch.bfloat16):
        result = case.run(device)
    backward(result)


@pytest.mark.parametrize("shelf", SHELVES)
def test_every_public_name_has_a_case_or_a_reason(shelf):
    names = public(shelf)
    used = {id(one) for case in cases(shelf) for one in case.uses}
    excused = not_here(shelf)
    without = [n for n, one in names.items() if id(one) not in used and n not in excused]
    assert not without, "sin caso ni motivo:\n" + "\n".join(without)
    assert not excused.keys() - names.keys(), "con motivo, y ya no existen"
    both = [n for n in excused if id(names[n]) in used]
    assert not both, f"con caso y con motivo: {both}"


def on_the_cpu(device):
    """Dice que usa la atención en el dispositivo, y la usa en la CPU."""
    x = torch.ones(1, 2, 3)
    return attention(x, x, x)


@pytest.mark.parametrize("made", [lambda device: None, on_the_cpu])
def test_a_case_that_does_not_use_what_it_says_is_told(device, made):
    with pytest.raises(AssertionError, match="attention"):
        run(Case("mentira", (attention,), made, mixed=False), device)


def test_a_result_that_leaves_the_device_is_told(device):
    with pytest.raises(AssertionError, match="cpu"):
        assert_stays([torch.ones(2, device=device), {"y": torch.ones(2)}], device)


def test_public_names_are_those_that_a_shelf_defines():
    names = public("layers")
    assert names["layers.attention.attention"] is attention
    assert "layers.kernels.windows.LocalAttention" in names
    assert not {n for n in names if n.rsplit(".", 1)[1].startswith("_")}
    assert "layers.blocks.fused_attention" not in names  # solo lo importa
