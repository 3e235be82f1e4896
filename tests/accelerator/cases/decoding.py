"""Casos ligeros de las maneras de escribir."""

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import counts, floats, ids
from tfcourse.decoding import beam, speculative, steps
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.tokenizers.vocabulary import Vocabulary

CASES: list[Case] = []
NOT_HERE = {
    "no recibe tensores: lo que devuelve lo usan los casos": (
        "decoding.steps.temperature_sampler",
        "decoding.steps.sampler",
        "decoding.speculative.Speculated",
        "decoding.speculative.expected_tokens",
    ),
}
WORDS = Vocabulary(list("abcdef"))


def writer(d) -> GPT:
    """Un modelo diminuto que escribe."""
    return GPT(GPTConfig(9, d_model=8, n_heads=2, n_layers=1, max_length=12)).to(d).eval()


def translator(d) -> Transformer:
    """Un modelo diminuto que traduce."""
    n = len(WORDS)
    config = TransformerConfig(n, n, d_model=8, n_heads=2, n_layers=1, d_hidden=16)
    return Transformer(config).to(d).eval()


@case(CASES, steps.greedy, steps.keep_min_p, steps.keep_top_k, steps.keep_top_p)
def choices(d):
    logits = floats(d, 3, 9).detach()
    generator = torch.Generator(device=d).manual_seed(0)
    samplers = (
        steps.temperature_sampler(0.7),
        steps.sampler(temperature=0.8, k=3, p=0.9, generator=generator),
    )
    drawn = [choose(logits) for choose in samplers]
    cut = steps.keep_top_k(logits, 3), steps.keep_top_p(logits, 0.9), steps.keep_min_p(logits, 0.1)
    return steps.greedy(logits), cut, drawn


@case(
    CASES,
    steps.sample_decode,
    steps.greedy_decode,
    steps.rereading_step,
    steps.writing_layout,
    steps.continue_tokens,
)
def continuations(d):
    model, prompt = steps.writing_layout(writer(d)), ids(d, 9, 2, 3)
    choose = steps.sampler(temperature=0.9, k=4)
    step, state = steps.rereading_step(model), prompt[:, :-1]
    with torch.no_grad():
        return [
            steps.continue_tokens(model, prompt, max_length=4),
            steps.continue_tokens(model, prompt, max_length=4, cached=False, choose=choose),
            steps.sample_decode(step, state, prompt[:, -1], choose=choose, max_length=3, stop_id=2),
            steps.greedy_decode(step, state, prompt[:, -1], stop_id=2, max_length=3),
        ]


@case(CASES, steps.translate)
def translations(d):
    # Las entradas llegan de la CPU, como las de un conjunto de datos.
    source, lengths = torch.randint(4, len(WORDS), (2, 5)), torch.tensor([5, 3])
    written = steps.translate(translator(d), source, lengths, WORDS, max_length=4)
    assert len(written) == 2


@case(CASES, beam.beam_search)
def beams(d):
    model = translator(d)
    with torch.no_grad():
        state = model.start(ids(d, len(WORDS), 1, 5, low=4), counts(d, 5))
    written, _ = beam.beam_search(
        model.step,
        state,
        model.select,
        first=WORDS.start_id,
        stop_id=WORDS.stop_id,
        max_length=4,
        beam_size=3,
        device=d,
    )
    assert len(written) <= 4


@case(CASES, speculative.speculative_decode, speculative.accept_drafts, speculative.draw)
def speculations(d):
    target, draft = writer(d), writer(d)
    generator = torch.Generator(device=d).manual_seed(0)
    found = speculative.speculative_decode(
        target, draft, ids(d, 9, 1, 3), max_length=6, n_draft=2, generator=generator
    )
    assert found.passes <= 6
    return found.tokens
