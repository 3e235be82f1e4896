"""Las tareas de texto a texto: reglas comprobadas a mano, y nada de evaluar se ve al entrenar."""

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.datasets.tasks.mixture import (
    all_tasks,
    mixed_examples,
    mixing_rates,
    split_pairs,
    with_prefix,
)
from tfcourse.datasets.tasks.numbers import (
    MAX_NUMBER,
    number_pairs,
    read_number,
    spell_number,
    write_part,
    year_part_pairs,
)
from tfcourse.datasets.tasks.phonology import letters_as_sounds, pronounce, syllables
from tfcourse.datasets.tasks.plurals import EXCEPTIONS, pluralize
from tfcourse.datasets.tasks.reading import (
    correction_pairs,
    damage,
    description_by_rule,
    opening,
)
from tfcourse.datasets.text.articles import split_articles

SPELLED = {
    0: "cero", 1: "uno", 16: "dieciséis", 21: "veintiuno", 30: "treinta", 31: "treinta y uno",
    100: "cien", 101: "ciento uno", 500: "quinientos", 1_000: "mil", 1_001: "mil uno",
    2_021: "dos mil veintiuno", 21_000: "veintiún mil", 31_101: "treinta y un mil ciento uno",
    100_000: "cien mil", 701_900: "setecientos un mil novecientos",
}  # fmt: skip
SOUNDS = {
    "cigüeña": "θiˈɡweɲa", "guerra": "ˈɡera", "tiene": "ˈtjene", "aire": "ˈaiɾe", "rey": "ˈrei",
    "reyes": "ˈreʝes", "país": "paˈis", "enrique": "enˈrike", "alrededor": "alredeˈdoɾ",
    "xilófono": "siˈlofono", "examen": "eˈksamen", "construcción": "konstɾukˈθjon",
    "ahínco": "aˈinko", "buey": "ˈbwei", "poeta": "poˈeta", "chulo": "ˈtʃulo", "israel": "israˈel",
    "distinguir": "distinˈɡiɾ", "zanahoria": "θanaˈoɾja", "lluvia": "ˈʝubja", "gente": "ˈxente",
}  # fmt: skip
SYLLABLES = {
    "transporte": "trans-por-te", "obstruir": "obs-truir", "caída": "ca-í-da", "perro": "pe-rro",
    "averiguáis": "a-ve-ri-guáis", "psicología": "psi-co-lo-gí-a", "atlántico": "at-lán-ti-co",
    "huevo": "hue-vo", "oír": "o-ír", "inglés": "in-glés", "quijote": "qui-jo-te",
}  # fmt: skip
PLURALS = {
    "casa": "casas", "lápiz": "lápices", "ciudad": "ciudades", "joven": "jóvenes",
    "canción": "canciones", "raíz": "raíces", "rubí": "rubíes", "sofá": "sofás", "crisis": "crisis",
    "examen": "exámenes", "francés": "franceses", "país": "países", "rey": "reyes",
    "imagen": "imágenes", "autobús": "autobuses", "baúl": "baúles", "tórax": "tórax",
    "carácter": "caracteres", "régimen": "regímenes", "club": "clubes", "mes": "meses",
    "interés": "intereses", "túnel": "túneles", "avión": "aviones", "café": "cafés",
}  # fmt: skip


@pytest.fixture(scope="module")
def tasks():
    return all_tasks()


@pytest.mark.parametrize("number", SPELLED)
def test_numbers_are_spelled(number):
    assert spell_number(number) == SPELLED[number]


def test_no_two_numbers_are_spelled_alike():
    numbers = [*range(3_000), *range(3_000, MAX_NUMBER, 997)]
    assert len({spell_number(number) for number in numbers}) == len(numbers)


@given(st.integers(0, 999), st.integers(1, 999))
def test_thousands_are_composed(rest, thousands):
    """El resto se escribe igual detrás de cualquier millar."""
    text = spell_number(thousands * 1_000 + rest)
    assert text.endswith("mil" if not rest else f"mil {spell_number(rest)}")


@pytest.mark.parametrize("word", SOUNDS)
def test_words_are_pronounced(word):
    assert pronounce(word) == SOUNDS[word]


def test_seseo_and_letters():
    assert pronounce("zapatos", seseo=True) == "saˈpatos"
    assert letters_as_sounds("corazón") == "corazon"


@pytest.mark.parametrize("word", SYLLABLES)
def test_words_are_split(word):
    assert "-".join(syllables(word)) == SYLLABLES[word]


@pytest.mark.parametrize("word", PLURALS)
def test_plurals(word):
    assert pluralize(word) == PLURALS[word]


