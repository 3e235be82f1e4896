"""La tabla de los dibujos con nombre: está entera, el juez es el que es y se vuelve a medir."""

import base64

import pytest
import torch
from torchvision.io import decode_image

from benchmarks import flow_pictures as table
from tfcourse.stored.results import load_results

SEEDS = {0, 1, 2}


def rows(part):
    found = load_results(table.NAME, table.settings())
    return [row for row in found if row["part"] == part]


@pytest.fixture(scope="module")
def data():
    return table.named_data()


def test_every_side_and_guidance_has_three_seeds():
    for side in table.SIDES:
        for guidance in table.GUIDANCES:
            own = [
                row for row in rows("medidas")
                if (row["who"], row["names"]) == (table.MAKER, side)
                and row["guidance"] == guidance
            ]  # fmt: skip
            assert {row["seed"] for row in own} == SEEDS and len(own) == 3


def test_it_says_how_much_there_is(data):
    assert rows("datos") == [table.about(data)]


def test_the_controls_are_measured_again(data):
    stored = {(r["who"], r["names"]): r for r in rows("medidas") if r["who"] != table.MAKER}
    for row in table.controls(data):
        for key in ("first", "top", "spread", "distance", "copied"):
            near = pytest.approx(stored[row["who"], row["names"]][key], abs=0.02)
            assert row[key] == near, (row, key)


def test_nobody_is_asked_for_a_name_it_was_told_to_keep(data):
    """Los reservados no son de entrenar, y ninguno tiene un pariente allí."""
    kept = table.asked("reservados", data)
    assert kept.min() >= len(data.train) and len(kept.unique()) == table.N_NAMES
    assert table.asked("entrenar", data).max() < len(data.train)
    assert not set(data.train.symbols) & set(data.held_out.symbols)


def test_a_neighbour_is_another_drawing_with_the_nearest_name(data):
    names = table.asked("entrenar", data)
    found = table.neighbours(names, data)
    assert not (found == names).any() and found.max() < len(data.train)
    unit = torch.nn.functional.normalize(data.vectors, dim=-1)
    cosines = unit[: len(data.train)] @ unit[names[0]]
    cosines[names[0]] = -1
    assert int(found[0]) == int(cosines.argmax())


def test_the_stored_drawings_open_and_say_whose_they_are(data):
    for row in rows("dibujos"):
        png = torch.frombuffer(bytearray(base64.b64decode(row["png"])), dtype=torch.uint8)
        side = table.SIZES["image_size"]
        assert decode_image(png).shape == (3, side, side * table.SHOWN)
        kept = row["names"] == "reservados"
        assert set(row["symbols"]) <= set((data.held_out if kept else data.train).symbols)


@pytest.mark.lento
@pytest.mark.por_turnos(por="archivo")
def test_the_first_steps_are_trained_again(data):
    (stored,) = rows("corta")
    assert table.short_loss(data)["losses"] == pytest.approx(stored["losses"], abs=0.02)


def by_seed(who, side, key, guidance=None):
    """Lo medido de quien dibuja los nombres de un lado, en el orden de las semillas."""
    own = [
        row for row in rows("medidas")
        if (row["who"], row["names"], row.get("guidance")) == (who, side, guidance)
    ]  # fmt: skip
    return [row[key] for row in sorted(own, key=lambda row: row["seed"])]


def test_the_page_says_who_beats_whom_with_three_seeds():
    neighbour, chance = {}, table.TOP / table.N_NAMES
    for side in table.SIDES:
        (neighbour[side],) = by_seed(table.NEIGHBOUR, side, "top")
        plain, strong = (by_seed(table.MAKER, side, "top", w) for w in table.GUIDANCES)
        assert all(high > low > 2 * chance for low, high in zip(plain, strong, strict=True))
    trained, reserved = table.SIDES
    (real,) = by_seed(table.REAL, trained, "top")
    strong = by_seed(table.MAKER, trained, "top", table.GUIDANCES[1])
    assert neighbour[trained] < min(strong) and max(strong) < real / 2
    for guidance in table.GUIDANCES:
        assert max(by_seed(table.MAKER, reserved, "top", guidance)) < neighbour[reserved]


def test_the_page_says_it_varies_and_does_not_copy():
    for side in table.SIDES:
        (usual,) = by_seed(table.REAL, "reservados", "copied")
        for guidance in table.GUIDANCES:
            variety, spread, copied = (
                by_seed(table.MAKER, side, key, guidance) for key in ("variety", "spread", "copied")
            )
            assert all(0 < one < many for one, many in zip(variety, spread, strict=True))
            assert sum(copied) / len(copied) < usual
    own, others = (by_seed(table.MAKER, side, "loss", 1.0) for side in table.SIDES)
    assert all(low < high for low, high in zip(own, others, strict=True))
