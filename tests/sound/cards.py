"""Lo que una ficha guardada dice y se puede comprobar sin entrenar."""

import json

from torch import nn

from tfcourse.training import History
from tfcourse.training.recipe import Trained
from tfcourse.weights.shipped import Shipped, weights_card


def assert_card_is_of(name: str, shipped: Shipped, model: nn.Module, recipe: object) -> None:
    """Exige que la ficha sea la que daría entrenar ese modelo con esa receta.

    Se comparan los tamaños, la receta, la semilla, los datos y los nombres de lo medido.
    """
    card, trained = weights_card(name), Trained(model, recipe, History())
    written = json.loads(json.dumps([shipped.config(model), shipped.recipe(trained)]))
    assert [card.config, card.recipe] == written
    assert (card.seed, card.data) == (shipped.seed, shipped.data)
    assert set(card.quality) == set(shipped.score(model) | shipped.blind())
