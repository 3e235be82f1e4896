"""Ejercicios de atención rápida y caché."""

from tfcourse.bank.fast.budget import FITS
from tfcourse.bank.fast.cache import CACHE_BYTES
from tfcourse.bank.fast.rescaling import RESCALING
from tfcourse.bank.fast.states import STATES
from tfcourse.bank.fast.tiles import TILES
from tfcourse.bank.fast.window import WINDOW

EXERCISES = (CACHE_BYTES, TILES, STATES, RESCALING, WINDOW, FITS)
