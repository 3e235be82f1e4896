"""El lector: un GPT que aprende, solo con texto, a contestar preguntas sobre una descripción."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice

from tfcourse.datasets.scenes.asked_scenes import Question, endless, held_out
from tfcourse.datasets.scenes.told_scenes import ToldScene
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.multimodal.dialogue.decoding import answers
from tfcourse.multimodal.dialogue.form import Turns, turns, vocabulary
from tfcourse.multimodal.dialogue.losses import dialogue_loss
from tfcourse.multimodal.dialogue.metrics import commonest, hits, share
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

SIZES = {
    "d_model": 64, "n_heads": 4, "n_layers": 3, "max_length": 160, "positions": "rotatorias",
    "norm": "cuadratica",
}  # fmt: skip


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena el lector: pasos, descripciones por lote, preguntas de cada una y ritmos."""

    steps: int = 1200
    batch_size: int = 24
    n_questions: int = 8
    muon_lr: float = 0.01
    adam_lr: float = 2e-3


def build(_recipe: Recipe) -> GPT:
    """El GPT, sin entrenar, con una fila más para la marca de imagen, que aún no ha visto."""
    return GPT(GPTConfig(len(vocabulary()), **SIZES))


def batches(recipe: Recipe, seed: int) -> Iterator[Turns]:
    """Lotes sin fin de descripciones, cada una con sus preguntas y respuestas."""
    stream = endless(seed, recipe.n_questions)
    while True:
        yield turns(list(islice(stream, recipe.batch_size)), None)


def reading_loss(model: GPT, batch: Turns):
    """La pérdida de las respuestas; las imágenes no se miran."""
    return dialogue_loss(model, batch, blind=True)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Entrena el lector; sin `budget`, los pasos de la receta."""
    return trained(lambda: build(recipe), batches(recipe, seed), reading_loss, recipe, seed, budget)


def accuracy(model, pairs: Sequence[tuple[ToldScene, Question]]) -> float:
    """Parte de las preguntas que contesta bien."""
    return share(hits(pairs, answers(model, pairs)))


WEIGHTS = {
    "lector_escenas": Shipped(
        train=lambda: train(Recipe(), 0),
        score=lambda model: {"acierto": accuracy(model, held_out(60))},
        blind=lambda: {"acierto_de_la_mas_comun": majority(60)},
        data="descripciones y preguntas generadas por el curso, CC0",
        recipe=lambda done: asdict(done.recipe),
    )
}


def majority(n_per_kind: int) -> float:
    """Lo que acierta quien da siempre la respuesta más común de cada clase."""
    pairs = held_out(n_per_kind)
    return share(hits(pairs, [commonest()[question.kind] for _, question in pairs]))


@cache
def load(name: str) -> GPT:
    """El lector que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = GPT(GPTConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return model
