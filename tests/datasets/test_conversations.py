"""Las conversaciones de OpenAssistant: qué se lee de su archivo y que lo reservado no se repite."""

import gzip
import json

import pytest

from tfcourse.datasets.folders.conversations import NAME, first_turns, split_turns
from workshop.rehearsal.conversations import make_conversations


@pytest.fixture(autouse=True)
def rehearsing(monkeypatch):
    monkeypatch.setenv("TFCOURSE_ENSAYO", "1")


def write(folder, *messages):
    """Un archivo con esos mensajes; lo que no dicen es lo de siempre."""
    usual = {"lang": "es", "deleted": False, "role": "assistant"}
    with gzip.open(folder / NAME, "wt", encoding="utf-8") as output:
        output.writelines(json.dumps(usual | message) + "\n" for message in messages)


def asked(number, text, **more):
    return {
        "message_id": number,
        "message_tree_id": number,
        "text": text,
        "role": "prompter",
    } | more


def told(number, parent, text, **more):
    return {"message_id": number, "parent_id": parent, "text": text} | more


def test_the_first_turn_with_its_replies_from_best_to_worst(tmp_path):
    write(
        tmp_path,
        asked("b", " ¿Qué tal? "),
        told("1", "b", "Mal.", rank=2),
        told("2", "b", " Bien. ", rank=0),
        told("3", "b", "Tal cual.", rank=1),
        told("4", "b", "No vale.", rank=3, deleted=True),
        asked("5", "¿Y tú?", parent_id="2", message_tree_id="b"),
        told("6", "5", "También."),
        asked("a", "Hi", lang="en"),
        told("7", "a", "Hello", lang="en"),
        asked("c", "Sin respuesta"),
        asked("aa", "Sin orden"),
        told("8", "aa", "Uno"),
        told("9", "aa", "Dos", rank=0),
    )
    first, second = first_turns(folder=tmp_path)
    assert (first.prompt, first.replies, first.ranked) == ("Sin orden", ("Uno", "Dos"), False)
    assert second.prompt == "¿Qué tal?" and second.ranked
    assert second.replies == ("Bien.", "Tal cual.", "Mal.")
    (english,) = first_turns("en", tmp_path)
    assert english.replies == ("Hello",) and not english.ranked
    with pytest.raises(ValueError, match="ningún turno en 'fr'"):
        first_turns("fr", tmp_path)


def test_a_tree_is_in_one_part_always_the_same(tmp_path):
    make_conversations(tmp_path)
    turns = first_turns(folder=tmp_path)
    train, reserved = split_turns(turns, 4)
    assert sorted(turn.tree for turn in train + reserved) == [turn.tree for turn in turns]
    assert split_turns(turns[::-1], 4)[1] == reserved[::-1]
    with pytest.raises(ValueError, match="una parte queda vacía"):
        split_turns(turns, 1)
