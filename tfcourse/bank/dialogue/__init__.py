"""Ejercicios de «Conversar sobre una imagen»."""

from tfcourse.bank.dialogue.answers import ANSWERS
from tfcourse.bank.dialogue.looking import LOOKING
from tfcourse.bank.dialogue.neighbours import NEIGHBOURS
from tfcourse.bank.dialogue.placing import PLACING
from tfcourse.bank.dialogue.sizes import SIZES
from tfcourse.bank.dialogue.yes import ALWAYS_YES

EXERCISES = (SIZES, NEIGHBOURS, PLACING, ANSWERS, ALWAYS_YES, LOOKING)
