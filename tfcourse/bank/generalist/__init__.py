"""Ejercicios del agente generalista: contar tokens, escribir números, filas y su pérdida."""

from tfcourse.bank.generalist.counting import WINDOW
from tfcourse.bank.generalist.fronts import FRONTS
from tfcourse.bank.generalist.losses import LOSSES
from tfcourse.bank.generalist.rows import ROWS
from tfcourse.bank.generalist.values import VALUES
from tfcourse.bank.generalist.widths import WIDTHS

EXERCISES = (WINDOW, VALUES, WIDTHS, ROWS, LOSSES, FRONTS)
