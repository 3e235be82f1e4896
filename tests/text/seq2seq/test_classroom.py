"""Los traductores del aula: se entrenan iguales y se miden sin perdonar un error."""

import torch

from tfcourse.datasets.sequences import encode_pairs
from tfcourse.models.seq2seq import Seq2Seq
from tfcourse.text.seq2seq.classroom import exact_translations, train_model
from tfcourse.tokenizers.vocabulary import Vocabulary

TEXTS = [list(text) for text in ("ab", "ba", "aab", "bba")]
VOCABULARIES = (Vocabulary("ab"), Vocabulary("ab"))
PAIRS = encode_pairs(8 * TEXTS, 8 * TEXTS, *VOCABULARIES)  # un lote justo
TINY = {"d_embedding": 8, "d_hidden": 8}


def test_only_the_decoder_changes():
    """Los codificadores empiezan con los mismos números, y la historia dura lo que se pide."""
    starts = {}
    for decoder in ("fijo", "bahdanau"):
        model, history = train_model(
            decoder, PAIRS, VOCABULARIES, steps=1, rate=0.0, sizes=TINY, seed=3
        )
        starts[decoder] = model.encoder.state_dict()
        assert len(history.loss) == 1
    for name, value in starts["fijo"].items():
        torch.testing.assert_close(value, starts["bahdanau"][name])


def test_a_single_mistake_spoils_an_output(monkeypatch):
    model = Seq2Seq.__new__(Seq2Seq)
    written = [["a", "b"], ["b", "a"], ["a", "a", "b"], ["b", "b"]]
    monkeypatch.setattr("tfcourse.text.seq2seq.classroom.translate", lambda *_, **__: written)
    assert exact_translations(model, TEXTS, TEXTS, VOCABULARIES) == 0.75


def test_who_memorizes_gets_all():
    model, _ = train_model("bahdanau", PAIRS, VOCABULARIES, steps=120, sizes=TINY)
    assert exact_translations(model, TEXTS, TEXTS, VOCABULARIES) == 1.0
