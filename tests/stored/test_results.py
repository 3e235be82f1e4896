"""Resultados guardados: nadie los cambia sin que se note, y son los de esta receta."""

import math

import pytest

from tfcourse.stored.results import (
    equal_time_steps,
    load_results,
    load_settings,
    save_results,
)

ROWS = [
    {"norm": "Post-LN", "seed": 0, "loss": 0.123456},
    {"norm": "Ñ", "seed": 1, "loss": math.inf},
]


def test_round_trip(tmp_path):
    save_results("tabla", {"pasos": 3}, ROWS, tmp_path)
    rows = load_results("tabla", {"pasos": 3}, tmp_path)
    assert rows == [ROWS[0] | {"loss": 0.1235}, ROWS[1]]


def test_a_changed_number_is_noticed(tmp_path):
    path = save_results("tabla", {"pasos": 3}, ROWS, tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("0.1235", "0.0235"), encoding="utf-8")
    with pytest.raises(ValueError, match="alguien ha cambiado un número"):
        load_results("tabla", {"pasos": 3}, tmp_path)


def test_another_recipe_is_noticed(tmp_path):
    save_results("tabla", {"pasos": 3}, ROWS, tmp_path)
    with pytest.raises(ValueError, match="otra receta .cambia pasos."):
        load_results("tabla", {"pasos": 4}, tmp_path)


def test_missing_results(tmp_path):
    with pytest.raises(FileNotFoundError, match="no hay resultados guardados con el nombre 'x'"):
        load_results("x", {}, tmp_path)


def test_settings_are_read_and_checked(tmp_path):
    path = save_results("tabla", {"pasos": 3, "ritmos": [0.1]}, ROWS, tmp_path)
    assert load_settings("tabla", tmp_path) == {"pasos": 3, "ritmos": [0.1]}
    path.write_text(path.read_text(encoding="utf-8").replace("0.1\n", "0.2\n"), encoding="utf-8")
    with pytest.raises(ValueError, match="alguien ha cambiado un número"):
        load_settings("tabla", tmp_path)


def test_the_command_that_measures_again_is_told(tmp_path):
    save_results("pose", {"pasos": 3}, ROWS, tmp_path)
    with pytest.raises(ValueError, match="python -m benchmarks pose --escribir"):
        load_results("pose", {"pasos": 4}, tmp_path)


PACES = [
    {"who": "liebre", "steps": 290},
    {"who": "tortuga", "steps": 10},
    {"who": "liebre", "steps": 310},
    {"who": "caracol", "steps": 0.001},
]


def test_steps_at_equal_time_follow_the_measured_pace():
    given = equal_time_steps(PACES, "who", "tortuga", steps=4)
    assert given == {"liebre": 120, "tortuga": 4, "caracol": 1}
    assert equal_time_steps(PACES, "who", "liebre", steps=4)["tortuga"] == 1  # ninguno se queda a 0


def test_the_reference_of_a_race_is_in_the_table():
    with pytest.raises(ValueError, match="«galgo» no está en la tabla: usa liebre, tortuga"):
        equal_time_steps(PACES, "who", "galgo", steps=4)
