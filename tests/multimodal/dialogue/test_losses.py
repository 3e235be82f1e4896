"""La pérdida cuenta las respuestas y nada más, y la de la torre, cada sí o no."""

from itertools import islice

import torch
import torch.nn.functional as F

from tests.multimodal.dialogue.small import tower, whole
from tfcourse.datasets.scenes.asked_scenes import asked_scenes, endless
from tfcourse.multimodal.dialogue.form import turns
from tfcourse.multimodal.dialogue.losses import dialogue_loss, presence_loss, seen_by_quarter
from tfcourse.multimodal.dialogue.tower import SEEN, present

PLACES = ((0, 0), (0, 1), (1, 0), (1, 1))


def batch(n_image=4):
    return turns(list(islice(endless(1, 3), 5)), n_image)


def test_it_is_the_mean_over_the_answers_by_loops():
    model, (tokens, answer, images) = whole(), batch()
    logits, costs = model(tokens, images), []
    for row in range(len(tokens)):
        for place in range(1, tokens.shape[1]):
            if answer[row, place]:
                costs.append(F.cross_entropy(logits[row, place - 1], tokens[row, place]))
    wanted = torch.stack(costs).mean()
    torch.testing.assert_close(dialogue_loss(model, batch()), wanted)


def test_what_is_asked_or_padded_is_not_learnt():
    model, (tokens, answer, images) = whole(), batch()
    logits = model(tokens[:, :-1], images)
    logits.retain_grad()

    class Told(torch.nn.Module):
        def forward(self, *_):
            return logits

    dialogue_loss(Told(), type(batch())(tokens, answer, images)).backward()
    moved = logits.grad.abs().amax(-1) > 0
    assert moved.equal(answer[:, 1:])


def test_blind_does_not_look_at_the_picture():
    model, own = whole(), batch(0)
    other = own._replace(images=own.images.flip(0) * 0)
    blind = dialogue_loss(model, own, blind=True)
    assert blind.equal(dialogue_loss(model, other, blind=True))
    seeing = batch()
    dark = seeing._replace(images=seeing.images * 0)
    assert not dialogue_loss(model, seeing).equal(dialogue_loss(model, dark))


def test_each_quarter_has_its_questions():
    scenes = asked_scenes(6, torch.Generator().manual_seed(0))
    for row, scene in zip(present(scenes), scenes, strict=True):
        inside = {quarter: {*names} for quarter, *names in scene.things}
        for quarter in range(4):
            found = {name for name, one in zip(SEEN, row[quarter], strict=True) if one}
            assert found == inside.get(quarter, set())
    model, images = tower(), torch.stack([scene.image for scene in scenes])
    states = model.encode(images).view(6, 4, 4, -1)
    corners = [states[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2].mean((1, 2)) for i, j in PLACES]
    chances = torch.stack([model.head(corner) for corner in corners], dim=1)
    torch.testing.assert_close(seen_by_quarter(model, images), chances)
    right = torch.where(present(scenes) > 0, chances.sigmoid(), 1 - chances.sigmoid())
    torch.testing.assert_close(presence_loss(model, (images, present(scenes))), -right.log().mean())
