"""Ejercicios de funciones de alineamiento y de reparto."""

from tfcourse.bank.alignment.cosine import COSINE
from tfcourse.bank.alignment.distance import DISTANCE
from tfcourse.bank.alignment.jacobian import JACOBIAN
from tfcourse.bank.alignment.leave_one_out import LEAVE_ONE_OUT
from tfcourse.bank.alignment.normalised_sigmoid import SIGMOID_SHARES
from tfcourse.bank.alignment.simplex import SIMPLEX
from tfcourse.bank.alignment.sixth import SIXTH
from tfcourse.bank.alignment.supports import SUPPORTS
from tfcourse.bank.alignment.understanding import SCORES

EXERCISES = (
    SCORES,
    SIXTH,
    SIMPLEX,
    SUPPORTS,
    JACOBIAN,
    COSINE,
    LEAVE_ONE_OUT,
    SIGMOID_SHARES,
    DISTANCE,
)
