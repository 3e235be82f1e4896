"""Cómo se mide: acierto por clase de pregunta, lo que se inventa y a dónde mira la respuesta."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.scenes.asked_scenes import KINDS, YES, Question, endless
from tfcourse.datasets.scenes.scene_objects import SHAPES
from tfcourse.datasets.scenes.told_scenes import ToldScene
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.multimodal.dialogue.form import prompts

Pairs = Sequence[tuple[ToldScene, Question]]


def hits(pairs: Pairs, said: Sequence[str]) -> list[bool]:
    """Qué respuestas son, palabra por palabra, las que valen."""
    return [
        text == " ".join(question.answer) for (_, question), text in zip(pairs, said, strict=True)
    ]


def hits_by_kind(pairs: Pairs, said: Sequence[str]) -> dict[str, list[bool]]:
    """De cada clase de pregunta, cuáles se aciertan."""
    found: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    for (_, question), right in zip(pairs, hits(pairs, said), strict=True):
        found[question.kind].append(right)
    return {kind: own for kind, own in found.items() if own}


def invented(pairs: Pairs, said: Sequence[str], *, trap: bool | None = None) -> list[bool]:
    """De las preguntas por algo que no hay, en cuáles se inventa: «sí», o una figura que no está.

    Contestar otra cosa es fallar, y no cuenta. Con `trap`, solo las de «sí o no» que son trampa,
    porque la figura y el color están por separado, o solo las que no lo son.
    """
    return [
        text == YES or text in SHAPES
        for (_, question), text in zip(pairs, said, strict=True)
        if question.absent
        and (trap is None or (question.kind == "sí o no" and question.trap == trap))
    ]


@cache
def commonest(n: int = 3000) -> dict[str, str]:
    """De cada clase de pregunta, la respuesta más común al entrenar."""
    counts: dict[str, Counter] = {kind: Counter() for kind in KINDS}
    for _, (question,) in islice(endless(0), n):
        counts[question.kind][" ".join(question.answer)] += 1
    return {kind: own.most_common(1)[0][0] for kind, own in counts.items()}


def share(found: Sequence[bool]) -> float:
    """Parte de los que son ciertos. Errores: `ZeroDivisionError` si no hay ninguno."""
    return sum(found) / len(found)


def measured(pairs: Pairs, said: Sequence[str]) -> dict[str, float]:
    """El acierto de cada clase y el de todas, y tres partes inventadas: de todas, y por trampa.

    Falta lo que no se puede medir, porque no hay ninguna pregunta.
    """
    found = {
        **hits_by_kind(pairs, said),
        "todas": hits(pairs, said),
        "se inventa": invented(pairs, said),
        "se inventa, con trampa": invented(pairs, said, trap=True),
        "se inventa, sin trampa": invented(pairs, said, trap=False),
    }
    return {name: share(own) for name, own in found.items() if own}


@torch.no_grad()
def looked_at(model: VisionLanguage, pairs: Pairs, layer: int) -> list[Float[Tensor, "R C"]]:
    """A qué tokens de imagen mira el signo con que acaba cada pregunta, que es quien responde.

    Media de las cabezas de una capa del lector, en forma de rejilla.
    """
    side, layer = round(model.n_image**0.5), layer - len(model.language.blocks)
    found = []
    for pair, row in zip(pairs, prompts(pairs, model.n_image), strict=True):
        maps = model.attention_maps(torch.tensor([row]), pair[0].image[None])[layer]
        found.append(maps[0, :, -1, 1 : 1 + model.n_image].mean(0).view(side, side))
    return found
