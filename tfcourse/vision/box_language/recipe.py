"""Receta de Pix2Seq: entrenarlo entero y medir lo que detecta."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial

import torch
from torch import Tensor, nn

from tfcourse.datasets.scenes.box_sequences import Writing, sequence_batches
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, SceneConfig, reserved_scenes
from tfcourse.decoding import greedy
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig
from tfcourse.tokenizers.boxes import BoxVocabulary
from tfcourse.training import History, seed_everything
from tfcourse.training.budget import Budget, CpuSeconds
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.box_language.writing import Reading, WritingLoss, stop_as_event, write_objects
from tfcourse.vision.detection.metrics import Found, average_precision
from tfcourse.vision.detection.recipe import WEIGHTS_SCENES, WEIGHTS_SECONDS
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

N_TEST = 300


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se escribe y cómo se corrige: orden y ruido, anchura de las coordenadas y ojos.

    `eyes` es el peso del examen de colorear; 0, sin él.
    """

    writing: Writing = field(default_factory=Writing)
    width: float = 1.0
    eyes: float = 1.0
    n_bins: int = 65
    steps, batch_size = 250, 32
    muon_lr, adam_lr, betas, warmup = 0.03, 2e-3, (0.9, 0.98), 0.05

    @property
    def noise(self) -> bool:
        """Si se entrena con objetos de ruido."""
        return self.writing.n_noise > 0


@dataclass
class Writer(Trained):
    """Un detector que escribe, con su receta, su historia y sus escenas."""

    history: History = field(default_factory=History)
    scenes: SceneConfig = SHAPE_SCENES

    def read(
        self,
        images: torch.Tensor,
        *,
        n_objects: int | None = None,
        stop: Callable | None = stop_as_event,
        choose: Callable = greedy,
        batch_size: int = 100,
    ) -> Reading:
        """Lo que escribe de cada imagen: cuatro objetos o hasta FIN; con ruido, los que quepan."""
        longest = self.model.config.max_objects if self.recipe.noise else self.scenes.max_objects
        stop = None if self.recipe.noise else stop
        parts = [
            write_objects(
                self.model, self.model.start(some), len(some), n_objects or longest, stop=stop,
                choose=choose,
            )
            for some in images.split(batch_size)
        ]  # fmt: skip
        return Reading(
            torch.cat([part.words for part in parts]), torch.cat([part.scores for part in parts])
        )

    def detect(self, images: torch.Tensor, **options) -> Found:
        """Una caja, una clase y una confianza por objeto escrito."""
        with torch.no_grad():
            return self.read(images, **options).found(self.model.vocabulary)

    def score(self, n_scenes: int = N_TEST, **options) -> dict[str, float]:
        """Precisión media en escenas reservadas."""
        test = reserved_scenes(n_scenes, self.scenes)
        return average_precision(self.detect(test.images, **options), test)


def vocabulary(recipe: Recipe, scenes: SceneConfig = SHAPE_SCENES) -> BoxVocabulary:
    """Las palabras con que se escriben esas escenas."""
    return BoxVocabulary(recipe.n_bins, len(scenes.classes))


def build(recipe: Recipe, scenes: SceneConfig = SHAPE_SCENES) -> Pix2Seq:
    """El modelo, con pesos al azar."""
    return Pix2Seq(Pix2SeqConfig(len(scenes.classes), recipe.n_bins))


def batches(
    recipe: Recipe, seed: int, scenes: SceneConfig = SHAPE_SCENES, batch_size: int | None = None
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin de escenas, con lo que hay que escribir de cada una."""
    size = batch_size or recipe.batch_size
    return sequence_batches(size, seed, vocabulary(recipe, scenes), recipe.writing, scenes)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    scenes: SceneConfig = SHAPE_SCENES,
    batch_size: int | None = None,
) -> Writer:
    """Entrena Pix2Seq entero desde cero."""
    loss = WritingLoss(vocabulary(recipe, scenes), recipe.width, recipe.eyes)
    stream = batches(recipe, seed, scenes, batch_size)
    done = trained(partial(build, recipe, scenes), stream, loss, recipe, seed, budget)
    return Writer(done.model, recipe, done.history, scenes)


FACTORY = Recipe()


def load(name: str) -> Writer:
    """El detector de figuras que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = Pix2Seq(Pix2SeqConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return Writer(model, FACTORY)


def _score(model: nn.Module) -> dict[str, float]:
    found = Writer(model, FACTORY).score(WEIGHTS_SCENES)
    return {name: found[name] for name in ("AP", "AP50")}


def _blind() -> dict[str, float]:
    seed_everything(0)
    return {"AP sin entrenar": _score(build(FACTORY).eval())["AP"]}


def _told(done: Writer) -> dict:
    spent = {"steps": len(done.history.loss), "batch_size": FACTORY.batch_size}
    return asdict(FACTORY) | spent


# La receta de fábrica en las figuras, con el mismo tiempo que los pesos de DETR.
WEIGHTS = {
    "pix2seq_figuras": Shipped(
        train=lambda: train(FACTORY, 0, CpuSeconds(WEIGHTS_SECONDS)),
        score=_score,
        blind=_blind,
        data="escenas generadas",
        recipe=_told,
    )
}
