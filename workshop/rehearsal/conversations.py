"""Conversaciones diminutas, con el formato de las de OpenAssistant."""

import gzip
import json
import random
from pathlib import Path

from tfcourse.datasets.folders.conversations import NAME

N_TREES = 60
ASKED = ("¿Qué es {}?", "Dime algo de {}.", "¿Y {}?")
THINGS = ("un río", "una ciudad", "el mar", "la sierra", "un poema")


def make_conversations(folder: Path) -> None:
    """Un mensaje por línea, en árboles: petición, dos o tres respuestas y, a veces, otra vuelta.

    Hay árboles en otra lengua, sin ordenar y con una respuesta borrada.
    """
    rng, lines = random.Random(0), []
    for tree in range(N_TREES):
        name, lang = f"arbol-{tree:03d}", "en" if tree % 10 == 0 else "es"
        thing = rng.choice(THINGS)
        lines.append(_message(name, None, name, rng.choice(ASKED).format(thing), lang))
        for place in range(rng.randint(1, 3)):
            reply = f"{name}-{place}"
            rank = {"rank": place} if tree % 7 else {}
            text = f"{thing.capitalize()} es {'agua' * (place + 1)}. "
            lines.append(_message(reply, name, name, text, lang, "assistant", **rank))
        lines.append(_message(f"{name}-x", name, name, "Nada.", lang, "assistant", deleted=True))
        lines.append(_message(f"{name}-v", f"{name}-0", name, "¿Y qué más?", lang))
    with gzip.open(folder / NAME, "wt", encoding="utf-8") as output:
        output.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _message(
    number: str, parent: str | None, tree: str, text: str, lang: str, role: str = "prompter",
    **more,
) -> dict:  # fmt: skip
    message = {
        "message_id": number, "text": text, "role": role, "lang": lang, "deleted": False,
        "review_result": True, "message_tree_id": tree, "tree_state": "ready_for_export",
    } | more  # fmt: skip
    return message if parent is None else message | {"parent_id": parent}


MAKERS = {"Conversaciones de OpenAssistant": make_conversations}
