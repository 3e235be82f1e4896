"""El exponente de un coste: el de las potencias, que se conoce."""

import pytest

from tfcourse.audio.fourier import fft_products
from tfcourse.sound.signals.growth import fitted_exponent

SIZES = [2**k for k in range(8, 15)]


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_a_power_has_its_exponent(power):
    assert fitted_exponent(SIZES, [3 * n**power for n in SIZES]) == pytest.approx(power)


def test_the_products_of_the_fast_one_grow_little_more_than_the_size():
    assert 1.0 < fitted_exponent(SIZES, [fft_products(n) for n in SIZES]) < 1.2


def test_misuse_is_explained():
    for sizes, costs in (([1, 2], [1]), ([1], [1]), ([1, 2], [0, 1])):
        with pytest.raises(ValueError, match="hacen falta tantos unos como otros"):
            fitted_exponent(sizes, costs)
