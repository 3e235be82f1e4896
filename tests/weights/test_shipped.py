"""Los pesos que vienen con el curso: enteros, pequeños, con ficha y con receta."""

import math
from collections import namedtuple
from dataclasses import asdict

import pytest
import torch
from torch import nn

from tfcourse.weights import shipped
from tfcourse.weights.shipped import (
    FOLDER,
    MAX_BYTES,
    WeightsCard,
    every_shipped,
    file_hash,
    load_weights,
    make_weights,
    room_modules,
    save_weights,
    shipped_names,
    shipped_recipe,
    weights_card,
)

MAX_TOTAL_BYTES = 30_000_000


class Tied(nn.Module):
    """Un modelo diminuto cuya entrada y cuya salida comparten pesos."""

    def __init__(self, width: int = 4):
        super().__init__()
        self.inputs = nn.Embedding(7, width)
        self.outputs = nn.Linear(width, 7, bias=False)
        self.outputs.weight = self.inputs.weight


def card(**changes) -> WeightsCard:
    fields = {"config": {"width": 4}, "recipe": {"steps": 1}, "seed": 0, "cpu_seconds": 1.0}
    return WeightsCard(**fields | {"quality": {"acierto": 0.5}, "data": "CC0"} | changes)


def test_what_is_saved_is_what_is_loaded(tmp_path):
    torch.manual_seed(0)
    model, other = Tied(), Tied()
    saved = save_weights("tied", model, card(), tmp_path)
    assert load_weights("tied", other, tmp_path) == saved == weights_card("tied", tmp_path)
    torch.testing.assert_close(other.inputs.weight, model.inputs.weight.half().float())
    assert other.outputs.weight is other.inputs.weight
    assert (tmp_path / "tied.safetensors").stat().st_size < 7 * 4 * 2 + 200
    assert asdict(saved) | {"sha256": ""} == asdict(card())


def test_a_changed_file_is_refused(tmp_path):
    save_weights("tied", Tied(), card(), tmp_path)
    path = tmp_path / "tied.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match="no coincide con su ficha"):
        load_weights("tied", Tied(), tmp_path)


def test_errors_say_what_to_do(tmp_path, monkeypatch):
    save_weights("tied", Tied(), card(), tmp_path)
    with pytest.raises(ValueError, match=r"«inputs.weight» mide \(7, 4\) .* \(7, 6\)"):
        load_weights("tied", Tied(6), tmp_path)
    with pytest.raises(FileNotFoundError, match="'nadie': usa tied"):
        weights_card("nadie", tmp_path)
    with pytest.raises(ValueError, match="no hay receta para 'nadie'"):
        shipped_recipe("nadie")
    huge = Tied()
    huge.inputs.weight.data[0, 0] = 1e6
    with pytest.raises(ValueError, match="«inputs.weight» no cabe en media precisión"):
        save_weights("huge", huge, card(), tmp_path)
    monkeypatch.setattr(shipped, "MAX_BYTES", 10)
    with pytest.raises(ValueError, match="ocupa 56 bytes y el máximo es 10"):
        save_weights("tied", Tied(), card(), tmp_path)


def test_a_card_is_made_from_what_was_trained():
    """El modelo, con su receta; lo medido, junto a lo que saca quien no sabe nada."""
    recipe = namedtuple("Recipe", "steps")(3)
    trained = namedtuple("Trained", "model recipe")(Tied(), recipe)
    model, made = make_weights(
        shipped.Shipped(
            train=lambda: trained,
            score=lambda model: {"acierto": float(model is trained.model) / 3},
            blind=lambda: {"acierto al azar": 0.25},
            data="CC0",
            config=lambda model: {"width": model.inputs.embedding_dim},
            recipe=lambda trained: trained.recipe._asdict(),
            seed=7,
        )
    )
    assert model is trained.model and made.cpu_seconds >= 0 and made.sha256 == ""
    assert (made.config, made.recipe, made.seed, made.data) == (
        {"width": 4},
        {"steps": 3},
        7,
        "CC0",
    )
    assert made.quality == {"acierto": 0.3333, "acierto al azar": 0.25}


def test_what_is_shipped_is_small_signed_and_retrainable():
    recipes = every_shipped()
    assert set(shipped_names()) == set(recipes)
    files = list(FOLDER.glob("*.safetensors"))
    assert {path.stem for path in files} == set(recipes)
    assert sum(path.stat().st_size for path in files) <= MAX_TOTAL_BYTES
    for path in files:
        found = weights_card(path.stem)
        assert path.stat().st_size <= MAX_BYTES + 20_000, path.name
        assert file_hash(path) == found.sha256, path.name
        assert found.cpu_seconds > 0 and found.data and found.recipe and found.config
        assert found.quality and all(map(math.isfinite, found.quality.values()))
        assert found.data == recipes[path.stem].data and found.seed == recipes[path.stem].seed


def test_every_room_says_which_weights_it_has():
    """Pedir unos pesos a un cuarto que no los hace se dice igual en todos, antes de leer nada."""
    rooms = [module for module in room_modules() if hasattr(module, "WEIGHTS")]
    assert len(rooms) >= 12
    for room in rooms:
        names = ", ".join(room.WEIGHTS)
        with pytest.raises(ValueError, match=f"aquí no hay pesos «otros»: usa {names}"):
            room.load("otros")
