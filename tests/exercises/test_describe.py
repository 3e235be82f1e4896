"""Los números de un mensaje: una cuenta, entera; una medida, con cuatro cifras."""

import pytest

from tfcourse.exercises.describe import describe


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (102_400.0, "102400"),
        (2_416_000_001.0, "2416000001"),
        (-3.0, "-3"),
        (0.042_357, "0.04236"),
        (1.5e15, "1.5e+15"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_are_written_as_they_are_read(number, text):
    assert describe(number) == text
