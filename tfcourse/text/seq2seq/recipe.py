"""Receta del traductor de fechas que viene con el curso: el del capítulo, con más pasos."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache

from torch import nn

from tfcourse.datasets.sequences import encode_pairs
from tfcourse.datasets.text.dates import DatePair, date_pairs
from tfcourse.decoding import translate
from tfcourse.metrics import exact_match
from tfcourse.models.seq2seq import VARIANTS, Seq2Seq, Seq2SeqConfig
from tfcourse.text.seq2seq.classroom import train_model
from tfcourse.tokenizers.vocabulary import SPECIAL_TOKENS, Vocabulary
from tfcourse.training import History
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


def train(recipe: Recipe, seed: int) -> DateTranslator:
    """Aprende las letras de las fechas de entrenar y entrena el traductor."""
    known, _ = known_and_new_dates(recipe.n_days)
    texts, isos = [list(pair.text) for pair in known], [list(pair.iso) for pair in known]
    letters = Vocabulary.from_sequences(texts)
    model, history = train_model(
        "bahdanau", encode_pairs(texts, isos, letters, DIGITS), (letters, DIGITS),
        steps=recipe.steps, seed=seed, sizes=recipe.sizes, rate=recipe.rate,
    )  # fmt: skip
    return DateTranslator(model, recipe, history, letters)


def score_written(written: Sequence[str], isos: Sequence[str]) -> dict[str, float]:
    """Qué parte de las fechas va sin fallos y qué parte de los símbolos, en su sitio."""
    both = zip(written, isos, strict=True)
    right = sum(ours[n : n + 1] == symbol for ours, iso in both for n, symbol in enumerate(iso))
    return {"fechas": exact_match(written, isos), "símbolos": right / sum(map(len, isos))}


# Los pesos que vienen con el curso.
WORKSHOP = Recipe()


def shipped_letters() -> Vocabulary:
    """Las letras que sabe leer el traductor del curso."""
    known, _ = known_and_new_dates(WORKSHOP.n_days)
    return Vocabulary.from_sequences(list(pair.text) for pair in known)


def _score(model: nn.Module) -> dict[str, float]:
    _, new = known_and_new_dates(WORKSHOP.n_days)
    translator = DateTranslator(model, WORKSHOP, History(), shipped_letters())
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
        config=lambda _: {"letters": "".join(shipped_letters().tokens[len(SPECIAL_TOKENS) :])},
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
