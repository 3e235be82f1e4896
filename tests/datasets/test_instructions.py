"""Las instrucciones: cada respuesta es la buena, y lo reservado no se entrena."""

import itertools
import random
import re

import pytest

from tfcourse.datasets.tasks.instruction_wordings import WORDINGS
from tfcourse.datasets.tasks.instruction_words import PARTS, gendered, shared_words
from tfcourse.datasets.tasks.instructions import (
    KINDS,
    UNKNOWN,
    draw,
    endless,
    instructions,
    is_right,
)
from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.datasets.tasks.plurals import pluralize


def drawn(kind, part="entrenar", n=200, **options):
    rng = random.Random(3)
    return [draw(kind, part, rng, **options) for _ in range(n)]


def nouns_of(text):
    return [word for word in words_of(text) if word in gendered()]


def words_of(text):
    return re.findall(r"[^\W\d_]+", text.lower())


def test_no_word_is_in_two_parts():
    shared = shared_words()
    for name in shared["entrenar"]:
        for one, other in itertools.combinations(PARTS, 2):
            assert not set(shared[one][name]) & set(shared[other][name]), (name, one, other)
    every = {word for part in PARTS for word in shared[part]["words"]}
    nouns = {noun for part in PARTS for noun in shared[part]["nouns"]}
    assert not every & (nouns | {pluralize(noun) for noun in nouns})


def test_what_is_reserved_never_appears_in_training():
    shared = shared_words()["evaluar"]
    reserved = {word for name in ("words", "nouns", "names", "places") for word in shared[name]}
    pairs = {frozenset(map(spell_number, pair)) for pair in shared["pairs"]}
    for example in itertools.islice(endless(5), 2000):
        used = set(re.findall(r"[^\W\d_]+", example.prompt)) - {"primera", "última"}
        if example.kind == "cuentas":
            found = re.search(r"(\w+(?: y \w+)?) (?:más|menos) (\w+(?: y \w+)?)", example.prompt)
            assert frozenset(found.groups()) not in pairs
        else:
            assert not used & reserved, (example, used & reserved)


def test_the_reserved_wording_is_only_for_evaluating():
    for kind in KINDS:
        last = WORDINGS["lectura" if kind == "no consta" else kind][-1]
        shape = re.compile(".+".join(map(re.escape, re.split(r"\{\d\}", last))))
        assert all(shape.fullmatch(e.prompt) for e in drawn(kind, reserved=True))
        assert not any(shape.fullmatch(e.prompt) for e in drawn(kind))


def test_the_answers_are_the_right_ones():
    known = set(shared_words()["entrenar"]["words"])
    for example in drawn("lista"):
        inside = [w for w in words_of(example.prompt) if w in known - {"primera", "última"}]
        assert example.answer == inside[0 if "primera" in example.prompt else -1], example
    for example in drawn("copia"):
        assert example.prompt.rstrip(".").endswith(example.answer)
    for example in drawn("plural"):
        assert any(
            pluralize(w) == example.answer for w in words_of(example.prompt) if w in gendered()
        )
    for example in drawn("artículo"):
        assert example.answer in {
            gendered()[w] for w in words_of(example.prompt) if w in gendered()
        }
    for example in drawn("no consta"):
        assert example.answer == UNKNOWN


TIME = re.compile(r"ayer|hoy|el (?:lunes|martes|viernes|domingo)|en (?:verano|enero|mayo)|por la")


def told(example):
    """La frase y la pregunta de una instrucción de lectura."""
    pieces = [one for one in re.split(r"(?<=[.?]) ", example.prompt) if " " in one]
    return sorted(
        (one.removeprefix("Lee y responde: ") for one in pieces), key=lambda one: "¿" in one
    )


def test_what_is_asked_when_reading_is_in_the_story_and_not_in_the_question():
    for example in drawn("lectura"):
        story, question = told(example)
        assert example.answer in story and example.answer not in question, example


def test_what_is_not_said_is_not_in_the_story():
    for example in drawn("no consta"):
        story, question = told(example)
        about = [name for name in shared_words()["entrenar"]["names"] if f" {name}" in question]
        where = re.search(r"en [A-ZÁÉÍÓÚ]", story)
        lacking = ("Dónde" in question and not where) or (
            "Cuándo" in question and not TIME.search(story)
        )
        assert about and (about[0] not in story or lacking), example


def test_sums_add_up():
    numbers = {spell_number(n): n for n in range(50)}
    for example in drawn("cuentas"):
        left, sign, right = re.search(
            r"(?:es|Calcula|de) (.+) (más|menos) (.+?)[.?]", example.prompt
        ).groups()
        value = numbers[left] + (1 if sign == "más" else -1) * numbers[right]
        assert numbers[example.answer] == value


def test_the_verifier_forgives_capitals_and_the_full_stop():
    example = drawn("lista")[0]
    assert is_right(example, f" {example.answer.capitalize()}. ")
    assert not is_right(example, example.answer + "s") and not is_right(example, "")


def test_the_same_seed_gives_the_same_and_the_kinds_can_be_chosen():
    assert instructions("evaluar", 5) == instructions("evaluar", 5)
    assert instructions("evaluar", 5) != instructions("evaluar", 5, seed=1)
    some = [next(endless(0, kinds=("lectura",))) for _ in range(3)]
    assert {example.kind for example in some} == {"lectura"}
    with pytest.raises(ValueError, match="usa una clase de copia, plural"):
        draw("chiste", "evaluar", random.Random(0))
