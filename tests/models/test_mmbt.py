"""MMBT: una sola secuencia con dos segmentos, y nadie mira el relleno ni lo que no le toca."""

import pytest
import torch

from tfcourse.models.bert import Bert, BertConfig
from tfcourse.models.mmbt import IMAGE, SIGHTS, TEXT, Mmbt, MmbtConfig

CLS_ID, SEP_ID = 1, 2


def small_bert() -> Bert:
    torch.manual_seed(0)
    return Bert(BertConfig(30, d_model=16, n_heads=2, n_layers=3, d_hidden=32, max_length=20))


def small_mmbt(sight: str = "las dos", **changes) -> Mmbt:
    bert = small_bert()
    torch.manual_seed(1)
    return Mmbt(bert, MmbtConfig(4, CLS_ID, SEP_ID, sight, cell=4, **changes)).eval()


def a_batch(n: int = 5):
    generator = torch.Generator().manual_seed(2)
    images = torch.rand(n, 3, 8, 8, generator=generator)
    words = torch.randint(3, 30, (n, 6), generator=generator)
    return images, words, torch.randint(2, 7, (n,), generator=generator)


def test_what_bert_reads_one_by_one():
    """[CLS], la imagen, [SEP] y el texto; cada modalidad, con su segmento y desde la posición 0."""
    model = small_mmbt()
    images, words, lengths = a_batch()
    embedding = model.bert.embedding
    with torch.no_grad():
        tokens, kept = model.tokens(images, words, lengths)
        picture = model.image_tokens(images)
        vectors = [embedding.table.weight[CLS_ID].expand(5, -1), *picture.unbind(1)]
        vectors.append(embedding.table.weight[SEP_ID].expand(5, -1))
        rows = [(v, i, IMAGE) for i, v in enumerate(vectors)]
        rows += [(embedding.table(words[:, i]), i, TEXT) for i in range(6)]
        for place, (vector, position, segment) in enumerate(rows):
            summed = vector + embedding.positions.table.weight[position]
            expected = embedding.norm(summed + embedding.segments.weight[segment])
            torch.testing.assert_close(tokens[:, place], expected)
    assert tokens.shape[1] == len(rows) == 6 + 6
    assert torch.equal(kept[:, :6], torch.ones(5, 6, dtype=torch.bool))
    assert kept[:, 6:].sum(1).tolist() == lengths.tolist()


def test_only_text_is_bert_reading_the_words():
    """Sin imagen, tras el [CLS] quedan las palabras, y los bloques son los del BERT."""
    model = small_mmbt("solo texto")
    _, words, lengths = a_batch()
    with torch.no_grad():
        tokens, kept = model.tokens(torch.zeros(5, 3, 8, 8), words, lengths)
        x = tokens
        for block in small_bert().blocks:
            x = block(x, kept[:, None, None])
        torch.testing.assert_close(model.encode(torch.zeros(5, 3, 8, 8), words, lengths)[0], x)
    assert tokens.shape[1] == 1 + 6


def test_padding_does_not_count():
    model = small_mmbt()
    images, words, lengths = a_batch()
    changed = words.clone()
    changed[torch.arange(6) >= lengths[:, None]] = 3
    assert not torch.equal(words, changed)
    with torch.no_grad():
        torch.testing.assert_close(model(images, changed, lengths), model(images, words, lengths))
        longest = int(lengths[:2].max())
        torch.testing.assert_close(
            model(images[:2], words[:2, :longest], lengths[:2]),
            model(images, words, lengths)[:2],
        )


@pytest.mark.parametrize("sight", SIGHTS)
def test_each_sight_reads_only_its_own(sight):
    model = small_mmbt(sight)
    images, words, lengths = a_batch()
    sees, reads = SIGHTS[sight]
    with torch.no_grad():
        base = model(images, words, lengths)
        without_image = model(images.flip(0), words, lengths)
        without_text = model(images, words.flip(1), lengths)
    assert torch.allclose(base, without_image) != sees
    assert torch.allclose(base, without_text) != reads


def test_words_and_image_look_at_each_other():
    """Cambiar la imagen cambia el vector de una palabra, y al revés."""
    model = small_mmbt()
    images, words, lengths = a_batch()
    with torch.no_grad():
        base, _ = model.encode(images, words, lengths)
        other_image, _ = model.encode(images.flip(0), words, lengths)
        other_words, _ = model.encode(images, words.flip(1), lengths)
    assert not torch.allclose(base[0, 6], other_image[0, 6])
    assert not torch.allclose(base[0, 1], other_words[0, 1])


def test_the_original_bert_is_not_touched():
    bert = small_bert()
    before = {name: value.clone() for name, value in bert.state_dict().items()}
    model = Mmbt(bert, MmbtConfig(4, CLS_ID, SEP_ID, n_layers=1, cell=4))
    assert len(model.bert.layers()) == 1 and len(bert.layers()) == 3
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    model(*a_batch()).sum().backward()
    optimizer.step()
    for name, value in bert.state_dict().items():
        assert torch.equal(value, before[name])


@pytest.mark.lento
@pytest.mark.parametrize("sight", SIGHTS)
def test_memorises_a_batch(sight):
    model = small_mmbt(sight, dropout=0.0).train()
    batch, labels = a_batch(), torch.tensor([0, 1, 2, 3, 0])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(model(*batch), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert (model(*batch).argmax(1) == labels).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sight": "el oído"}, "usa 'las dos', 'solo imagen', 'solo texto'"),
        ({"n_classes": 1}, "al menos dos"),
    ],
)
def test_usage_errors(changes, message):
    with pytest.raises(ValueError, match=message):
        MmbtConfig(**{"n_classes": 4, "cls_id": 1, "sep_id": 2} | changes)
