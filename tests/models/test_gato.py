"""Gato: solo mira atrás, el relleno no cuenta y la pérdida es la del artículo."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.models.gato import VARIANTS, Gato, GatoConfig, gato_loss, value_vectors
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.tokenizers.token_rows import ACTION_PLACE, TokenBatch, TokenSpace, collate
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import seed_everything

SPACE = TokenSpace(Vocabulary(["rojo", "azul", "un", "dos"]))
SMALL = {"d_model": 16, "n_heads": 2, "n_layers": 2, "sound_features": 6}


def rows():
    g = torch.Generator().manual_seed(1)
    image = SPACE.image(torch.rand(4, 3, 16, 16, generator=g)) + SPACE.text(["un", "rojo"], 5)
    sound = SPACE.speech(torch.rand(3, 6, generator=g)) + SPACE.text(["dos"], 4)
    steps = [SPACE.timestep(torch.randn(2, generator=g), [i]) for i in (0, 1, 1)]
    return [image, sound, steps[0] + steps[1] + steps[2]]


def model(seed=0):
    seed_everything(seed)
    gato = Gato(GatoConfig(len(SPACE), **SMALL)).eval()
    torch.nn.init.normal_(gato.places.weight)  # que el lugar se note
    return gato


def test_the_future_does_not_change_the_past():
    gato, batch = model(), collate(rows())
    ids = batch.ids.clone()
    ids[:, -1] = SPACE.words.encode(["azul"])[0]
    before, after = gato(batch), gato(batch._replace(ids=ids))
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert not torch.allclose(before[:, -1], after[:, -1])


def test_padding_and_neighbours_do_not_matter():
    gato, every = model(), rows()
    together = gato(collate(every))
    for i, row in enumerate(every):
        torch.testing.assert_close(gato(collate([row]))[0], together[i, : len(row)])


def test_text_alone_is_a_gpt_with_the_same_weights():
    """Con los lugares a cero, es el GPT de posiciones rotatorias del curso."""
    gato = model().double()
    torch.nn.init.zeros_(gato.places.weight)
    sizes = {k: SMALL[k] for k in ("d_model", "n_heads", "n_layers")}
    gpt = GPT(GPTConfig(len(SPACE), max_length=96, positions="rotatorias", **sizes)).double()
    gpt.embedding.load_state_dict(gato.table.state_dict())
    gpt.blocks.load_state_dict(gato.blocks.state_dict())
    gpt.closing_norm.load_state_dict(gato.norm.state_dict())
    batch = collate([SPACE.text(["un", "rojo", "dos", "azul"])])
    torch.testing.assert_close(gato(batch), gpt(batch.ids))


def test_every_kind_of_token_has_its_own_vector():
    gato, batch = model(), collate(rows())
    x = gato.embed(batch)
    places = gato.places.weight
    look, listen = gato.look(batch.patches), gato.listen(batch.sounds)
    torch.testing.assert_close(x[0, 2], look[2] + places[3])
    torch.testing.assert_close(x[1, 1], listen[1] + places[2])
    torch.testing.assert_close(x[2, 0], gato.table.weight[batch.ids[2, 0]] + places[1])
    torch.testing.assert_close(x[2, 3], gato.table.weight[batch.ids[2, 3]] + places[ACTION_PLACE])


def test_reading_little_by_little_gives_the_same():
    gato, row = model(), rows()[2]
    whole = gato.states(collate([row]))
    cache, batch, parts = gato.cache(), collate([row]), []
    for start, end in ((0, 3), (3, 4), (4, 9), (9, 12)):
        piece = TokenBatch(*(t[:, start:end] for t in batch[:3]), batch.patches, batch.sounds)
        parts.append(gato.states(piece, cache))
    torch.testing.assert_close(torch.cat(parts, dim=1), whole)


def test_the_loss_is_the_mean_over_text_and_actions():
    """Token a token: −ln p de cada uno que se aprende, con todo lo de antes delante."""
    gato, every = model(), rows()
    terms = []
    for row in every:
        logits = gato(collate([row]))[0].log_softmax(-1)
        terms += [-logits[i - 1, row.ids[i]] for i in range(1, len(row)) if row.scored[i]]
    assert len(terms) == 3 + 2 + 3
    torch.testing.assert_close(gato_loss(gato, collate(every)), torch.stack(terms).mean())


def test_observations_are_not_predicted():
    """Cambiar cuál es la última observación, sin acción detrás, no cambia la pérdida."""
    gato, row = model(), rows()[2]
    losses = [
        gato_loss(gato, collate([row + SPACE.observation(torch.tensor([x, 0.0]))]))
        for x in (0.1, 9.0)
    ]
    torch.testing.assert_close(*losses)


def test_neighbouring_values_start_alike():
    torch.manual_seed(0)
    rows = F.normalize(value_vectors(1024, 64), dim=1)
    near, far = (rows[:-gap] * rows[gap:] for gap in (1, 300))
    assert float(near.sum(1).min()) > 0.9 > 0.6 > float(far.sum(1).mean())
    gato = model()
    first = len(SPACE.words)
    table = F.normalize(gato.table.weight.detach(), dim=1)
    assert float((table[first] * table[first + 1]).sum()) > 0.9
    assert float((table[first - 1] * table[first]).sum().abs()) < 0.9
    assert float((table[first + 1023] * table[first + 1024]).sum().abs()) < 0.9


@pytest.mark.lento
def test_it_memorizes_one_batch():
    gato, batch = model().train(), collate(rows())
    optimizer = torch.optim.Adam(gato.parameters(), lr=1e-2)
    for _ in range(120):
        optimizer.zero_grad()
        loss = gato_loss(gato, batch)
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < 0.05
    unused = {n for n, p in gato.named_parameters() if p.grad is None or not p.grad.abs().sum()}
    assert not unused


def test_size_of_the_paper():
    """Con sus 24 capas, sus 2048 y sus 33 024 tokens de tabla, del orden de 1,2 mil millones."""
    sizes = VARIANTS["gato"]
    blocks = sizes["n_layers"] * 12 * sizes["d_model"] ** 2
    assert 1.15e9 < blocks + 33_024 * sizes["d_model"] < 1.35e9


def test_errors_in_spanish():
    gato, batch = model(), collate(rows())
    with pytest.raises(ValueError, match="4 huecos y llegaron 0 parches"):
        gato(batch._replace(patches=torch.zeros(0, 3, 16, 16)))
    with pytest.raises(ValueError, match="3 huecos y llegaron 2 trozos"):
        gato(batch._replace(sounds=batch.sounds[:2]))
    short = Gato(GatoConfig(len(SPACE), max_length=batch.ids.shape[1], **SMALL)).eval()
    cache = short.cache()
    short.states(batch, cache)  # la última que cabe
    with pytest.raises(ValueError, match="posiciones"):
        short.states(collate([SPACE.timestep(torch.zeros(2), [0])] * 3), cache)
    with pytest.raises(ValueError, match="múltiplo de 4"):
        GatoConfig(2000, patch_side=10)
    with pytest.raises(ValueError, match="3 marcas"):
        GatoConfig(1027)
