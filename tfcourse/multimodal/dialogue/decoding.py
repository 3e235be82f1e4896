"""Responder: del comienzo de una conversación a lo que el modelo escribe."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from tfcourse.datasets.scenes.asked_scenes import Question
from tfcourse.datasets.scenes.told_scenes import ToldScene
from tfcourse.decoding.steps import greedy, sample_decode
from tfcourse.models.gpt import GPT
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.multimodal.dialogue.form import prompts, read
from tfcourse.tokenizers.vocabulary import Vocabulary

MAX_ANSWER = 6  # tokens: de sobra para cualquier respuesta y su marca de fin


@torch.no_grad()
def answers(
    model: VisionLanguage | GPT,
    pairs: Sequence[tuple[ToldScene, Question]],
    *,
    blind: bool = False,
) -> list[str]:
    """Lo que responde un modelo a cada pregunta, eligiendo siempre lo más probable.

    Un `GPT` lee la descripción de la escena; con `blind`, no se lee más que la pregunta.
    """
    told = isinstance(model, GPT)
    images = None if told or blind else torch.stack([scene.image for scene, _ in pairs])
    rows = prompts(pairs, None if told else 0 if blind else model.n_image)
    return [read(ids) for ids in write(model, rows, images)]


@torch.no_grad()
def write(
    model: nn.Module,
    rows: Sequence[Sequence[int]],
    images: Float[Tensor, "N C H W"] | None = None,
    *,
    stop_id: int = Vocabulary.stop_id,
    max_length: int = MAX_ANSWER,
    at_once: int = 100,
) -> list[list[int]]:
    """Lo que se escribe detrás de cada comienzo, con su marca de fin si llega a ponerla.

    Los comienzos igual de largos se leen juntos, de `at_once` en `at_once`.
    """
    device = next(model.parameters()).device
    found: list[list[int]] = [[] for _ in rows]
    for places in _by_length(rows, at_once):
        tokens = torch.tensor([rows[place] for place in places], device=device)
        seen = None if images is None else images[places].to(device)
        written = _continued(model, tokens, seen, stop_id, max_length).tolist()
        for place, ids in zip(places, written, strict=True):
            found[place] = ids[: ids.index(stop_id) + 1] if stop_id in ids else ids
    return found


def _continued(
    model: nn.Module, tokens: Int[Tensor, "B L"], images: Tensor | None, stop_id: int, longest: int
) -> Int[Tensor, "B T"]:
    seeing = isinstance(model, VisionLanguage)
    language = model.language if seeing else model
    options = (images,) if seeing else ()
    return sample_decode(
        language.step, model.start(tokens[:, :-1], *options), tokens[:, -1], choose=greedy,
        max_length=longest, stop_id=stop_id,
    )  # fmt: skip


def _by_length(rows: Sequence[Sequence[int]], at_once: int) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(len(row), []).append(place)
    return [
        places[start : start + at_once]
        for _, places in sorted(groups.items())
        for start in range(0, len(places), at_once)
    ]
