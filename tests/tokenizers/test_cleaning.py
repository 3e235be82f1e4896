"""Limpieza de textos: cada regla, caso a caso, y lo que no debe tocar."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfcourse.tokenizers import cleaning

CASES = {
    "enlaces": (
        ("mira https://t.co/Ab1#x.", "mira enlace."),
        ("www.cine.es, muy bien", "enlace, muy bien"),
        ("(http://a.es/b?c=1)", "(enlace)"),
        ("no es un enlace: httpx", "no es un enlace: httpx"),
    ),
    "arrobas": (
        ("@ana y @luis_2: hola", "usuario y usuario: hola"),
        ("ana@correo.es", "ana@correo.es"),
        ("nos vemos @ las 5", "nos vemos @ las 5"),
    ),
    "etiquetas": (
        ("#MuyRico todo", "etiqueta MuyRico todo"),
        ("el nº # 3", "el nº # 3"),
        ("C#mayor", "C#mayor"),
    ),
    "emojis": (
        ("bien 👍", "bien pulgar_hacia_arriba"),
        ("😡😡 mal", "cara_cabreada cara_cabreada mal"),
        ("❤️", "corazón_rojo"),
        ("sin emojis  ¿no?", "sin emojis  ¿no?"),
    ),
    "números": (
        ("3,50 € y 12:30", "numero € y numero"),
        ("en 2024.", "en numero."),
        ("dos", "dos"),
    ),
    "minúsculas": (("ÁRBOL Ñu", "árbol ñu"),),
    "tildes": (
        ("pingüino, CAMIÓN", "pinguino, CAMION"),
        ("año y an\u0303o", "año y año"),
        ("çà", "ca"),
    ),
    "repetidas": (
        ("buenoooo", "bueno"),
        ("perro, leer, cooperar", "perro, leer, cooperar"),
        ("...!!!", "...!!!"),
        ("1000", "1000"),
    ),
}


def test_every_rule_has_cases():
    assert set(CASES) == set(cleaning.STEPS)


@pytest.mark.parametrize(
    ("rule", "text", "expected"),
    [(rule, *pair) for rule, pairs in CASES.items() for pair in pairs],
)
def test_rule(rule, text, expected):
    assert cleaning.STEPS[rule](text) == expected


def test_everything_together():
    text = "@ana ¡BUENÍSIMOOO! 👍 #cine 3,5 https://t.co/a1"
    assert cleaning.clean_text(text) == (
        "usuario ¡buenisimo! pulgar_hacia_arriba etiqueta cine numero enlace"
    )


def test_links_go_first():
    """Un enlace con almohadilla, arroba y cifras dentro es un enlace y nada más."""
    assert cleaning.clean_text("https://a.es/@b#c12") == "enlace"
    assert cleaning.clean_text("https://a.es/#portada") == "enlace"


def test_a_rule_can_be_left_out():
    assert cleaning.clean_text("CAMIÓN 3", skip=["tildes"]) == "camión numero"


def test_unknown_rule():
    with pytest.raises(ValueError, match="no existe la regla 'acentos'.*tildes"):
        cleaning.clean_text("hola", skip=["acentos"])


@given(st.text(max_size=40))
def test_cleaning_twice_is_cleaning_once(text):
    once = cleaning.clean_text(text)
    assert cleaning.clean_text(once) == once or "#" in once or "@" in once


@given(st.text(alphabet="aábñüÑÉ o", max_size=20))
def test_accents_keep_the_length_and_the_eñe(text):
    plain = cleaning.strip_accents(text)
    assert len(plain) == len(text) and plain.count("ñ") == text.count("ñ")
