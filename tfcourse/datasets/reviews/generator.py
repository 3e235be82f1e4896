"""Reseñas inventadas en español: se sabe qué se opina y qué lo hace difícil.

Cada reseña trae su fenómeno: directa, negación, contraste, ironía, neutra o mixta. La clase la
decide quien manda en la oración: lo que sigue a «pero», la principal y no la de «aunque», lo
negado al revés, y en la ironía, el hecho y no el elogio.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from tfcourse.datasets.reviews import vocabulary as w
from tfcourse.datasets.reviews.noise import add_noise

LABELS = ("negativa", "neutra", "positiva")
PHENOMENA = ("directa", "negación", "contraste", "ironía", "neutra", "mixta")
# Con qué frecuencia sale cada fenómeno, según lo que se opina.
MIXTURE = {
    1: {"directa": 0.46, "negación": 0.27, "contraste": 0.27},
    0: {"neutra": 0.6, "mixta": 0.4},
    -1: {"directa": 0.32, "negación": 0.25, "contraste": 0.25, "ironía": 0.18},
}
HELD_OUT_SHARE = 0.25  # al evaluar, una de cada cuatro elecciones sale de lo reservado


@dataclass(frozen=True)
class Review:
    """Una reseña: texto, clase (0 negativa, 1 neutra, 2 positiva), fenómeno y dominio.

    `clean` es el mismo texto sin descuidos: faltas, emojis, marcas de red social. `new_word` dice
    si lleva algún adjetivo o verbo de opinión que no sale al entrenar.
    """

    text: str
    clean: str
    label: int
    phenomenon: str
    domain: str
    new_word: bool = False

    @property
    def noisy(self) -> bool:
        """Si está escrita con descuido."""
        return self.text != self.clean


@dataclass
class _Choice:
    """Sorteos de una reseña: de lo visto o, al evaluar, a veces de lo reservado."""

    rng: random.Random
    held_out: bool
    new_word: bool = False

    def pick(self, options: dict, *, opinion: bool = False) -> str:
        reserved = self.held_out and self.rng.random() < HELD_OUT_SHARE
        self.new_word |= reserved and opinion
        return self.rng.choice(options[w.HELD_OUT if reserved else w.SEEN])

    def adjective(self, polarity: int, gender: str, *, stressed: bool = False) -> str:
        forms = self.pick(w.ADJECTIVES[polarity], opinion=polarity != 0).split("/")
        stress = ""
        if stressed:
            stress = self.pick(w.INTENSIFIERS if forms[0] in w.GRADABLE else w.EMPHASIS)
        return stress + forms[-1 if gender == "f" else 0]


def make_reviews(
    n_reviews: int, *, seed: int = 0, held_out: bool = False, noise: float = 0.5
) -> list[Review]:
    """Reseñas distintas, con las tres clases por igual y desordenadas.

    Con `held_out` salen además palabras, giros y un dominio que no aparecen nunca sin él: es la
    parte de evaluar. `noise` es la parte de las reseñas que se escribe con descuido.
    Errores: `ValueError` si no se pide ninguna o `noise` no es una fracción.
    """
    if n_reviews < 1 or not 0 <= noise <= 1:
        raise ValueError(
            f"n_reviews={n_reviews}, noise={noise}: pide al menos una reseña y una parte de ruido "
            "entre 0 y 1"
        )
    rng, found = random.Random(2 * seed + held_out), {}
    while len(found) < n_reviews:
        polarity = (-1, 0, 1)[len(found) % 3]
        review = _write(_Choice(rng, held_out), polarity)
        if rng.random() < noise:
            review = replace(review, text=add_noise(review.clean, polarity, rng))
        found.setdefault(review.clean, review)
    reviews = list(found.values())
    rng.shuffle(reviews)
    return reviews


def review_split(
    n_train: int, n_test: int, seed: int = 0, noise: float = 0.5
) -> tuple[list[Review], list[Review]]:
    """Reseñas para entrenar y para evaluar.

    Ninguna está en los dos lados, ni siquiera escrita de otra manera.
    """
    train = make_reviews(n_train, seed=seed, noise=noise)
    known = {review.clean for review in train}
    spare = make_reviews(n_test + n_test // 2 + 10, seed=seed, held_out=True, noise=noise)
    return train, [review for review in spare if review.clean not in known][:n_test]


def _write(choice: _Choice, polarity: int) -> Review:
    """Una reseña limpia: entradilla a veces, lo que se opina y, a veces, un cierre."""
    rng = choice.rng
    names = [name for name in w.DOMAINS if choice.held_out or name != w.HELD_OUT_DOMAIN]
    domain, kinds = rng.choice(names), MIXTURE[polarity]
    phenomenon = rng.choices(list(kinds), list(kinds.values()))[0]
    sentences = [_CORES[phenomenon](choice, domain, polarity)]
    if rng.random() < 0.5:
        sentences.insert(0, rng.choice(w.DOMAINS[domain]["intros"]))
    if phenomenon == "directa" and rng.random() < 0.25:
        sentences.append(rng.choice(w.CLOSINGS[polarity]))
    filled = (s.replace("{n}", str(rng.randint(2, 9) * rng.choice((1, 10)))) for s in sentences)
    text = " ".join(f"{s[0].upper()}{s[1:]}." for s in filled).replace(" de el ", " del ")
    return Review(text, text, polarity + 1, phenomenon, domain, choice.new_word)


def _clause(choice: _Choice, aspect: tuple[str, str], polarity: int, *, negated=False) -> str:
    """Una opinión sobre un aspecto; negada, dice lo contrario con las palabras del otro signo."""
    name, gender = aspect
    spoken = -polarity if negated else polarity
    if polarity and choice.rng.random() < 0.3:
        if negated:
            return choice.rng.choice(w.NEGATED_VERB[spoken]).format(a=name)
        return choice.pick(w.VERBS[spoken], opinion=True).format(a=name)
    if negated:
        return choice.pick(w.NEGATED_ADJECTIVE).format(a=name, x=choice.adjective(spoken, gender))
    return f"{name} {choice.pick(w.COPULAS)} {choice.adjective(spoken, gender, stressed=True)}"


def _aspects(choice: _Choice, domain: str, count: int) -> list[tuple[str, str]]:
    return choice.rng.sample(w.DOMAINS[domain]["aspects"], count)


def _direct(choice: _Choice, domain: str, polarity: int) -> str:
    rng = choice.rng
    if polarity == 1 and rng.random() < 0.2:  # un elogio sincero, con la forma de los irónicos
        fact = rng.choice(w.FACTS[1][domain])
        return _exclaim(choice, fact)
    clauses = [
        _clause(choice, aspect, polarity) for aspect in _aspects(choice, domain, rng.choice((1, 2)))
    ]
    return " y ".join(clauses)


def _exclaim(choice: _Choice, fact: str) -> str:
    praise = {"x": choice.adjective(1, "m"), "y": choice.adjective(1, "f"), "f": fact}
    return choice.pick(w.IRONIC).format(**praise)


def _negation(choice: _Choice, domain: str, polarity: int) -> str:
    first, second = _aspects(choice, domain, 2)
    text = _clause(choice, first, polarity, negated=True)
    if choice.rng.random() < 0.3:
        return f"{text} y {_clause(choice, second, polarity, negated=True)}"
    return text


def _contrast(choice: _Choice, domain: str, polarity: int) -> str:
    first, second = _aspects(choice, domain, 2)
    yields, rules = _clause(choice, first, -polarity), _clause(choice, second, polarity)
    return choice.pick(w.CONTRASTS).format(yields, rules)


def _irony(choice: _Choice, domain: str, polarity: int) -> str:
    return _exclaim(choice, choice.rng.choice(w.FACTS[-1][domain]))


def _neutral(choice: _Choice, domain: str, polarity: int) -> str:
    rng, (aspect,) = choice.rng, _aspects(choice, domain, 1)
    kind = rng.choice(("hecho", "adjetivo", "ni"))
    if kind == "hecho":
        return " y ".join(rng.sample(w.NEUTRAL_FACTS, 2))
    if kind == "adjetivo":
        return _clause(choice, aspect, 0)
    good, bad = (choice.adjective(sign, aspect[1]) for sign in (1, -1))
    return choice.pick(w.UNDECIDED).format(a=aspect[0], p=good, m=bad)


def _mixed(choice: _Choice, domain: str, polarity: int) -> str:
    signs = choice.rng.sample((1, -1), 2)
    pair = zip(_aspects(choice, domain, 2), signs, strict=True)
    return choice.pick(w.BALANCES).format(*(_clause(choice, a, sign) for a, sign in pair))


_CORES: dict[str, Callable[[_Choice, str, int], str]] = {
    "directa": _direct,
    "negación": _negation,
    "contraste": _contrast,
    "ironía": _irony,
    "neutra": _neutral,
    "mixta": _mixed,
}
