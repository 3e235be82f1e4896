"""Las conversaciones, en números: qué va delante, qué es respuesta y qué se lee de vuelta."""

from itertools import islice

import pytest

from tfcourse.datasets.scenes.asked_scenes import description, endless, held_out
from tfcourse.multimodal.dialogue.form import (
    IMAGE,
    image_id,
    opening,
    prompts,
    read,
    turn,
    turns,
    vocabulary,
)


@pytest.fixture(scope="module")
def talks():
    return list(islice(endless(0, 3), 6))


def words(ids):
    return [vocabulary().tokens[int(number)] for number in ids]


@pytest.mark.parametrize("n_image", [None, 0, 4])
def test_a_row_is_the_opening_and_its_turns(talks, n_image):
    tokens, answer, images = turns(talks, n_image)
    for row, told, image, (scene, questions) in zip(tokens, answer, images, talks, strict=True):
        front = description(scene) if n_image is None else [IMAGE] * n_image
        wanted, marks = ["<inicio>", *front], [False] * (1 + len(front))
        for question in questions:
            wanted += [*question.words, *question.answer, "<fin>"]
            marks += [False] * len(question.words) + [True] * (len(question.answer) + 1)
        assert words(row)[: len(wanted)] == wanted
        assert {*words(row)[len(wanted) :]} <= {"<relleno>"}
        assert told.tolist() == marks + [False] * (len(row) - len(wanted))
        assert image.equal(scene.image)


def test_a_prompt_ends_where_it_is_time_to_answer(talks):
    pairs = [(scene, own[0]) for scene, own in talks]
    for ids, (scene, question) in zip(prompts(pairs, 2), pairs, strict=True):
        assert words(ids) == ["<inicio>", IMAGE, IMAGE, *question.words]
        assert ids == opening(scene, 2) + turn(question)[0]
    assert IMAGE not in words(prompts(pairs, 0)[0]) and image_id() in prompts(pairs, 1)[0]


def test_what_is_written_is_read_until_its_end():
    for _, question in held_out(4):
        ids = turn(question)[1]
        assert read([*ids, image_id(), 5]) == " ".join(question.answer)
