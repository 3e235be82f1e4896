"""A escala real: SigLIP y SmolLM2, publicados, unidos por un proyector que aprende con escenas."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tfcourse.datasets.scenes.asked_scenes import Question, endless, held_out
from tfcourse.datasets.scenes.told_scenes import ToldScene
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.multimodal.dialogue.decoding import write
from tfcourse.multimodal.dialogue.form import Turns
from tfcourse.multimodal.dialogue.losses import dialogue_loss
from tfcourse.multimodal.dialogue.metrics import Pairs, commonest, measured
from tfcourse.official.pictures import Prepare, published_colors
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.text.assistant.chat import SYSTEM, ChatTemplate
from tfcourse.text.assistant.lora import add_lora, trainable
from tfcourse.text.assistant.template import padded_turns
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device, fit, seed_everything
from tfcourse.training.schedules import cycle

TOWER, READER = "google/siglip-base-patch16-224", "HuggingFaceTB/SmolLM2-135M-Instruct"
MARK = "<|endoftext|>"  # el lector no la usa en una conversación: hace de marca de imagen


@dataclass(frozen=True)
class Full:
    """Qué se compara y con cuánto: de cada manera, el rango de LoRA y si ve la imagen.

    Sin rango solo se mueve el proyector. `side` es el lado al que se amplían las escenas y
    `factor`, el de los cuadrados de parches que se juntan; `n_per_kind`, las preguntas reservadas
    de cada clase.
    """

    ways: dict[str, tuple[int | None, bool]]
    steps: int = 4000
    batch_size: int = 16
    rate: float = 3e-4
    side: int = 224
    factor: int = 2
    n_per_kind: int = 200
    max_answer: int = 16
    system: str = SYSTEM


WAYS = {"a ciegas, con LoRA": (16, False), "proyector": (None, True),
        "proyector y LoRA": (16, True)}  # fmt: skip
SETTINGS = Full(WAYS)
REHEARSAL = Full(
    {"a ciegas, con LoRA": (2, False), "proyector": (None, True)}, steps=4, batch_size=2, side=32,
    n_per_kind=2, max_answer=3, system="",
)  # fmt: skip


class Published:
    """Las piezas publicadas: la torre, el lector, su plantilla y cómo se preparan las imágenes."""

    def __init__(self, settings: Full):
        seeing, reading = find_official(TOWER), find_official(READER)
        self.tower, self.language = seeing.model.image_tower.float(), reading.model.float()
        self.prepare: Prepare = published_colors(seeing.folder)
        self.form = ChatTemplate(load_tokenizer(reading.folder), settings.system)
        self.image_id, self.settings = self.form.tokenizer.token_id(MARK), settings

    def model(self, rank: int | None) -> VisionLanguage:
        """Un modelo entero, con un proyector nuevo y quieto lo que no se aprende."""
        whole = VisionLanguage(
            deepcopy(self.tower), deepcopy(self.language), self.image_id, self.settings.factor
        ).requires_grad_(False)
        if rank is not None:
            add_lora(whole.language, rank)
        whole.projector.requires_grad_(True)
        return whole

    def images(self, scenes: Sequence[ToldScene]) -> Tensor:
        """Las escenas, ampliadas y con los colores que espera la torre."""
        small = torch.stack([scene.image for scene in scenes])
        return self.prepare(F.interpolate(small, size=(self.settings.side,) * 2, mode="nearest"))

    def prompt(self, question: Question, n_image: int) -> list[int]:
        """Las marcas de la imagen y, detrás, la petición."""
        return [self.image_id] * n_image + self.form.prompt(question.text)


def measure(settings: Full, folder: Path) -> list[dict]:
    """El acierto por clase de cada manera, lo que se inventa y quien da la respuesta más común."""
    parts, pairs = Published(settings), held_out(settings.n_per_kind)
    rows = []
    for number, (name, (rank, sees)) in enumerate(settings.ways.items()):
        seed_everything(0)
        model = parts.model(rank)
        model.projector.requires_grad_(sees)
        n_image = model.n_image if sees else 0
        tune(model, parts, n_image, settings, folder / f"{number}.safetensors")
        said = replies(model.to(default_device()).eval(), parts, pairs, n_image)
        rows.append(row_of(name, pairs, said, sum(p.numel() for p in trainable(model))))
    usual = [commonest()[question.kind] for _, question in pairs]
    return [*rows, row_of("la respuesta más común", pairs, usual, "")]


def row_of(name: str, pairs: Pairs, said: Sequence[str], learned: int | str) -> dict:
    """La fila de una manera."""
    return {"manera": name, "números que aprende": learned, **measured(pairs, said)}


def tune(model: nn.Module, parts: Published, n_image: int, settings: Full, path: Path) -> None:
    """Entrena lo que se mueve, con punto de control: si se corta, sigue donde estaba."""
    budget = Steps(settings.steps)
    optimizer = torch.optim.AdamW(trainable(model), lr=settings.rate, weight_decay=0.0)
    fit(
        model, batches(parts, n_image, settings.batch_size),
        partial(dialogue_loss, blind=not n_image), budget=budget, optimizer=optimizer,
        schedule=cycle(budget), checkpoint=Checkpoint(path, every=max(1, settings.steps // 20)),
    )  # fmt: skip


def batches(parts: Published, n_image: int, batch_size: int) -> Iterator[Turns]:
    """Lotes sin fin de escenas con una pregunta y su respuesta."""
    stream = endless(0)
    while True:
        talks = list(islice(stream, batch_size))
        asked = [
            (parts.prompt(question, n_image), parts.form.answer(" ".join(question.answer)))
            for _, (question,) in talks
        ]
        tokens, answer = padded_turns(asked, parts.form.end_id)
        yield Turns(tokens, answer, parts.images([scene for scene, _ in talks]))


def replies(model: VisionLanguage, parts: Published, pairs: Pairs, n_image: int) -> list[str]:
    """Lo que contesta a cada pregunta, en minúsculas y sin punto final."""
    rows = [parts.prompt(question, n_image) for _, question in pairs]
    images = parts.images([scene for scene, _ in pairs]) if n_image else None
    written = write(
        model, rows, images, stop_id=parts.form.end_id, max_length=parts.settings.max_answer,
        at_once=parts.settings.batch_size,
    )  # fmt: skip
    return [parts.form.read(ids).rstrip(".").lower() for ids in written]


RUNS = {
    "dialogo_publicado": FullRun(
        name="dialogo_publicado",
        title="SigLIP y SmolLM2, unidos para conversar sobre escenas",
        sources=(official_source(TOWER), official_source(READER)),
        settings=SETTINGS,
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=16,
        hours=2,
    )
}
