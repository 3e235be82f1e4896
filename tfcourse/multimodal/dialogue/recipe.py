"""La receta: enseñar al lector a leer imágenes, aprendiendo solo el proyector, LoRA o todo él.

La torre no se mueve nunca. El lector ya sabe contestar sobre una descripción escrita: lo que se
aprende es a ponerle la imagen donde iba la descripción.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice

import torch
from torch import nn

from tfcourse.datasets.scenes.asked_scenes import endless, held_out
from tfcourse.models.gpt import GPT
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.models.vit import ViT
from tfcourse.multimodal.dialogue import reader, tower
from tfcourse.multimodal.dialogue.decoding import answers
from tfcourse.multimodal.dialogue.form import Turns, image_id, turns
from tfcourse.multimodal.dialogue.losses import dialogue_loss
from tfcourse.multimodal.dialogue.metrics import Pairs, measured
from tfcourse.text.assistant.lora import add_lora, trainable
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import fit, seed_everything
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

WAYS = ("congelado", "LoRA", "entero")


@dataclass(frozen=True)
class Recipe:
    """Cómo se entrena: pasos, escenas por lote, preguntas de cada una, ritmo y qué se mueve.

    `way` es uno de `WAYS`: solo el proyector, el proyector y LoRA de rango `rank` en el lector, o
    el proyector y el lector entero. `factor` es el lado de los cuadrados de parches que se juntan.
    Con `blind` no hay imagen: se entrena el lector solo con preguntas y respuestas.
    Errores: `ValueError` si `way` no se conoce.
    """

    steps: int = 400
    batch_size: int = 24
    n_questions: int = 8
    rate: float = 3e-3
    way: str = "entero"
    rank: int = 8
    factor: int = 2
    blind: bool = False
    warmup = 0.1

    def __post_init__(self):
        if self.way not in WAYS:
            raise ValueError(f"way={self.way!r}: usa {', '.join(WAYS)}")


def build(recipe: Recipe, seeing: ViT | None = None) -> VisionLanguage:
    """Una torre y el lector del curso, con un proyector nuevo, y quieto lo que no se aprende.

    Sin `seeing`, la torre del curso.
    """
    seeing = deepcopy(tower.load("torre_escenas") if seeing is None else seeing)
    reading = deepcopy(reader.load("lector_escenas"))
    return freeze(VisionLanguage(seeing, reading, image_id(), recipe.factor, 64), recipe)


def freeze(model: VisionLanguage, recipe: Recipe) -> VisionLanguage:
    """Deja que se mueva solo lo que dice la receta. Cambia el modelo y lo devuelve."""
    model.requires_grad_(False)
    if recipe.way == "LoRA":
        add_lora(model.language, recipe.rank)
    model.projector.requires_grad_(not recipe.blind)
    if recipe.way == "entero":
        model.language.requires_grad_(True)
    return model


def batches(recipe: Recipe, seed: int, n_image: int) -> Iterator[Turns]:
    """Lotes sin fin de conversaciones, con `n_image` marcas de imagen en cada una."""
    stream = endless(seed, recipe.n_questions)
    while True:
        yield turns(list(islice(stream, recipe.batch_size)), n_image)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    model: nn.Module | None = None,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Entrena según la receta; sin `model`, desde la torre y el lector del curso."""
    budget = budget or Steps(recipe.steps)
    seed_everything(seed)
    model = build(recipe) if model is None else model
    n_image = 0 if recipe.blind else model.n_image
    optimizer = torch.optim.AdamW(
        trainable(model), lr=recipe.rate, betas=(0.9, 0.95), weight_decay=0.0
    )
    history = fit(
        model, batches(recipe, seed, n_image), partial(dialogue_loss, blind=recipe.blind),
        budget=budget, optimizer=optimizer, schedule=cycle(budget, recipe.warmup),
        checkpoint=checkpoint,
    )  # fmt: skip
    return Trained(model, recipe, history)


def scores(model: VisionLanguage | GPT, pairs: Pairs, *, blind: bool = False) -> dict[str, float]:
    """Todas las medidas de un modelo en unas preguntas."""
    return measured(pairs, answers(model, pairs, blind=blind))


class Learned(nn.Module):
    """Lo que se aprende de un modelo, y nada más: los números que se mueven, con su nombre.

    `whole` es el modelo entero, que los comparte. Así los pesos guardados no repiten la torre ni el
    lector, que ya vienen aparte.
    """

    def __init__(self, whole: VisionLanguage):
        super().__init__()
        self._whole = (whole,)  # en una tupla, para que sus pesos no cuenten como propios
        for name, value in whole.named_parameters():
            if value.requires_grad:
                self.register_parameter(name.replace(".", "-"), value)

    @property
    def whole(self) -> VisionLanguage:
        """El modelo entero."""
        return self._whole[0]


SHIPPED = Recipe(way="LoRA")


def _learned() -> Trained:
    done = train(SHIPPED, 0)
    return Trained(Learned(done.model), done.recipe, done.history)


WEIGHTS = {
    "dialogo": Shipped(
        train=_learned,
        score=lambda learned: {"acierto": scores(learned.whole, held_out(60))["todas"]},
        blind=lambda: {"acierto_de_la_mas_comun": reader.majority(60)},
        data="escenas y preguntas generadas por el curso, CC0; parte de torre_escenas y "
        "lector_escenas",
        config=lambda _: asdict(SHIPPED),
    )
}


def load(name: str) -> VisionLanguage:
    """El modelo que viene con el curso, con su LoRA puesta. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    learned = Learned(build(Recipe(**weights_card(name).config)))
    load_weights(name, learned)
    return learned.whole.eval()
