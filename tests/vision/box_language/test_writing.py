"""De palabras a detecciones: la pérdida, el final y las confianzas."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tfcourse.datasets.folders.detection_folders import coco_images
from tfcourse.datasets.scenes.box_sequences import write_scenes
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig
from tfcourse.tokenizers.boxes import BoxVocabulary
from tfcourse.vision.box_language.writing import (
    WritingLoss,
    best_class,
    read_photos,
    soft_targets,
    stop_as_event,
    stop_as_word,
    weighted_log_likelihood,
    write_objects,
)
from workshop.rehearsal.coco import make_coco

VOCABULARY = BoxVocabulary(9, 2)
TINY = {"d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1, "d_hidden": 16}


def test_with_hard_targets_it_is_the_cross_entropy():
    logits = torch.randn(3, 4, len(VOCABULARY), dtype=torch.float64)
    targets = torch.randint(len(VOCABULARY), (3, 4))
    weights = torch.rand(3, 4, dtype=torch.float64)
    plain = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="none")
    wanted = (plain.view(3, 4) * weights).sum() / weights.sum()
    hard = soft_targets(VOCABULARY, 0.0)
    torch.testing.assert_close(weighted_log_likelihood(logits, targets, weights, hard), wanted)


def test_what_does_not_count_has_no_gradient():
    logits = torch.randn(1, 4, len(VOCABULARY), requires_grad=True)
    weights = torch.tensor([[1.0, 0.0, 1.0, 0.0]])
    targets = torch.zeros(1, 4, dtype=torch.long)
    weighted_log_likelihood(logits, targets, weights, soft_targets(VOCABULARY, 1.0)).backward()
    assert (logits.grad[0, [1, 3]] == 0).all() and (logits.grad[0, [0, 2]] != 0).any()


def test_the_soft_targets_are_bells_and_only_for_coordinates():
    table = soft_targets(VOCABULARY, 1.0)
    torch.testing.assert_close(table.sum(1), torch.ones(len(VOCABULARY)))
    assert (table[:9].argmax(1) == torch.arange(9)).all() and (table[:9, 9:] == 0).all()
    assert torch.equal(table[9:], torch.eye(len(VOCABULARY))[9:])
    assert math.isclose(float(table[4, 5] / table[4, 4]), math.exp(-0.5), rel_tol=1e-5)
    assert torch.equal(soft_targets(VOCABULARY, 0.0), torch.eye(len(VOCABULARY)))


def test_the_best_soft_answer_is_the_bell():
    soft, right = soft_targets(VOCABULARY, 1.0), torch.tensor([4])
    one = torch.ones(1)
    bell = soft[4].clamp(min=1e-12).log()[None]
    least = weighted_log_likelihood(bell, right, one, soft)
    for said in range(9):
        sure = 10 * torch.eye(len(VOCABULARY))[said][None]
        assert weighted_log_likelihood(sure, right, one, soft) > least


def test_each_row_is_the_bell_of_its_word():
    """A quien no sabe nada, cualquier palabra le cuesta lo mismo, también las del borde."""
    blind, one = torch.zeros(1, len(VOCABULARY)), torch.ones(1)
    soft = soft_targets(VOCABULARY, 1.5)
    for word in range(len(VOCABULARY)):
        cost = weighted_log_likelihood(blind, torch.tensor([word]), one, soft)
        assert float(cost) == pytest.approx(math.log(len(VOCABULARY)), rel=1e-5)


def endings():
    logits = torch.full((2, len(VOCABULARY)), -torch.inf)
    logits[0, :7], logits[0, VOCABULARY.stop_id] = math.log(0.1), math.log(0.3)
    logits[1, :9], logits[1, VOCABULARY.stop_id] = math.log(0.01), math.log(0.9)
    return logits


def test_stop_is_one_word_against_the_sum_of_the_others():
    assert stop_as_word(endings(), VOCABULARY).tolist() == [True, True]
    assert stop_as_event(endings(), VOCABULARY).tolist() == [False, True]


def test_stop_competes_only_with_what_fits_there():
    """Una clase no puede empezar un objeto: por probable que sea, no retrasa el final."""
    logits = torch.full((1, len(VOCABULARY)), -torch.inf)
    logits[0, :9], logits[0, VOCABULARY.stop_id] = math.log(0.01), math.log(0.2)
    logits[0, 9] = math.log(0.7)
    assert stop_as_word(logits, VOCABULARY).tolist() == [True]
    assert stop_as_event(logits, VOCABULARY).tolist() == [True]


def test_the_class_is_real_even_when_noise_is_likelier():
    logits = torch.zeros(1, len(VOCABULARY))
    logits[0, 10], logits[0, VOCABULARY.noise_id] = 1.0, 3.0
    score, word = best_class(logits, VOCABULARY)
    chances = torch.tensor([0.0, 1.0, 3.0]).softmax(0)
    assert word.item() == 10
    torch.testing.assert_close(score[0], chances[1])


class Script(nn.Module):
    """Escribe siempre lo mismo: el logit más alto en cada lugar es el de su guion."""

    def __init__(self, script, stop_at=None):
        super().__init__()
        self.vocabulary, self.script, self.stop_at = VOCABULARY, script, stop_at
        self.words = nn.Embedding(1, 1)
        self.read = []

    def step(self, words, place):
        self.read.append(words[:, 0].tolist())
        logits = torch.zeros(len(words), len(VOCABULARY))
        logits[:, self.script[place]] = 4.0
        if place == self.stop_at:
            logits[:, VOCABULARY.stop_id] = 9.0
        return logits, place + 1


def test_it_reads_what_it_wrote_and_only_writes_what_fits():
    # El guion quiere una clase donde va una coordenada, y ruido donde va la clase.
    model = Script([1, 10, 3, 4, VOCABULARY.noise_id, 5, 6, 7, 8, 9])
    reading = write_objects(model, 0, 2, 2)
    assert reading.words[0, 1].tolist() == [5, 6, 7, 8, 9]
    assert reading.words[0, 0].tolist()[:1] == [1] and reading.words[0, 0, 1] < 9
    assert 9 <= reading.words[0, 0, 4] < 11
    assert model.read[0] == [VOCABULARY.start_id] * 2
    assert [row[0] for row in model.read[1:]] == reading.words[0].flatten().tolist()[:-1]
    assert reading.scores[0, 0] < 0.1 < 0.9 < reading.scores[0, 1]  # el ruido se nota


def test_after_the_end_nothing_counts():
    model = Script([1, 2, 3, 4, 9, 5, 6, 7, 8, 9, 1, 2, 3, 4, 9], stop_at=5)
    for stop, alive in ((None, [True] * 3), (stop_as_event, [True, False, False])):
        model.read.clear()
        reading = write_objects(model, 0, 1, 3, stop=stop)
        assert (reading.scores[0] > 0).tolist() == alive
        assert len(model.read) == (15 if stop is None else 6)  # el FIN se lee y no se sigue
    found = reading.found(VOCABULARY)
    assert found.boxes.shape == (1, 3, 4)
    torch.testing.assert_close(found.boxes[0, 0], torch.tensor([3 / 8, 2 / 8, 2 / 8, 2 / 8]))
    assert found.classes[0].tolist() == [0, 0, 0]


class Uneven(Script):
    """El mismo guion, pero solo la primera imagen quiere acabar."""

    def step(self, words, place):
        logits, after = super().step(words, place)
        logits[1:, VOCABULARY.stop_id] = 0.0
        return logits, after


def test_one_image_ends_and_the_other_goes_on():
    script = [1, 2, 3, 4, 9, 5, 6, 7, 8, 9, 1, 2, 3, 4, 9]
    model = Uneven(script, stop_at=5)
    reading = write_objects(model, 0, 2, 3, stop=stop_as_event)
    assert len(model.read) == 15
    assert (reading.scores > 0).tolist() == [[True, False, False], [True] * 3]
    assert reading.words[1].flatten().tolist() == script
    whole = write_objects(Uneven(script, stop_at=3), 0, 2, 3, stop=stop_as_event)
    assert (whole.scores > 0).all()  # a mitad de un objeto no se acaba


def test_each_coordinate_is_chosen_as_asked():
    given = []

    def always_seven(logits):
        given.append(logits)
        return torch.full((len(logits),), 7)

    reading = write_objects(Script([1, 2, 3, 4, 10]), 0, 2, 1, choose=always_seven)
    assert reading.words.tolist() == [[[7, 7, 7, 7, 10]]] * 2
    assert all(torch.equal(x.isfinite(), VOCABULARY.allowed(0).expand(2, -1)) for x in given)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: soft_targets(VOCABULARY, -1.0), "no puede ser negativa"),
        (
            lambda: weighted_log_likelihood(
                torch.zeros(1, 2, len(VOCABULARY)), torch.zeros(1, 2).long(), torch.zeros(1, 2),
                soft_targets(VOCABULARY, 0.0),
            ),
            "ninguna palabra que aprender",
        ),
    ],
)  # fmt: skip
def test_misuse_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_eyes_add_their_own_loss():
    from tfcourse.datasets.scenes.box_sequences import sequence_batches
    from tfcourse.layers.image.patch_head import patch_loss
    from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig

    torch.manual_seed(0)
    model = Pix2Seq(Pix2SeqConfig(4, d_model=32, n_heads=4, d_hidden=32)).eval()
    batch = next(sequence_batches(2, 0, model.vocabulary))
    alone, both = (WritingLoss(model.vocabulary, 1.0, eyes)(model, batch) for eyes in (0.0, 0.5))
    seen = patch_loss(model.patches(model.encode(batch[0])), batch[4])
    torch.testing.assert_close(both - alone, 0.5 * seen)


def test_with_no_colouring_only_the_words_count():
    """Sin `eyes`, una sola llamada al modelo da lo mismo que leer y escribir por separado."""
    torch.manual_seed(0)
    model = Pix2Seq(Pix2SeqConfig(2, 9, 3, **TINY))
    boxes, classes = torch.rand(2, 3, 4), torch.randint(2, (2, 3))
    generator = torch.Generator().manual_seed(0)
    written = write_scenes(boxes, classes, torch.tensor([3, 1]), model.vocabulary, generator)
    images, loss = torch.rand(2, 3, 32, 32), WritingLoss(model.vocabulary)
    apart = loss.words(model.decode(written[0], model.encode(images)), *written[1:])
    torch.testing.assert_close(loss(model, (images, *written)), apart)


def test_every_photo_of_a_folder_is_read(tmp_path):
    """De lote en lote, lo mismo que de una vez; y si toca acabar, se acaba."""
    make_coco(tmp_path)
    notes = tmp_path / "annotations/instances_val2017.json"
    photos = coco_images(tmp_path / "val2017", notes, 32)
    torch.manual_seed(0)
    model = Pix2Seq(Pix2SeqConfig(len(photos.classes), 9, 3, **TINY)).eval()
    images = torch.stack([photos[row][0] for row in range(len(photos))])
    at_once = write_objects(model, model.start(images), len(images), 3).found(model.vocabulary)
    found = read_photos(model, photos, batch_size=3)
    torch.testing.assert_close(found.boxes, at_once.boxes)
    torch.testing.assert_close(found.scores, at_once.scores)
    assert torch.equal(found.classes, at_once.classes) and (found.scores > 0).all()
    with torch.no_grad():
        model.head.bias[model.vocabulary.stop_id] += 50
    assert (read_photos(model, photos, stop=stop_as_event).scores == 0).all()
