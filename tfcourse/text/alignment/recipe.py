"""La receta: un traductor pequeño al que se le cambia la atención, y nada más."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from tfcourse.datasets.sequences import SequencePairs, encode_pairs
from tfcourse.datasets.text.dates import DatePair, date_pairs
from tfcourse.decoding import translate
from tfcourse.losses import teacher_forcing_loss
from tfcourse.metrics import exact_match
from tfcourse.models.attentive import AttentiveDecoder
from tfcourse.models.seq2seq import Seq2Seq, Seq2SeqConfig
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import Steps, default_device, fit, seed_everything
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle

D = 64  # consultas y claves miden lo mismo: así caben también las funciones que no proyectan
DIGITS = Vocabulary("0123456789-")


@dataclass(frozen=True)
class Task:
    """Una traducción: parejas para entrenar, ya numeradas, y los dos vocabularios."""

    learned: SequencePairs
    source: Vocabulary
    target: Vocabulary


@dataclass(frozen=True)
class Recipe:
    """Todo lo que define un entrenamiento; `attention` fabrica la atención, que es lo que cambia.

    Con `similar_lengths`, cada lote reúne entradas de longitud parecida.
    """

    attention: Callable[[], nn.Module]
    task: Callable[[], Task]
    steps: int = 80
    batch_size: int = 32
    lr: float = 1e-2
    d_embedding: int = 32
    d_hidden: int = D
    similar_lengths: bool = True


@cache
def known_and_new_dates() -> tuple[list[DatePair], list[DatePair]]:
    """Veinte mil fechas para entrenar y doscientas para evaluar, con días que no se repiten."""
    return date_pairs(n_train=20_000, n_test=200, seed=0)


@cache
def date_letters() -> Vocabulary:
    """Las letras de las fechas de entrenar."""
    return Vocabulary.from_sequences(list(pair.text) for pair in known_and_new_dates()[0])


def encode_dates(pairs: list[DatePair]) -> SequencePairs:
    """Fechas en letras → fechas en números, en el dispositivo de trabajo."""
    texts, isos = [list(pair.text) for pair in pairs], [list(pair.iso) for pair in pairs]
    return encode_pairs(texts, isos, date_letters(), DIGITS).to(default_device())


@cache
def dates() -> Task:
    """Fechas en español → su forma ISO."""
    return Task(encode_dates(known_and_new_dates()[0]), date_letters(), DIGITS)


def build(recipe: Recipe) -> Seq2Seq:
    """El traductor con esa atención; la memoria y el estado miden `d_hidden`."""
    task, d = recipe.task(), recipe.d_hidden
    decoder = AttentiveDecoder(len(task.target), recipe.d_embedding, d, d, recipe.attention())
    return Seq2Seq(Seq2SeqConfig(len(task.source), len(task.target), d_hidden=d // 2), decoder)


def batches(recipe: Recipe, seed: int = 0) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes barajados sin fin."""
    learned = recipe.task().learned
    return learned.batches(recipe.batch_size, seed, similar_lengths=recipe.similar_lengths)


def train(recipe: Recipe, seed: int = 0, budget: Budget | None = None) -> Trained:
    """Siembra, construye y entrena; sin `budget`, los pasos de la receta."""
    budget = budget or Steps(recipe.steps)
    seed_everything(seed)
    model = build(recipe).to(default_device())
    history = fit(
        model,
        batches(recipe, seed),
        teacher_forcing_loss,
        budget=budget,
        optimizer=torch.optim.AdamW(model.parameters(), lr=recipe.lr, fused=True),
        schedule=cycle(budget),
    )
    return Trained(model, recipe, history)


def exact_dates(model: nn.Module) -> float:
    """Fracción de las fechas de evaluación escritas sin un solo error."""
    new = known_and_new_dates()[1]
    source, lengths, _ = encode_dates(new).tensors()
    written = translate(model, source, lengths, DIGITS, max_length=12)
    return exact_match(["".join(symbols) for symbols in written], [pair.iso for pair in new])


@torch.no_grad()
def initial_spread(recipe: Recipe, seed: int = 0, n_dates: int = 64) -> float:
    """Desviación típica de los puntajes de cada consulta, en media, antes de entrenar."""
    seed_everything(seed)
    model = build(recipe).to(default_device())
    examples = encode_dates(known_and_new_dates()[1]).tensors()
    source, lengths, target = (tensor[:n_dates] for tensor in examples)
    memory, (hidden, _) = model.start(source, lengths)
    states, _ = model.decoder.rnn(model.decoder.embedding(target), hidden[None])
    scores = model.decoder.attention.alignment(states, memory.keys)
    spreads = [row[:, :n].std(dim=-1).mean() for row, n in zip(scores, lengths, strict=True)]
    return float(torch.stack(spreads).mean())


@torch.no_grad()
def date_weights(model: nn.Module) -> tuple[Float[Tensor, "B Ty Tx"], Bool[Tensor, "B Ty Tx"]]:
    """Pesos al escribir los diez símbolos de cada fecha, y dónde están los dígitos del año."""
    new = known_and_new_dates()[1]
    source, lengths, target = encode_dates(new).tensors()
    weights = model.attention_maps(source, lengths, target[:, :-2])[0][:, 0]  # su única cabeza
    region = torch.zeros_like(weights, dtype=torch.bool)
    for row, pair in enumerate(new):
        region[row, :4, pair.year_start : pair.year_start + 4] = True
    return weights, region


def positions_used(weights: Float[Tensor, "*B Tx"], least: float = 1e-4) -> float:
    """Cuántas posiciones reciben, en media, un peso que no sea despreciable."""
    return float((weights.abs() > least).float().sum(dim=-1).mean())
