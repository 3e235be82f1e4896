"""Números como se leen en español."""

import numpy as np
import torch

from tfcourse.plots import listed, percent, percent_spread, power_of_ten, spanish_number
from tfcourse.plots.numbers import ten_to


def test_a_number_has_a_decimal_comma():
    assert spanish_number(0.25) == "0,25"
    assert spanish_number(-3.14159, 3) == "-3,142"
    assert spanish_number(torch.tensor(2.5), 1) == "2,5"


def test_five_figures_are_grouped_with_a_thin_space():
    assert spanish_number(-0.04, 1) == "0,0" and spanish_number(-0.4, 0) == "0"
    assert spanish_number(-0.05, 2) == "-0,05"
    assert spanish_number(9999, 0) == "9999"
    assert spanish_number(10_000, 0) == "10\u202f000"
    assert spanish_number(-1_234_567.5, 1) == "-1\u202f234\u202f567,5"
    assert spanish_number(float("inf"), 0) == "inf"


def test_percentages_and_their_spread():
    assert percent(0.125, 1) == "12,5 %"
    assert percent(np.float64(1)) == "100 %"
    assert percent_spread([0.8, 0.9, 0.85]) == "85 % (80–90)"
    assert percent_spread([0.123, 0.125], 1) == "12,4 % (12,3–12,5)"


def test_a_list_of_numbers():
    assert listed([0.25, 1]) == "(0,25; 1,00)"
    assert listed(torch.tensor([12_000.0]), 0) == "(12\u202f000)"


def test_very_small_and_very_large_numbers_carry_a_power_of_ten():
    assert power_of_ten(1.8e-20) == "2 · 10⁻²⁰"
    assert power_of_ten(torch.tensor(5.91e-4), 1) == "5,9 · 10⁻⁴"
    assert power_of_ten(9.96e5, 1) == "1,0 · 10⁶"
    assert ten_to(-9) == "10⁻⁹"
