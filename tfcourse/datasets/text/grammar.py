"""Inglés → español con una gramática propia: concordancia, orden, sujetos callados y «gustar».

Cada oración sale con su traducción única. Las parejas (sustantivo, adjetivo) se reparten en vistas
y reservadas, para medir si un modelo combina lo que aprendió por separado.
"""

import random
from dataclasses import dataclass
from functools import partial

# Sustantivo: inglés y su plural, español y su plural, género.
PEOPLE = (
    ("boy", "boys", "niño", "niños", "m"), ("girl", "girls", "niña", "niñas", "f"),
    ("teacher", "teachers", "profesor", "profesores", "m"),
    ("doctor", "doctors", "doctora", "doctoras", "f"),
    ("sister", "sisters", "hermana", "hermanas", "f"),
    ("neighbour", "neighbours", "vecino", "vecinos", "m"),
    ("cat", "cats", "gato", "gatos", "m"), ("cow", "cows", "vaca", "vacas", "f"),
)  # fmt: skip
THINGS = (
    ("tree", "trees", "árbol", "árboles", "m"), ("song", "songs", "canción", "canciones", "f"),
    ("flower", "flowers", "flor", "flores", "f"), ("house", "houses", "casa", "casas", "f"),
    ("book", "books", "libro", "libros", "m"), ("apple", "apples", "manzana", "manzanas", "f"),
    ("car", "cars", "coche", "coches", "m"), ("city", "cities", "ciudad", "ciudades", "f"),
    ("bridge", "bridges", "puente", "puentes", "m"), ("shoe", "shoes", "zapato", "zapatos", "m"),
    ("knife", "knives", "cuchillo", "cuchillos", "m"), ("box", "boxes", "caja", "cajas", "f"),
)  # fmt: skip
# Adjetivo: inglés y, en español, masculino y femenino, singular y plural.
ADJECTIVES = (
    ("red", "rojo", "roja", "rojos", "rojas"),
    ("small", "pequeño", "pequeña", "pequeños", "pequeñas"),
    ("old", "viejo", "vieja", "viejos", "viejas"),
    ("big", "grande", "grande", "grandes", "grandes"),
    ("blue", "azul", "azul", "azules", "azules"),
    ("green", "verde", "verde", "verdes", "verdes"),
    ("white", "blanco", "blanca", "blancos", "blancas"),
    ("new", "nuevo", "nueva", "nuevos", "nuevas"),
    ("pretty", "bonito", "bonita", "bonitos", "bonitas"),
    ("cheap", "barato", "barata", "baratos", "baratas"),
)
# Determinante: inglés singular y plural; español ms, fs, mp, fp. El vacío solo existe en plural.
DETERMINERS = (
    ("the", "the", "el", "la", "los", "las"), ("a", None, "un", "una", None, None),
    ("my", "my", "mi", "mi", "mis", "mis"), ("this", "these", "este", "esta", "estos", "estas"),
    (None, "", None, None, "", ""),
)  # fmt: skip
# Verbo: inglés y su tercera persona; español en las seis personas (sin «vosotros»).
VERBS = (
    ("see", "sees", "veo", "ves", "ve", "vemos", "ven"),
    ("buy", "buys", "compro", "compras", "compra", "compramos", "compran"),
    ("want", "wants", "quiero", "quieres", "quiere", "queremos", "quieren"),
    ("need", "needs", "necesito", "necesitas", "necesita", "necesitamos", "necesitan"),
    ("draw", "draws", "dibujo", "dibujas", "dibuja", "dibujamos", "dibujan"),
    ("sell", "sells", "vendo", "vendes", "vende", "vendemos", "venden"),
    ("have", "has", "tengo", "tienes", "tiene", "tenemos", "tienen"),
    ("clean", "cleans", "limpio", "limpias", "limpia", "limpiamos", "limpian"),
)
# Pronombre: inglés, persona (índice en el verbo) y lo que va delante de «gusta».
PRONOUNS = (
    ("i", 0, "me"), ("you", 1, "te"), ("he", 2, "a él le"), ("she", 2, "a ella le"),
    ("we", 3, "nos"), ("they", 4, "a ellos les"),
)  # fmt: skip
KINDS = ("afirma", "niega", "pregunta")


