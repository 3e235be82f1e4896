"""Ejercicios de «El bloque de hoy»."""

from tfcourse.bank.modern.active import ACTIVE
from tfcourse.bank.modern.frequencies import FREQUENCIES
from tfcourse.bank.modern.groups import GROUPS
from tfcourse.bank.modern.replacements import REPLACEMENTS
from tfcourse.bank.modern.routes import ROUTES
from tfcourse.bank.modern.sizes import SIZES

EXERCISES = (ACTIVE, REPLACEMENTS, FREQUENCIES, ROUTES, GROUPS, SIZES)
