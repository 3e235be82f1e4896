"""T5: los mismos números que `transformers`, y nada mira donde no debe."""

import pytest
import torch

from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.t5 import PAPER_VOCABULARY, T5, VARIANTS, T5Config, parameter_count

SIZES = {"d_model": 12, "n_heads": 3, "d_head": 5, "n_layers": 2, "d_hidden": 20}
# Lo que dice Raffel et al. (2020), § 2.1 y 3.7, que redondea: «about 11 billion».
PAPER = {"small": 60e6, "base": 220e6, "large": 770e6, "3B": 2.8e9, "11B": 11e9}
# La biblioteca calcula el softmax y la normalización en float32 aunque se le dé float64.
ALMOST = {"rtol": 1e-6, "atol": 1e-6}
LOOSE = {"rtol": 1e-5, "atol": 1e-3}  # gradientes de miles
ATTENTION = {"q_proj": "q", "k_proj": "k", "v_proj": "v", "out_proj": "o"}


def library(config):
    from transformers import T5Config as LibraryConfig
    from transformers import T5ForConditionalGeneration

    torch.manual_seed(1)
    settings = LibraryConfig(
        vocab_size=config.n_tokens, d_model=config.d_model, d_kv=config.d_head,
        d_ff=config.d_hidden, num_layers=config.n_layers, num_heads=config.n_heads,
        relative_attention_num_buckets=config.n_buckets,
        relative_attention_max_distance=config.max_distance, dropout_rate=0.0,
        feed_forward_proj="relu", tie_word_embeddings=True, decoder_start_token_id=1,
        attn_implementation="eager",
    )  # fmt: skip
    model = T5ForConditionalGeneration(settings).double().eval()
    for parameter in model.parameters():  # ganancias distintas de 1: si no, no se notarían
        parameter.data = torch.randn_like(parameter) * 0.3
    return model


def copy_weights(theirs, ours):
    """Cada tensor de la biblioteca, en su sitio de nuestro modelo."""
    ours.table.weight.data = theirs.shared.weight.data.clone()
    for name in ("encoder", "decoder"):
        their_stack, our_stack = getattr(theirs, name), getattr(ours, name)
        bias = their_stack.block[0].layer[0].SelfAttention.relative_attention_bias
        our_stack.relative_bias.table.weight.data = bias.weight.data.clone()
        our_stack.norm.gain.data = their_stack.final_layer_norm.weight.data.clone()
        for their_block, our_block in zip(their_stack.block, our_stack.blocks, strict=True):
            copy_block(their_block.layer, our_block)


def copy_block(layers, block):
    attentions = [(layers[0], layers[0].SelfAttention, block.attention, block.around_attention)]
    if len(layers) == 3:
        crossed = block.cross_attention, block.around_cross_attention
        attentions.append((layers[1], layers[1].EncDecAttention, *crossed))
    for layer, theirs, ours, around in attentions:
        around.norm.gain.data = layer.layer_norm.weight.data.clone()
        for our_name, their_name in ATTENTION.items():
            getattr(ours, our_name).weight.data = getattr(theirs, their_name).weight.data.clone()
    dense = layers[-1].DenseReluDense
    block.around_feed_forward.norm.gain.data = layers[-1].layer_norm.weight.data.clone()
    block.feed_forward.hidden.weight.data = dense.wi.weight.data.clone()
    block.feed_forward.output.weight.data = dense.wo.weight.data.clone()


@pytest.fixture
def pair():
    config = T5Config(17, **SIZES, n_buckets=8, max_distance=12)
    theirs, ours = library(config), T5(config).double().eval()
    copy_weights(theirs, ours)
    return theirs, ours


def batch():
    generator = torch.Generator().manual_seed(3)
    source = torch.randint(4, 17, (3, 19), generator=generator)
    lengths = torch.tensor([19, 7, 12])
    source[torch.arange(19) >= lengths[:, None]] = 0
    return source, lengths, torch.randint(4, 17, (3, 11), generator=generator)


def test_forward_is_the_library(pair):
    theirs, ours = pair
    source, lengths, target = batch()
    mask = torch.arange(19) < lengths[:, None]
    with torch.no_grad():
        expected = theirs(
            input_ids=source, attention_mask=mask.long(), decoder_input_ids=target
        ).logits
        found = ours(source, lengths, target)
    torch.testing.assert_close(found, expected, **ALMOST)


