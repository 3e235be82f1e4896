"""Textos de programas: se leen de un paquete de mentira, y nada de lo reservado se aprende."""

import json
import struct
import zipfile

import pytest

from tfcourse.datasets.text import interface
from tfcourse.datasets.text.interface import (
    FOLDER,
    NearTexts,
    archives,
    cleaned,
    fingerprint,
    interface_pairs,
    is_sentence,
    messages,
    pairs_hash,
    split_pairs,
)


def compiled(texts: dict[str, str]) -> bytes:
    """Un catálogo de gettext: cabecera, dos tablas de longitudes y sitios, y los textos."""
    keys = [key.encode() for key in sorted(texts)]
    values = [texts[key.decode()].encode() for key in keys]
    place, tables, body = 28 + 16 * len(keys), b"", b""
    for column in (keys, values):
        for text in column:
            tables += struct.pack("<II", len(text), place + len(body))
            body += text + b"\0"
    sizes = (0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, 0)
    return struct.pack("<7I", *sizes) + tables + body


CATALOG = {
    "": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n",
    "&Open the file": "&Abrir el archivo",
    "menu\x04Save": "Guardar",
    "%d page\0%d pages": "%d página\0%d páginas",
    "https://example.org": "https://example.org/es",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    path = tmp_path / "programa-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("programa/locale/es/LC_MESSAGES/django.mo", compiled(CATALOG))
        packed.writestr("programa/locale/fr/LC_MESSAGES/django.mo", b"no se lee")
        both = {"title": {"on": "Turn on", "off": "Turn off"}, "only": "Only in English"}
        packed.writestr("programa/translations/en.json", json.dumps(both))
        theirs = {"title": {"on": "Encender", "off": "Apagar"}}
        packed.writestr("programa/translations/es.json", json.dumps(theirs))
    monkeypatch.setattr(interface, "PACKAGES", {path.name: "MIT"})
    monkeypatch.setenv(FOLDER, str(tmp_path))
    interface_pairs.cache_clear()
    yield path
    interface_pairs.cache_clear()


def test_a_package_is_read(package):
    assert archives() == [package]
    assert set(messages(package)) == {
        ("&Open the file", "&Abrir el archivo"),
        ("Save", "Guardar"),
        ("%d page", "%d página"),
        ("https://example.org", "https://example.org/es"),
        ("Turn on", "Encender"),
        ("Turn off", "Apagar"),
    }
    assert interface_pairs() == (
        ("Open the file", "Abrir el archivo"),
        ("Save", "Guardar"),
        ("Turn off", "Apagar"),
        ("Turn on", "Encender"),
        ("X page", "X página"),
    )


def test_a_missing_package_is_told(package):
    package.unlink()
    with pytest.raises(FileNotFoundError, match=f"programa-1.0.*{FOLDER}"):
        archives()


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("&Save  as", "Save as"),
        ("_Quit", "Quit"),
        ("%(count)s of {total}", "X of X"),
        ("{{ name }}\n%1$s", "X X"),
        ("AT&T's file_name", "ATT's file_name"),
    ],
)
def test_messages_are_cleaned(raw, clean):
    assert cleaned(raw) == clean


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("Email", "email"),
        ("plone.rightcolumn", "Columna derecha"),
        ("<b>Save</b>", "<b>Guardar</b>"),
        ("No", "No, no se puede hacer eso"),
        ("word " * 40, "palabra " * 40),
        ("12", "doce"),
    ],
)
def test_what_is_not_text_is_left_out(english, spanish):
    assert is_sentence("Save the file", "Guardar el archivo")
    assert not is_sentence(english, spanish)


def test_a_fingerprint_ignores_case_marks_and_numbers():
    assert fingerprint("Page 3, of 17!") == fingerprint("page 5 of 8") == "page 0 of 0"


def test_near_texts_share_almost_every_word():
    near = NearTexts(["Delete the selected user groups", "Open"])
    assert near.has_near("delete the selected user group groups")
    assert near.has_near("Open!")
    assert near.has_near("Delete the selected user rules")
    assert not near.has_near("Delete the chosen user rules")
    assert not near.has_near("Close")


def test_nothing_held_out_is_learned():
    words = ["rojo", "verde", "azul", "negro", "gris", "blanco"]
    pairs = [(f"{a} {b} {c}", f"la {a} {b} {c}") for a in words for b in words for c in words]
    pairs += [("something else", "la rojo rojo rojo")]
    train, test = split_pairs(pairs, 40, seed=1)
    assert len(test) == 40 and (train, test) == split_pairs(pairs, 40, seed=1)
    assert pairs_hash(train) != pairs_hash(split_pairs(pairs, 40, seed=2)[0])
    near = NearTexts(english for english, _ in test)
    assert not any(near.has_near(english) for english, _ in train)
    assert not {spanish for _, spanish in train} & {spanish for _, spanish in test}
    with pytest.raises(ValueError, match="n_test=900: hay 217 parejas"):
        split_pairs(pairs, 900)
