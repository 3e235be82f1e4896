"""Los pesos de pose que vienen con el curso: recortes de varias figuras, y de abajo arriba."""

import time
from dataclasses import asdict

from torch import nn

from tfcourse.datasets.figures import CROWD, reserved_figures
from tfcourse.models.bottom_up import BottomUpConfig, BottomUpPose
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.pose_metrics import keypoint_precision
from tfcourse.pose_recipes import (
    ADAM_LR,
    BATCH_SIZE,
    MUON_LR,
    PoseModel,
    bottom_up,
    crop_batches,
    top_down,
    train_bottom_up,
    train_pose,
)
from tfcourse.shipped import WeightsCard, load_weights
from tfcourse.training import History, seed_everything

SIMCC_STEPS, BOTTOM_UP_STEPS, N_TEST = 1_500, 1_500, 300
SIMCC, BOTTOM_UP = "pose_simcc", "pose_abajo_arriba"


def train_simcc() -> tuple[nn.Module, WeightsCard]:
    """El modelo de una figura, entrenado con recortes de imágenes con varias."""
    started = time.process_time()
    trained = train_pose("SimCC", 0, steps=SIMCC_STEPS, batches=crop_batches(BATCH_SIZE, 0))
    spent = time.process_time() - started
    seed_everything(0)
    blind = KeypointTransformer(PoseConfig()).eval()
    quality = _quality(*(top_down(model, _test()) for model in (trained.model, blind)))
    return trained.model, _card(trained.model.config, SIMCC_STEPS, spent, quality)


def train_tags() -> tuple[nn.Module, WeightsCard]:
    """El modelo de abajo arriba."""
    started = time.process_time()
    model = train_bottom_up(0, steps=BOTTOM_UP_STEPS)
    spent = time.process_time() - started
    seed_everything(0)
    blind = BottomUpPose(BottomUpConfig()).eval()
    quality = _quality(*(bottom_up(some, _test()) for some in (model, blind)))
    return model, _card(model.config, BOTTOM_UP_STEPS, spent, quality)


def load_simcc() -> PoseModel:
    """El modelo de una figura que viene con el curso."""
    model = KeypointTransformer(PoseConfig()).eval()
    load_weights(SIMCC, model)
    return PoseModel(model, History())


def load_bottom_up() -> BottomUpPose:
    """El modelo de abajo arriba que viene con el curso."""
    model = BottomUpPose(BottomUpConfig()).eval()
    load_weights(BOTTOM_UP, model)
    return model


def _test():
    return reserved_figures(N_TEST, CROWD)


def _quality(found, blind) -> dict[str, float]:
    measured, unmeasured = (keypoint_precision(poses, _test()) for poses in (found, blind))
    return {
        "AP": round(measured["AP"], 4),
        "AP50": round(measured["AP50"], 4),
        "AP sin entrenar": round(max(0.0, unmeasured["AP"]), 4),
    }


def _card(config, steps: int, spent: float, quality: dict) -> WeightsCard:
    recipe = {"steps": steps, "batch_size": BATCH_SIZE, "muon_lr": MUON_LR, "adam_lr": ADAM_LR}
    return WeightsCard(
        config=asdict(config),
        recipe=recipe | {"figures": asdict(CROWD)},
        seed=0,
        cpu_seconds=round(spent, 1),
        quality=quality,
        data="figuras articuladas generadas por el curso (CC0 1.0)",
    )
