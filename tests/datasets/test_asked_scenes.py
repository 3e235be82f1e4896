"""Escenas preguntadas: lo que se contesta es lo que se ve, y lo reservado no sale al entrenar."""

import random
from collections import Counter
from itertools import islice

import pytest
import torch

from tests.datasets.test_told_scenes import painted
from tfcourse.datasets.scenes.asked_scenes import (
    COUNTS,
    KINDS,
    MOST_QUESTIONS,
    NO,
    NOTHING,
    RESERVED,
    SEEN,
    YES,
    ask_about,
    asked_scenes,
    description,
    dialogue_words,
    endless,
    held_out,
    place,
)
from tfcourse.datasets.scenes.told_scenes import COLOURS, ToldScene


@pytest.fixture(scope="module")
def talks():
    return list(islice(endless(0, 4), 600))


def right_answer(scene, question):
    """La respuesta, contada otra vez a partir de las palabras de la pregunta."""
    words = question.words
    if question.kind == "cuántas":
        return (COUNTS[len(scene.things) - 1],)
    if question.kind == "qué":
        here = [shape for quarter, shape, _ in scene.things if place(quarter) == words[3:-1]]
        return tuple(here or [NOTHING])
    masculine = {"roja": "rojo", "amarilla": "amarillo"}
    if question.kind == "color":
        (colour,) = [colour for _, shape, colour in scene.things if shape == words[-2]]
        return (colour,)
    pair = words[-3], masculine.get(words[-2], words[-2])
    spots = [quarter for quarter, *thing in scene.things if tuple(thing) == pair]
    if question.kind == "dónde":
        (quarter,) = spots
        return place(quarter)
    return (YES if spots else NO,)


def test_every_answer_is_the_one_of_its_scene(talks):
    pairs = [(scene, question) for scene, own in talks for question in own]
    for reserved in (False, True):
        pairs += held_out(40, reserved=reserved)
    for scene, question in pairs:
        assert question.answer == right_answer(scene, question), question
        assert question.absent == (question.answer in ((NO,), (NOTHING,)))
        assert {*question.words, *question.answer, *description(scene)} <= dialogue_words()
    assert {question.kind for _, question in pairs} == {*KINDS}


def test_the_picture_has_what_is_said():
    names, palette = tuple(COLOURS), torch.tensor(list(COLOURS.values()))
    for scene in asked_scenes(60, torch.Generator().manual_seed(1)):
        if len(scene.things) > 2:
            continue  # con más figuras, la mediana ya no es el fondo
        inside = {quarter: colour for quarter, _, colour in scene.things}
        for quarter in range(4):
            patch, ink = painted(scene, quarter)
            if quarter not in inside:
                assert ink.float().mean() < 0.12
                continue
            mean = patch[:, ink].mean(dim=1)
            assert names[int((palette - mean).square().sum(1).argmin())] == inside[quarter]


def test_the_reserved_pairs_are_never_painted_nor_named_in_training(talks):
    shown = {thing[1:] for scene, _ in talks for thing in scene.things}
    assert shown == {*SEEN} and not shown & {*RESERVED}
    said = {" ".join(question.words) for _, own in talks for question in own}
    for _, question in held_out(80):
        said.add(" ".join(question.words))
    assert not any(name in text for text in said for name in ("cruz azul", "círculo amarillo"))


def test_the_reserved_scenes_ask_about_what_was_kept_away():
    pairs = held_out(30, reserved=True)
    for scene, question in pairs:
        assert {thing[1:] for thing in scene.things} & {*RESERVED}
        assert not question.absent or question.kind == "sí o no"
        if question.kind in ("dónde", "sí o no"):
            assert question.words[-3:-1] in (("cruz", "azul"), ("círculo", "amarillo"))


def test_nothing_is_asked_twice_of_the_same_scene(talks):
    for _, own in (*talks, *islice(endless(1, MOST_QUESTIONS), 200)):
        assert len({question.words for question in own}) == len(own)
    with pytest.raises(ValueError, match="n_questions=9: pide 8 como mucho"):
        next(endless(0, 9))


def test_only_what_can_be_asked_of_some_kinds_is_asked():
    for scene, own in islice(endless(0, kinds=("color",)), 200):
        shapes = [shape for _, shape, _ in scene.things]
        assert [question.kind for question in own] == ["color"]
        assert shapes.count(own[0].words[-2]) == 1


@pytest.mark.parametrize("reserved", [False, True])
def test_the_commonest_answer_is_no_better_than_luck(reserved):
    for kind in KINDS:
        own = Counter(
            question.answer for _, question in held_out(80, reserved=reserved, kinds=(kind,))
        )
        assert len(own) > 1 and max(own.values()) == min(own.values()), (kind, own)


def test_kinds_are_even_and_yes_is_half(talks):
    kinds = Counter(question.kind for _, own in talks for question in own)
    assert min(kinds.values()) > 0.15 * sum(kinds.values())
    whether = [question for _, question in held_out(600, kinds=("sí o no",))]
    assert 0.42 < sum(question.absent for question in whether) / 600 < 0.58
    traps = sum(question.trap for question in whether)
    assert 60 < traps < sum(question.absent for question in whether) - 60


def test_a_trap_has_both_halves_and_not_the_pair():
    for scene, question in held_out(200, kinds=("sí o no",)):
        if not question.trap:
            continue
        shape, colour = (
            question.words[-3],
            {"roja": "rojo", "amarilla": "amarillo"}.get(question.words[-2], question.words[-2]),
        )
        assert any(thing[1] == shape for thing in scene.things)
        assert any(thing[2] == colour for thing in scene.things)
        assert (shape, colour) not in {thing[1:] for thing in scene.things}


def test_what_is_asked_by_hand():
    things = ((0, "cruz", "roja"[:-1] + "o"), (3, "círculo", "verde"))
    scene, rng = ToldScene(torch.zeros(3, 32, 32), things), random.Random(0)
    assert " ".join(description(scene)) == (
        "hay dos : una cruz roja arriba a la izquierda , un círculo verde abajo a la derecha ."
    )
    assert ask_about(scene, "cuántas", rng).answer == ("dos",)
    asked = {ask_about(scene, "color", rng).text for _ in range(20)}
    assert asked == {"¿De qué color es la cruz?", "¿De qué color es el círculo?"}
    twice = ToldScene(scene.image, ((0, "cruz", "rojo"), (3, "cruz", "rojo")))
    assert ask_about(twice, "color", rng) is None and ask_about(twice, "dónde", rng) is None


def test_same_seed_same_scenes_and_errors_are_explained():
    first, again = (list(islice(endless(3), 70)) for _ in range(2))
    assert [own for _, own in first] == [own for _, own in again]
    assert all(a.image.equal(b.image) for (a, _), (b, _) in zip(first, again, strict=True))
    assert first[0][0].things != next(endless(4))[0].things
    with pytest.raises(ValueError, match="pide al menos una escena"):
        asked_scenes(0, torch.Generator())
    with pytest.raises(ValueError, match="kind='quién': usa una de qué, color"):
        ask_about(first[0][0], "quién", random.Random(0))
