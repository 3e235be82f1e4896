"""Conversaciones escritas y ordenadas por voluntarios, para el perfil `completo`.

Proceden de OpenAssistant (Köpf et al., 2023); se descargan una vez. De cada árbol se toma su primer
turno: una petición y las respuestas que se le dieron, con el orden en que las prefirieron.
"""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tfcourse.datasets.download import RemoteFile, data_folder, download
from tfcourse.stored.full import Source

PAGE = "https://huggingface.co/datasets/OpenAssistant/oasst1"
NAME = "2023-04-12_oasst_ready.messages.jsonl.gz"
MESSAGES = RemoteFile(
    NAME,
    (f"{PAGE}/resolve/5c38bf14fe3c7bb31bb8e13eb4f87b2c6fd78d93/{NAME}",),
    size=34_196_309,
    sha256="286a6e9a5a413b3272ae9c0b5a20d327983dea1c24342ae28cb244a6da65185c",
)
CONVERSATIONS_SOURCE = Source("Conversaciones de OpenAssistant", PAGE, "Apache 2.0", 0.034)


@dataclass(frozen=True)
class FirstTurn:
    """Una petición y sus respuestas, de la que más se prefirió a la que menos.

    `ranked` dice si alguien las ordenó; si no, hay una sola o van como venían.
    """

    tree: str
    prompt: str
    replies: tuple[str, ...]
    ranked: bool


def first_turns(language: str = "es", folder: Path | None = None) -> list[FirstTurn]:
    """Los primeros turnos en una lengua, por orden de su árbol.

    Errores: `ValueError` si no hay ninguno; `ConnectionError` si no se puede descargar.
    """
    path = download(MESSAGES, folder or data_folder())
    prompts, replies = {}, defaultdict(list)
    for message in _messages(path):
        if message.get("lang") != language or message.get("deleted"):
            continue
        if message.get("parent_id") is None:
            prompts[message["message_id"]] = message
        elif message.get("role") == "assistant":
            replies[message["parent_id"]].append(message)
    found = [
        _turn(prompt, replies[number]) for number, prompt in prompts.items() if replies[number]
    ]
    if not found:
        raise ValueError(f"en «{path.name}» no hay ningún turno en {language!r}: ¿está entero?")
    return sorted(found, key=lambda turn: turn.tree)


def split_turns(
    turns: Sequence[FirstTurn], one_in: int = 20
) -> tuple[list[FirstTurn], list[FirstTurn]]:
    """Los de entrenar y los reservados: uno de cada `one_in`, elegido por el nombre de su árbol.

    El archivo no trae reparto oficial. Errores: `ValueError` si una parte queda vacía.
    """
    parts: tuple[list, list] = ([], [])
    for turn in turns:
        digest = hashlib.sha256(turn.tree.encode()).digest()
        parts[int.from_bytes(digest[:4]) % one_in == 0].append(turn)
    if not all(parts):
        raise ValueError(f"con one_in={one_in} y {len(turns)} turnos, una parte queda vacía")
    return parts


def _messages(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _turn(prompt: dict, replies: list[dict]) -> FirstTurn:
    ranked = len(replies) > 1 and all(reply.get("rank") is not None for reply in replies)
    ordered = sorted(replies, key=lambda reply: reply["rank"]) if ranked else replies
    texts = tuple(reply["text"].strip() for reply in ordered)
    return FirstTurn(prompt["message_tree_id"], prompt["text"].strip(), texts, ranked)