@dataclass(frozen=True)
class Sentence:
    """Oración inglesa, su traducción y las parejas (sustantivo, adjetivo) que contiene."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    combinations: frozenset[tuple[str, str]]


@dataclass(frozen=True)
class NounPhrase:
    """Sintagma nominal en las dos lenguas, con el número y la pareja que combina."""

    english: str
    spanish: str
    definite: str  # en español y con artículo: «i like trees» → «me gustan los árboles»
    plural: bool
    combination: tuple[str, str] | None


def noun_phrase(noun, determiner, adjective=None, *, plural: bool) -> NounPhrase:
    """Sintagma: determinante, sustantivo y, detrás en español, el adjetivo que concuerda."""
    form = 2 * plural + (noun[4] == "f")  # ms, fs, mp, fp
    description = adjective[1 + form] if adjective else ""
    name = f"{noun[2 + plural]} {description}".strip()
    english = (determiner[plural], adjective[0] if adjective else "", noun[plural])
    return NounPhrase(
        english=" ".join(filter(None, english)),
        spanish=f"{determiner[2 + form]} {name}".strip(),
        definite=f"{determiner[2 + form] or DETERMINERS[0][2 + form]} {name}",
        plural=plural,
        combination=(noun[0], adjective[0]) if adjective else None,
    )


def act(subject: NounPhrase | tuple, verb: tuple, thing: NounPhrase, kind: str) -> tuple[str, str]:
    """Oración transitiva: `she buys a red car` → «compra un coche rojo» (el pronombre se calla)."""
    person, english, spanish = _subject(subject)
    english = _english(english, verb[:2], person, thing.english, kind)
    parts = (spanish, "no" if kind == "niega" else "", verb[2 + person], thing.spanish)
    return english, _punctuate(" ".join(filter(None, parts)), kind)


def like(subject: NounPhrase | tuple, thing: NounPhrase, kind: str) -> tuple[str, str]:
    """Oración con «gustar»: lo que gusta es el sujeto, y quien gusta va delante, con «me», «le»…"""
    person, english, _ = _subject(subject)
    english = _english(english, ("like", "likes"), person, thing.english, kind)
    *experiencer, clitic = _experiencer(subject).rsplit(" ", 1)
    verb = "gustan" if thing.plural else "gusta"
    parts = (*experiencer, "no" if kind == "niega" else "", clitic, verb, thing.definite)
    return english, _punctuate(" ".join(filter(None, parts)), kind)


def describe(thing: NounPhrase, adjective: tuple, spanish: str, kind: str) -> tuple[str, str]:
    """Oración con «ser»: `these houses are white` → «estas casas son blancas»."""
    be, ser = ("are", "son") if thing.plural else ("is", "es")
    english = {
        "afirma": f"{thing.english} {be} {adjective[0]} .",
        "niega": f"{thing.english} {be} not {adjective[0]} .",
        "pregunta": f"{be} {thing.english} {adjective[0]} ?",
    }[kind]
    negation = "no " if kind == "niega" else ""
    return english, _punctuate(f"{thing.definite} {negation}{ser} {spanish}", kind)


def _subject(subject) -> tuple[int, str, str]:
    """Persona, sujeto inglés y sujeto español, que se calla si es un pronombre."""
    if isinstance(subject, NounPhrase):
        return 4 if subject.plural else 2, subject.english, subject.definite
    return subject[1], subject[0], ""


def _experiencer(subject) -> str:
    if not isinstance(subject, NounPhrase):
        return subject[2]
    # «a» y «el» se contraen.
    to_whom = f"a {subject.definite} {'les' if subject.plural else 'le'}"
    return to_whom.replace("a el ", "al ", 1)


def _english(subject: str, verb: tuple, person: int, thing: str, kind: str) -> str:
    third = person == 2
    if kind == "afirma":
        return f"{subject} {verb[third]} {thing} ."
    do = "does" if third else "do"
    if kind == "niega":
        return f"{subject} {do} not {verb[0]} {thing} ."
    return f"{do} {subject} {verb[0]} {thing} ?"


def _punctuate(spanish: str, kind: str) -> str:
    return f"¿ {spanish} ?" if kind == "pregunta" else f"{spanish} ."


def is_reserved(noun: str, adjective: str) -> bool:
    """Si una pareja (sustantivo, adjetivo), en inglés, se reserva para evaluar."""
    nouns = [entry[0] for entry in (*PEOPLE, *THINGS)]
    adjectives = [entry[0] for entry in ADJECTIVES]
    # Una de cada cinco, repartidas: ningún sustantivo ni adjetivo queda sin ver.
    return (nouns.index(noun) + 2 * adjectives.index(adjective)) % 5 == 0


def random_sentence(rng: random.Random) -> Sentence:
    """Una oración al azar, de cualquiera de las tres clases."""
    kind = rng.choice(KINDS)
    structure = rng.choice(("act", "act", "like", "like", "describe"))
    if structure == "describe":
        noun, adjective = rng.choice(THINGS), rng.choice(ADJECTIVES)
        thing = _random_phrase(rng, noun, with_adjective=0)
        spanish = adjective[1 + 2 * thing.plural + (noun[4] == "f")]
        texts = describe(thing, adjective, spanish, kind)
        return _sentence(texts, [(noun[0], adjective[0])])
    subject = rng.choice(PRONOUNS)
    if rng.random() < 0.5:
        subject = _random_phrase(rng, rng.choice(PEOPLE), with_adjective=0.3, bare=False)
    thing = _random_phrase(rng, rng.choice(THINGS), with_adjective=0.6)
    build = (
        partial(act, subject, rng.choice(VERBS)) if structure == "act" else partial(like, subject)
    )
    combinations = [getattr(subject, "combination", None), thing.combination]
    return _sentence(build(thing, kind), combinations)


def _random_phrase(rng, noun, *, with_adjective: float, bare: bool = True) -> NounPhrase:
    plural = rng.random() < 0.5
    options = [d for d in DETERMINERS if d[plural] is not None and (bare or d[plural])]
    adjective = rng.choice(ADJECTIVES) if rng.random() < with_adjective else None
    return noun_phrase(noun, rng.choice(options), adjective, plural=plural)


def _sentence(texts: tuple[str, str], combinations) -> Sentence:
    english, spanish = texts
    return Sentence(
        tuple(english.split()), tuple(spanish.split()), frozenset(filter(None, combinations))
    )


def grammar_split(
    n_train: int, n_test: int, seed: int = 0
) -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
    """Oraciones distintas para entrenar, para evaluar y con combinaciones reservadas.

    Las dos primeras listas no contienen ninguna pareja reservada; cada oración de la tercera, al
    menos una. Errores: `ValueError` si se piden más de cien mil o ninguna.
    """
    if n_train + n_test > 100_000 or min(n_train, n_test) < 1:
        raise ValueError(
            f"n_train={n_train} y n_test={n_test}: pide al menos una de cada y cien mil en total"
        )
    rng = random.Random(seed)
    seen: dict[tuple, Sentence] = {}
    reserved: dict[tuple, Sentence] = {}
    while len(seen) < n_train + n_test or len(reserved) < n_test:
        sentence = random_sentence(rng)
        new = any(is_reserved(*pair) for pair in sentence.combinations)
        (reserved if new else seen).setdefault(sentence.source, sentence)
    known = list(seen.values())[: n_train + n_test]
    return known[:n_train], known[n_train:], list(reserved.values())[:n_test]
