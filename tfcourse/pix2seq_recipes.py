"""Recetas de Pix2Seq: entrenarlo entero, o solo lo que escribe, y medir lo que detecta."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import torch

from tfcourse.box_writing import Reading, WritingLoss, stop_as_event, write_objects
from tfcourse.datasets.box_sequences import Writing, sequence_batches
from tfcourse.datasets.scenes import SHAPE_SCENES, SceneConfig, reserved_scenes
from tfcourse.decoding import greedy
from tfcourse.detection_metrics import Found, average_precision
from tfcourse.detection_recipes import SHIPPED_SECONDS, SHIPPED_TEST
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.shipped import WeightsCard, load_weights, weights_card
from tfcourse.timed import train_either
from tfcourse.training import History, seed_everything

BATCH_SIZE, MUON_LR, ADAM_LR, BETAS, N_TEST = 32, 0.03, 2e-3, (0.9, 0.98), 300


@dataclass(frozen=True)
class WritingRecipe:
    """Cómo se escribe y cómo se corrige: orden y ruido, anchura de las coordenadas y ojos.

    `eyes` es el peso del examen de colorear; 0, sin él.
    """

    writing: Writing = field(default_factory=Writing)
    width: float = 1.0
    eyes: float = 1.0
    n_bins: int = 65

    @property
    def noise(self) -> bool:
        """Si se entrena con objetos de ruido."""
        return self.writing.n_noise > 0


@dataclass
class Writer:
    """Un detector que escribe, con su receta, sus escenas y su historia."""

    model: Pix2Seq
    recipe: WritingRecipe
    scenes: SceneConfig = SHAPE_SCENES
    history: History = field(default_factory=History)

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


def train_writer(
    recipe: WritingRecipe,
    seed: int,
    *,
    steps: int | None = None,
    cpu_seconds: float | None = None,
    scenes: SceneConfig = SHAPE_SCENES,
    batch_size: int = BATCH_SIZE,
) -> Writer:
    """Entrena Pix2Seq entero desde cero, unos pasos dados o unos segundos de procesador.

    Errores: `ValueError` si no se da una de las dos cosas, y solo una.
    """
    seed_everything(seed)
    model = Pix2Seq(Pix2SeqConfig(len(scenes.classes), recipe.n_bins))
    loss = WritingLoss(model.vocabulary, recipe.width, recipe.eyes)
    stream = sequence_batches(batch_size, seed, model.vocabulary, recipe.writing, scenes)
    optimizer = Muon(*split_parameters(model), lr=MUON_LR, adam_lr=ADAM_LR, betas=BETAS)
    history = train_either(
        model, stream, loss, optimizer=optimizer, steps=steps, cpu_seconds=cpu_seconds,
        warmup=0.05 if steps is None else 0.1,
    )  # fmt: skip
    return Writer(model, recipe, scenes, history)


# Los pesos que vienen con el curso: la receta de fábrica en las figuras, con el mismo tiempo que
# los de DETR.
SHIPPED_NAME = "pix2seq_figuras"


def train_shipped() -> tuple[Pix2Seq, WeightsCard]:
    """Entrena los pesos que vienen con el curso; su medida va junto a la de no saber nada."""
    started = time.process_time()
    trained = train_writer(WritingRecipe(), 0, cpu_seconds=SHIPPED_SECONDS)
    spent = time.process_time() - started
    measured = trained.score(SHIPPED_TEST)
    seed_everything(0)
    blind = Writer(Pix2Seq(trained.model.config).eval(), trained.recipe).score(SHIPPED_TEST)
    card = WeightsCard(
        config=asdict(trained.model.config),
        recipe=asdict(trained.recipe)
        | {"steps": len(trained.history.loss), "batch_size": BATCH_SIZE},
        seed=0,
        cpu_seconds=round(spent, 1),
        quality={name: round(measured[name], 4) for name in ("AP", "AP50")}
        | {"AP sin entrenar": round(blind["AP"], 4)},
        data="escenas generadas",
    )
    return trained.model, card


def load_shipped() -> Writer:
    """El detector de figuras que viene con el curso."""
    model = Pix2Seq(Pix2SeqConfig(**weights_card(SHIPPED_NAME).config)).eval()
    load_weights(SHIPPED_NAME, model)
    return Writer(model, WritingRecipe())
