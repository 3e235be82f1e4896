"""El traductor de textos de programas: se entrena, escribe y viene con el curso."""

import json

import pytest
import torch

from tfcourse.datasets.sequences import encode_pairs
from tfcourse.decoding import translate
from tfcourse.losses import smoothed_loss
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.text.transformer import recipe as learning
from tfcourse.text.transformer.recipe import (
    MAX_LENGTH,
    WEIGHTS,
    WORKSHOP,
    Recipe,
    Translator,
    build,
    learn_pieces,
    load,
    merges_text,
    pieces_from,
    smoothed_teacher_loss,
    train,
)
from tfcourse.training import History
from tfcourse.training.budget import Steps
from tfcourse.weights.shipped import load_weights, save_weights, weights_card

PAIRS = [("open the file", "abrir el archivo"), ("close the door", "cerrar la puerta")] * 8
TINY = Recipe(
    n_tokens=300, d_model=16, n_heads=2, n_layers=1, d_hidden=32, batch_size=8, muon_lr=0.05,
    adam_lr=0.05,
)  # fmt: skip


def test_one_table_reads_and_writes_like_two_equal_ones():
    torch.manual_seed(0)
    tied = build(TINY, 50).eval()
    apart = Transformer(TransformerConfig(50, 50, **TINY.sizes)).eval()
    assert tied.source.table is tied.target.table
    apart.load_state_dict(tied.state_dict())
    source, lengths = torch.randint(4, 50, (3, 5)), torch.tensor([5, 4, 2])
    target = torch.randint(4, 50, (3, 6))
    torch.testing.assert_close(tied(source, lengths, target), apart(source, lengths, target))
    tied(source, lengths, target).sum().backward()
    apart(source, lengths, target).sum().backward()
    both = apart.source.table.weight.grad + apart.target.table.weight.grad
    torch.testing.assert_close(tied.source.table.weight.grad, both)


def test_the_shared_table_is_saved_once(tmp_path):
    model, again = build(TINY, 50), build(TINY, 50)
    save_weights("uno", model, weights_card("gpt_espanol"), tmp_path)
    load_weights("uno", again, tmp_path)
    assert again.source.table is again.target.table
    torch.testing.assert_close(again.target.table.weight, model.target.table.weight.half().float())


def test_the_loss_is_that_of_the_course():
    torch.manual_seed(0)
    model = build(TINY, 50).eval()
    target = torch.randint(4, 50, (3, 6))
    target[0, 4:] = 0
    batch = torch.randint(4, 50, (3, 5)), torch.tensor([5, 4, 2]), target
    wanted = smoothed_loss(model(*batch[:2], target[:, :-1]), target[:, 1:])
    torch.testing.assert_close(smoothed_teacher_loss(model, batch), wanted)


def test_the_pieces_are_rebuilt_from_their_merges():
    pieces = learn_pieces(TINY, PAIRS + [("ñandú…", "—")] * 3)
    again = pieces_from(merges_text(pieces))
    assert again.tokens == pieces.tokens and again.merges == pieces.merges
    assert again.decode(again.encode("¿abrir? ñ")) == "¿abrir? ñ"


def test_it_learns_to_translate_what_it_sees():
    translator = train(TINY, 0, Steps(60), pairs=PAIRS)
    sentences = ["close the door", "open the file"]
    wanted = ["cerrar la puerta", "abrir el archivo"]
    assert translator.write(sentences, batch_size=1) == translator.write(sentences) == wanted
    assert [translator.write_with_beam(text, 2) for text in sentences] == wanted
    losses = train(TINY, 0, Steps(3), pairs=PAIRS).history.loss
    assert len(losses) == 3
    assert losses == train(TINY, 0, Steps(3), pairs=PAIRS).history.loss
    assert losses != train(TINY, 1, Steps(3), pairs=PAIRS).history.loss


def test_stopping_what_is_finished_changes_nothing():
    """Contra el decodificador del curso, que sigue con todas hasta que acaba la última."""
    translator = train(TINY, 0, Steps(12), pairs=PAIRS)
    sentences = ["open the door", "close", "the file the file the door", "door"]
    read = encode_pairs(sentences, sentences, translator.pieces, translator.pieces)
    wanted = translate(
        translator.model, read.source, read.lengths, translator.pieces, max_length=MAX_LENGTH
    )
    assert translator.write(sentences) == [text.strip() for text in wanted]
    assert len(set(map(len, wanted))) > 1


@pytest.fixture
def tiny_data(monkeypatch):
    """Las parejas, sin los paquetes: dos, y una para medir."""
    pieces = pieces_from(weights_card("traductor").config["merges"])
    monkeypatch.setattr(learning, "shipped_pairs", lambda: (PAIRS, [("open the door", "abrir")]))
    monkeypatch.setattr(learning, "_pieces", lambda: pieces)


def test_the_card_is_that_of_the_recipe(tiny_data):
    card, making = weights_card("traductor"), WEIGHTS["traductor"]
    pieces = learning._pieces()
    model = build(WORKSHOP, card.config["n_tokens"]).eval()
    assert json.loads(json.dumps(making.config(model))) == card.config
    done = Translator(model, WORKSHOP, History(loss=[0.0] * card.recipe["steps"]), pieces)
    written = making.recipe(done)
    assert written.keys() == card.recipe.keys() and written["pairs"] == len(PAIRS)
    changing = ("pairs", "data_sha256")
    assert all(written[k] == value for k, value in card.recipe.items() if k not in changing)
    assert making.score(model).keys() | making.blind().keys() == card.quality.keys()
    assert (making.data, making.seed) == (card.data, card.seed)
    assert card.quality["BLEU"] > card.quality["BLEU_copiar"]


def test_the_shipped_translator_opens_and_translates():
    translator = load("traductor")
    assert len(translator.pieces) == translator.model.config.n_target
    assert not translator.model.training
    assert translator.write(["Delete the file"]) == ["Eliminar el archivo"]
    with pytest.raises(ValueError, match="aquí no hay pesos «otro»"):
        load("otro")
