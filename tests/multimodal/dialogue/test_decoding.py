"""Responder: lo mismo de una en una, con la imagen, con la descripción y a ciegas."""

import torch

from tests.multimodal.dialogue.small import reader, whole
from tfcourse.datasets.scenes.asked_scenes import held_out
from tfcourse.multimodal.dialogue.decoding import MAX_ANSWER, answers
from tfcourse.multimodal.dialogue.form import prompts, read, turn
from tfcourse.tokenizers.vocabulary import Vocabulary


def slowly(model, row, image=None):
    """La respuesta, volviendo a leerlo todo en cada paso."""
    tokens, written = torch.tensor([row]), []
    while len(written) < MAX_ANSWER and Vocabulary.stop_id not in written:
        logits = model(tokens) if image is None else model(tokens, image[None])
        written.append(int(logits[0, -1].argmax()))
        tokens = torch.cat([tokens, torch.tensor([written[-1:]])], dim=1)
    return read(written)


@torch.no_grad()
def test_the_cache_and_the_batches_change_nothing():
    model, pairs = whole(), held_out(3)
    rows = prompts(pairs, 4)
    assert answers(model, pairs) == [
        slowly(model, row, scene.image) for row, (scene, _) in zip(rows, pairs, strict=True)
    ]
    blind = [slowly(model, row) for row in prompts(pairs, 0)]
    assert answers(model, pairs, blind=True) == blind
    told = [slowly(reader(), row) for row in prompts(pairs, None)]
    assert answers(reader(), pairs) == told


def test_the_longest_answer_fits():
    assert max(len(turn(question)[1]) for _, question in held_out(20)) < MAX_ANSWER