def test_the_encoder_is_the_library(pair):
    from transformers import T5Model

    theirs, ours = pair
    bare = T5Model(theirs.config).double().eval()
    bare.load_state_dict({k: v for k, v in theirs.state_dict().items() if k != "lm_head.weight"})
    source, lengths, target = batch()
    mask = (torch.arange(19) < lengths[:, None]).long()
    with torch.no_grad():
        output = bare(input_ids=source, attention_mask=mask, decoder_input_ids=target)
        memory = ours.encode(source, lengths)
        decoded = ours.decoder(ours.table(target), memory_mask(target), memory)
    real = mask.bool()
    torch.testing.assert_close(
        memory.states[real], output.encoder_last_hidden_state[real], **ALMOST
    )
    torch.testing.assert_close(decoded, output.last_hidden_state, **ALMOST)


def memory_mask(target):
    from tfcourse.layers.masks import causal_mask

    return causal_mask(target.shape[1])


def test_gradients_are_the_library(pair):
    theirs, ours = pair
    source, lengths, target = batch()
    mask = torch.arange(19) < lengths[:, None]
    theirs(input_ids=source, attention_mask=mask.long(), decoder_input_ids=target).logits.square(
    ).sum().backward()  # fmt: skip
    ours(source, lengths, target).square().sum().backward()
    torch.testing.assert_close(ours.table.weight.grad, theirs.shared.weight.grad, **LOOSE)
    theirs_bias = theirs.decoder.block[0].layer[0].SelfAttention.relative_attention_bias
    torch.testing.assert_close(
        ours.decoder.relative_bias.table.weight.grad, theirs_bias.weight.grad, **LOOSE
    )


def test_the_future_and_the_padding_change_nothing():
    torch.manual_seed(0)
    model = T5(T5Config(17, **SIZES)).double().eval()
    source, lengths, target = batch()
    changed, longer = target.clone(), torch.nn.functional.pad(source, (0, 4), value=5)
    changed[:, 6:] = 4
    with torch.no_grad():
        before = model(source, lengths, target)
        torch.testing.assert_close(model(source, lengths, changed)[:, :6], before[:, :6])
        torch.testing.assert_close(model(longer, lengths, target), before)


def test_step_by_step_is_all_at_once():
    torch.manual_seed(0)
    model = T5(T5Config(17, **SIZES)).double().eval()
    source, lengths, target = batch()
    with torch.no_grad():
        state, whole = model.start(source, lengths), model(source, lengths, target)
        for place in range(target.shape[1]):
            logits, state = model.step(target[:, place : place + 1], state)
            torch.testing.assert_close(logits, whole[:, place])


def test_chosen_rows_go_on_as_they_were():
    """Lo que necesita la búsqueda en haz: el estado de unas filas, reordenadas y repetidas."""
    torch.manual_seed(0)
    model = T5(T5Config(17, **SIZES)).double().eval()
    source, lengths, target = batch()
    rows = torch.tensor([1, 0, 1])
    with torch.no_grad():
        _, state = model.step(target[:, :1], model.start(source, lengths))
        logits, _ = model.step(target[:, 1:2], state)
        chosen, _ = model.step(target[rows, 1:2], model.select(state, rows))
    torch.testing.assert_close(chosen, logits[rows])


@pytest.mark.parametrize("name", PAPER)
def test_parameters_of_the_paper(name):
    count = parameter_count(T5Config(PAPER_VOCABULARY, **VARIANTS[name]))
    # 2 %, o lo que el artículo redondea si da dos cifras («about 2.8 billion», «11 billion»).
    assert abs(count / PAPER[name] - 1) < 0.045, f"{count:_}"


@pytest.mark.parametrize("sizes", [SIZES, VARIANTS["aula"]])
def test_parameters_are_counted(sizes):
    config = T5Config(40, **sizes)
    assert parameter_count(config) == sum(p.numel() for p in T5(config).parameters())


@pytest.mark.lento
def test_one_batch_is_learned():
    torch.manual_seed(0)
    model, (source, lengths, target) = T5(T5Config(17, **VARIANTS["aula"])), batch()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(90):
        optimizer.zero_grad()
        loss = teacher_forcing_loss(model, (source, lengths, target))
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.1


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="d_head=0: tiene que ser positivo; usa los tamaños"):
        T5Config(10, d_head=0)