def test_the_stress_does_not_move(tasks):
    """Salvo en las excepciones, la vocal acentuada del plural es la del singular."""
    for singular, plural in tasks["plural"].train:
        if singular not in EXCEPTIONS:
            stressed = [pronounce(word).split("ˈ")[0].count("") for word in (singular, plural)]
            assert stressed[0] == stressed[1], (singular, plural)
            assert "".join(syllables(singular)) == singular


def test_the_part_of_the_year():
    pairs = dict(year_part_pairs())
    assert pairs["1 de enero"] == "0,00" and pairs["uno de enero"] == "0,00"
    assert pairs["2 de julio"] == pairs["julio, día 2"] == "0,50"
    assert len(pairs) == 365 * 3 and len(set(pairs.values())) == 51
    assert read_number(write_part(0.377)) == 0.38 and read_number("medio") is None


def test_damage_always_removes_accents():
    rng = random.Random(0)
    for text in ("canción antigua", "el río Tajo"):
        broken = damage(text, rng)
        assert not set(broken) & set("áéíóú") and abs(len(broken) - len(text)) <= 1
    assert damage("a", rng) == "a"


def test_what_is_read():
    article = next(a for a in split_articles()[0] if len(a.text) > 100)
    assert len(opening(article)) <= 80 and article.text.startswith(opening(article))
    assert description_by_rule("Bach fue un músico alemán, que vivió") == "músico alemán"
    assert description_by_rule("Nada que ver") == ""


@pytest.mark.lento
def test_nothing_of_the_test_is_seen(tasks):
    assert " ".join(tasks) == "describe tema corrige pronuncia plural cifras fecha"
    for name, data in tasks.items():
        if name == "corrige":  # fragmentos de artículos distintos: alguno corto coincide
            common = {b for _, b in data.train} & {b for _, b in data.test}
            assert len(common) < 0.2 * len(data.test)
        else:
            assert not {a for a, _ in data.train} & {a for a, _ in data.test}, name
    days = [{part for _, part in data} for data in (tasks["fecha"].train, tasks["fecha"].test)]
    assert len(tasks["fecha"].test) == 180 and days[1] <= days[0] | days[1]
    assert all_tasks()["corrige"].train == tasks["corrige"].train


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 10**6), min_size=1, max_size=6))
def test_temperature_and_limit(sizes):
    flat, exact = mixing_rates(sizes, temperature=1e9), mixing_rates(sizes)
    assert all(abs(rate - 1 / len(sizes)) < 1e-6 for rate in flat.values())
    total = sum(sizes.values())
    assert all(abs(exact[task] - n / total) < 1e-9 for task, n in sizes.items())
    assert len(set(mixing_rates(sizes, limit=1).values())) == 1


def test_rates_of_the_paper_by_hand():
    found = mixing_rates({"a": 400, "b": 10_000}, limit=900, temperature=2)
    assert found["a"] == pytest.approx(20 / 50) and found["b"] == pytest.approx(30 / 50)


def test_the_mixture_keeps_the_rates():
    pairs = {"a": [("x", "1"), ("y", "2")], "b": [("z", "3")]}
    drawn = list(islice(mixed_examples(pairs, {"a": 0.8, "b": 0.2}, seed=1), 4_000))
    counts = Counter(task for task, _ in drawn)
    assert abs(counts["a"] / 4_000 - 0.8) < 0.03
    per_pair = Counter(pair for task, pair in drawn if task == "a")
    assert abs(per_pair[("x", "1")] - per_pair[("y", "2")]) <= 1  # cada vuelta, todas
    assert drawn == list(islice(mixed_examples(pairs, {"a": 0.8, "b": 0.2}, seed=1), 4_000))
    assert with_prefix("a", "x") == "a: x"


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="number=-1: solo se escriben"):
        spell_number(-1)
    with pytest.raises(ValueError, match="n_pairs=0: usa un número"):
        number_pairs(0, random.Random(0))
    with pytest.raises(ValueError, match="'Año' no es una palabra en minúsculas"):
        syllables("Año")
    with pytest.raises(ValueError, match="'tsk' no tiene vocales"):
        syllables("tsk")
    with pytest.raises(ValueError, match="hay 0 fragmentos y se piden 3"):
        correction_pairs([], 3, random.Random(0))
    with pytest.raises(ValueError, match="n_test=5: hay 1 parejas"):
        split_pairs([("a", "b")], 5, random.Random(0))
    with pytest.raises(ValueError, match="temperature=0: todos tienen que ser positivos"):
        mixing_rates({"a": 1}, temperature=0)
    with pytest.raises(ValueError, match="deben ser las mismas"):
        next(mixed_examples({"a": []}, {"b": 1.0}))
