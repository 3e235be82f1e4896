"""Los límites de las medidas: lo último que se admite, con su valor, y lo primero que ya no."""

import math

import pytest
import torch

from tfcourse.metrics.calibration import reliability
from tfcourse.metrics.intervals import mean_interval, wilson_interval
from tfcourse.metrics.multiplications import reduced_attention_macs, soft_split_side
from tfcourse.metrics.time_and_memory import training_seconds

RIGHT = torch.tensor([True])
LIMITS = {
    "confianza nula": (lambda p: reliability(torch.tensor([p]), RIGHT), 0.0, -0.1),
    "confianza con redondeo": (
        lambda p: reliability(torch.tensor([p], dtype=torch.float64), RIGHT), 1 + 1e-6, 1 + 2e-6,
    ),
    "confianza entera": (lambda p: reliability(torch.tensor([p]), RIGHT), 1.0, 1.1),
    "ningún acierto": (lambda n: wilson_interval(n, 5), 0, -1),
    "todo aciertos": (lambda n: wilson_interval(n, 5), 5, 6),
    "un ejemplo": (lambda n: wilson_interval(0, n), 1, 0),
    "dos medidas": (lambda n: mean_interval([1.0, 3.0][:n]), 2, 1),
    "sin reducir": (lambda r: reduced_attention_macs(16, 4, r), 1, 0),
    "reducción que cabe": (lambda r: reduced_attention_macs(16, 4, r), 4, 3),
    "cuadrado como el lado": (lambda k: soft_split_side(5, k, 1, 0), 5, 6),
    "cuadrado como el lado y sus rellenos": (lambda k: soft_split_side(3, k, 1, 2), 7, 8),
    "zancada de uno": (lambda s: soft_split_side(5, 3, s, 0), 1, 0),
    "medir una vez": (lambda n: training_seconds({}, n), 1, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name):
    build, last, first = LIMITS[name]
    build(last)
    with pytest.raises(ValueError):
        build(first)


def test_what_the_limits_are_worth():
    assert wilson_interval(0, 5)[0] == 0.0 and wilson_interval(5, 5)[1] == 1.0
    assert wilson_interval(0, 5)[1] > 0.3 and wilson_interval(5, 5)[0] < 0.7
    # Con dos medidas, la t de un grado de libertad: tan(0,475 π), y la desviación es √2.
    mean, radius = mean_interval([1.0, 3.0])
    assert mean == 2.0 and radius == pytest.approx(math.tan(0.475 * math.pi))
    # Sin reducir: cuatro proyecciones y las dos cuentas de las parejas.
    assert reduced_attention_macs(16, 4, 1) == 4 * 16 * 4**2 + 2 * 16**2 * 4
    assert reduced_attention_macs(16, 4, 4) == 3 * 16 * 4**2 + 2 * 4**2 + 2 * 16 * 4
    assert soft_split_side(5, 5, 1, 0) == 1 and soft_split_side(5, 3, 2, 1) == 3
    certain = reliability(torch.tensor([1.0, 0.0]), torch.tensor([True, False]))
    assert certain.counts.tolist() == [1, *[0] * 8, 1]  # la seguridad entera, en la última
