"""El glosario va por orden alfabético, sin mirar tildes ni guiones."""

import re
import unicodedata

from tests.conftest import ROOT


def place(term: str) -> str:
    """Por dónde se busca una palabra: «ñ» va detrás de la «n»."""
    plain = re.sub("[–-]", " ", term.lower().replace("ñ", "n\uffff"))
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


def terms() -> list[str]:
    text = (ROOT / "chapters/glosario.md").read_text(encoding="utf-8")
    body = text.split(":::{glossary}\n")[1].split("\n:::\n")[0]
    return re.findall(r"^\S.*$", body, re.MULTILINE)


def test_terms_are_sorted():
    found = terms()
    assert len(found) > 200 and len(set(found)) == len(found)
    assert found == sorted(found, key=place)


def test_accents_and_hyphens_do_not_count():
    assert sorted(["época", "EM", "uña", "unión"], key=place) == ["EM", "época", "unión", "uña"]
