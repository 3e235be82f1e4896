"""Receta del traductor de fechas que viene con el curso: el del capítulo, con más pasos."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache

import torch
from torch import Tensor, nn

from tfcourse.datasets.sequences import encode_pairs
from tfcourse.datasets.text.dates import DatePair, date_pairs
from tfcourse.decoding import translate
from tfcourse.losses import teacher_forcing_loss
from tfcourse.metrics import exact_match
from tfcourse.models.seq2seq import VARIANTS, Seq2Seq, Seq2SeqConfig
from tfcourse.tokenizers.vocabulary import SPECIAL_TOKENS, Vocabulary
from tfcourse.training import History, Steps, default_device, fit, one_cycle, seed_everything
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import Trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

DIGITS = Vocabulary("0123456789-")
N_TEST = 500
MAX_LENGTH = 20  # una fecha ISO mide diez; quien escriba de más también se equivoca


@dataclass(frozen=True)
class Recipe:
    """Cuántas fechas se leen, qué modelo y a qué ritmo."""

    steps: int = 1_500
    rate: float = 5e-3
    n_days: int = 20_000
    d_embedding: int = VARIANTS["aula"]["d_embedding"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]

    @property
    def sizes(self) -> dict[str, int]:
        """Los tamaños del modelo, tal como los pide `Seq2SeqConfig`."""
        return {"d_embedding": self.d_embedding, "d_hidden": self.d_hidden}


def build(recipe: Recipe, n_letters: int) -> Seq2Seq:
    """El traductor con atención de Bahdanau."""
    return Seq2Seq(Seq2SeqConfig(n_letters, len(DIGITS), "bahdanau", **recipe.sizes))


@dataclass
class DateTranslator(Trained):
    """Un traductor de fechas entrenado, con las letras que sabe leer."""

    letters: Vocabulary

    def write(self, texts: Sequence[str]) -> list[str]:
        """La forma ISO de cada fecha, con decodificación voraz."""
        rows = [list(text) for text in texts]
        encoded = encode_pairs(rows, [["-"]] * len(rows), self.letters, DIGITS)
        written = translate(
            self.model, encoded.source, encoded.lengths, DIGITS, max_length=MAX_LENGTH
        )
        return ["".join(symbols) for symbols in written]


@cache
def known_and_new_dates(n_days: int) -> tuple[list[DatePair], list[DatePair]]:
    """Las fechas con las que se entrena y las de evaluar, con días que no se repiten."""
    return date_pairs(n_days, N_TEST, seed=0)


@cache
def letters_of(recipe: Recipe) -> Vocabulary:
    """Las letras de las fechas de entrenar, que son las que sabe leer."""
    known, _ = known_and_new_dates(recipe.n_days)
    return Vocabulary.from_sequences(list(pair.text) for pair in known)


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin de fechas de entrenar, de longitud parecida."""
    known, _ = known_and_new_dates(recipe.n_days)
    texts, isos = [list(pair.text) for pair in known], [list(pair.iso) for pair in known]
    pairs = encode_pairs(texts, isos, letters_of(recipe), DIGITS)
    return pairs.batches(batch_size=32, seed=seed, similar_lengths=True)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> DateTranslator:
    """Entrena el traductor; sin `budget`, los pasos de la receta."""
    letters = letters_of(recipe)
    seed_everything(seed)
    model = build(recipe, len(letters)).to(default_device())
    history = fit(
        model,
        batches(recipe, seed),
        teacher_forcing_loss,
        budget=budget or Steps(recipe.steps),
        optimizer=torch.optim.AdamW(model.parameters(), lr=recipe.rate, fused=True),
        schedule=one_cycle(recipe.steps),
        description="Fechas",
    )
    return DateTranslator(model, recipe, history, letters)


def score_written(written: Sequence[str], isos: Sequence[str]) -> dict[str, float]:
    """Qué parte de las fechas va sin fallos y qué parte de los símbolos, en su sitio."""
    both = zip(written, isos, strict=True)
    right = sum(ours[n : n + 1] == symbol for ours, iso in both for n, symbol in enumerate(iso))
    return {"fechas": exact_match(written, isos), "símbolos": right / sum(map(len, isos))}


# Los pesos que vienen con el curso.
WORKSHOP = Recipe()


def _score(model: nn.Module) -> dict[str, float]:
    _, new = known_and_new_dates(WORKSHOP.n_days)
    translator = DateTranslator(model, WORKSHOP, History(), letters_of(WORKSHOP))
    written = translator.write([pair.text for pair in new])
    return score_written(written, [pair.iso for pair in new])


def _without_reading() -> dict[str, float]:
    """Lo que saca quien escribe siempre el símbolo más repetido de cada lugar."""
    known, new = known_and_new_dates(WORKSHOP.n_days)
    places = zip(*(pair.iso for pair in known), strict=True)
    same = "".join(Counter(symbols).most_common(1)[0][0] for symbols in places)
    scores = score_written([same] * len(new), [pair.iso for pair in new])
    return {f"{name}_sin_leer": value for name, value in scores.items()}


WEIGHTS = {
    "fechas": Shipped(
        train=lambda: train(WORKSHOP, 0),
        score=_score,
        blind=_without_reading,
        data="fechas generadas de 1900 a 2099; su ficha, en data/LEEME.md",
        config=lambda _: {"letters": "".join(letters_of(WORKSHOP).tokens[len(SPECIAL_TOKENS) :])},
        recipe=lambda done: asdict(done.recipe),
    )
}


def load(name: str) -> DateTranslator:
    """Un traductor de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    card = weights_card(name)
    recipe = Recipe(**{field.name: card.recipe[field.name] for field in fields(Recipe)})
    letters = Vocabulary(card.config["letters"])
    model = build(recipe, len(letters)).eval()
    load_weights(name, model)
    return DateTranslator(model, recipe, History(), letters)
