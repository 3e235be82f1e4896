"""Las medidas: quien contesta bien, quien dice siempre que sí y a dónde se mira."""

import pytest
import torch

from tests.multimodal.dialogue.small import whole
from tfcourse.datasets.scenes.asked_scenes import KINDS, held_out
from tfcourse.multimodal.dialogue.form import prompts
from tfcourse.multimodal.dialogue.metrics import (
    commonest,
    hits,
    hits_by_kind,
    invented,
    looked_at,
    measured,
    share,
)


@pytest.fixture(scope="module")
def pairs():
    return held_out(40)


def right(pairs):
    return [" ".join(question.answer) for _, question in pairs]


def test_who_is_always_right_invents_nothing(pairs):
    found = measured(pairs, right(pairs))
    assert all(found[key] == 1 for key in (*KINDS, "todas"))
    assert all(value == 0 for key, value in found.items() if key.startswith("se inventa"))


def test_who_always_says_yes_is_right_half_the_time_and_invents_it_all(pairs):
    said = ["sí"] * len(pairs)
    found = measured(pairs, said)
    absent = [question.absent for _, question in pairs if question.kind == "sí o no"]
    assert found["sí o no"] == pytest.approx(1 - sum(absent) / len(absent))
    assert found["color"] == found["dónde"] == 0
    assert found["se inventa, con trampa"] == found["se inventa, sin trampa"] == 1
    traps, plain = (len(invented(pairs, said, trap=trap)) for trap in (True, False))
    assert traps == sum(question.trap for _, question in pairs) and traps + plain == sum(absent)
    empty = sum(question.answer == ("nada",) for _, question in pairs)
    assert len(invented(pairs, said)) == traps + plain + empty


def test_one_wrong_answer_counts_once(pairs):
    said = right(pairs)
    place = next(i for i, (_, question) in enumerate(pairs) if question.kind == "color")
    said[place] = "morado"
    assert hits(pairs, said).count(False) == 1
    assert hits_by_kind(pairs, said)["color"].count(False) == 1


def test_the_commonest_answer_is_of_its_kind():
    assert commonest().keys() == {*KINDS} and commonest()["sí o no"] in ("sí", "no")
    assert commonest()["dónde"].startswith(("arriba a la", "abajo a la"))
    assert share([True, False]) == 0.5


def test_where_it_looks_is_the_last_row_of_its_layer(pairs):
    model = whole()
    for layer in (0, 1):
        (found,) = looked_at(model, pairs[:1], layer)
        tokens = torch.tensor([prompts(pairs[:1], 4)[0]])
        maps = model.attention_maps(tokens, pairs[0][0].image[None])[1 + layer]
        torch.testing.assert_close(found.flatten(), maps[0, :, -1, 1:5].mean(0))
        assert found.shape == (2, 2) and 0 < found.sum() < 1


def test_another_wrong_answer_is_not_an_invention(pairs):
    assert not any(invented(pairs, ["rojo"] * len(pairs)))
    empty = [pair for pair in pairs if pair[1].answer == ("nada",)]
    assert empty and all(invented(empty, ["cruz"] * len(empty)))


def test_what_nobody_asks_is_not_measured(pairs):
    present = [pair for pair in pairs if not pair[1].absent]
    found = measured(present, right(present))
    assert found["todas"] == 1 and not any(name.startswith("se inventa") for name in found)
