"""La plantilla: va y vuelve, marca la respuesta y añade tres tokens sin cambiar los de antes."""

import pytest
import torch

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.assistant.template import MARKS, Template, with_marks
from tfcourse.text.assistant.writing import answers, write
from tfcourse.tokenizers.characters import CharacterTokenizer


@pytest.fixture(scope="module")
def form():
    return Template(CharacterTokenizer.train(["abcdefghijklmnñopqrstuvwxyz ¿?"]))


@pytest.fixture(scope="module")
def model(form):
    torch.manual_seed(0)
    size = GPTConfig(len(form.tokenizer), d_model=16, n_heads=2, n_layers=1, max_length=40)
    return with_marks(GPT(size).eval())


def test_a_conversation_goes_and_comes_back(form):
    asked, told = form.prompt("¿cuál es?"), form.answer("esta")
    assert asked[0] == form.user_id and asked[-1] == form.assistant_id and told[-1] == form.end_id
    assert form.read(told) == "esta" and form.read(told[:-1]) == "esta"
    assert [form.readable(n) for n in (asked[0], asked[-1], told[-1])] == list(MARKS)


def test_the_batch_marks_the_answer_and_its_end(form):
    pairs = [(form.prompt("uno"), form.answer("a")), (form.prompt("dos mil"), form.answer("bcd"))]
    tokens, answer = form.turns(pairs)
    for row, (asked, told) in enumerate(pairs):
        assert tokens[row, : len(asked)].tolist() == asked
        assert tokens[row][answer[row]].tolist() == told
    with pytest.raises(ValueError, match="no hay conversaciones"):
        form.turns([])


def test_the_marks_do_not_change_what_was_known(form):
    torch.manual_seed(0)
    plain = GPT(
        GPTConfig(len(form.tokenizer), d_model=16, n_heads=2, n_layers=1, max_length=40)
    ).eval()
    wider = with_marks(plain)
    tokens = torch.randint(len(form.tokenizer), (2, 9))
    assert wider(tokens).shape[-1] == len(form)
    torch.testing.assert_close(wider(tokens)[..., : -len(MARKS)], plain(tokens))
    assert plain.embedding.num_embeddings == len(form.tokenizer)


def test_what_is_written_is_what_the_model_alone_would_write(form, model):
    """Por lotes y con caché, lo mismo que token a token y una a una, también con distinto largo."""
    asked = [form.prompt(text) for text in ("uno", "dos mil", "tres", "¿y tú?")]
    found = write(model, asked, form.end_id, max_length=6)
    for prompt, told in zip(asked, found, strict=True):
        ids = list(prompt)
        for token in told:
            assert token == model(torch.tensor([ids]))[0, -1].argmax().item()
            ids.append(token)
        assert told[-1] == form.end_id or len(told) == 6


def test_copies_of_a_prompt_go_together(form, model):
    asked = [form.prompt(text) for text in ("uno", "dos mil", "tres")]
    generator = torch.Generator().manual_seed(0)
    found = write(
        model, asked, form.end_id, copies=5, temperature=1.0, generator=generator, max_length=4
    )
    assert len(found) == 15 and len({tuple(ids) for ids in found[:5]}) > 1
    one = write(model, asked, form.end_id, copies=2, max_length=4)
    assert one[0] == one[1] and one[2] == one[3] and one[4] == one[5]
    assert len(answers(model, form, ["uno", "dos"])) == 2
