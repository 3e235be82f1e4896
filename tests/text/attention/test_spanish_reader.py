"""El BERT en español con el que se miran las cabezas: sus ventanas, sus mapas y su gemelo."""

import torch

from tfcourse.text.attention.spanish_reader import all_head_maps, load_spanish_reader
from tfcourse.text.bert.recipe import load


def test_it_is_the_model_that_comes_with_the_course():
    reader, (model, tokenizer) = load_spanish_reader(), load("bert_espanol")
    assert reader.tokenizer.tokens == tokenizer.tokens
    for name, value in model.bert.state_dict().items():
        assert torch.equal(reader.model.state_dict()[name], value), name
    changed = reader.untrained.blocks[0].state_dict()
    assert not torch.equal(
        changed["attention.q_proj.weight"], model.bert.blocks[0].attention.q_proj.weight
    )


def test_windows_and_sentences_go_between_their_marks():
    reader = load_spanish_reader()
    windows = reader.windows(3)
    assert windows.shape == (3, reader.model.config.max_length)
    sentence = reader.sentence("la llave abre la puerta")
    for tokens in (windows[0], sentence[0]):
        assert [int(tokens[0]), int(tokens[-1])] == reader.special
    words = reader.words(sentence[0])
    assert words[0] == "[CLS]" and words[1] == "la" and words[-1] == "[SEP]"


def test_the_maps_of_the_first_layer_go_first():
    reader = load_spanish_reader()
    windows = reader.windows(2)
    maps = all_head_maps(reader.model, windows)
    lengths = torch.full((2,), windows.shape[1])
    by_layer = reader.model.attention_maps(windows, lengths)
    assert maps.shape[1] == sum(each.shape[1] for each in by_layer)
    torch.testing.assert_close(maps[:, : by_layer[0].shape[1]], by_layer[0])
    torch.testing.assert_close(maps.sum(-1), torch.ones(maps.shape[:-1]))
