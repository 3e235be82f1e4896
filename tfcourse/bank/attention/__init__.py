"""Ejercicios de autoatención y atención multicabeza."""

from tfcourse.bank.attention.backward import BACKWARD
from tfcourse.bank.attention.causal import CAUSAL
from tfcourse.bank.attention.collapse import COLLAPSE
from tfcourse.bank.attention.faults import FAULTS
from tfcourse.bank.attention.heads import MULTIHEAD
from tfcourse.bank.attention.sizes import COUNTS
from tfcourse.bank.attention.visible import VISIBLE

EXERCISES = (COUNTS, VISIBLE, CAUSAL, FAULTS, MULTIHEAD, BACKWARD, COLLAPSE)
