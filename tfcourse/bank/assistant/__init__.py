"""Ejercicios de «De modelo a asistente»."""

from tfcourse.bank.assistant.best import BEST
from tfcourse.bank.assistant.cost import COST
from tfcourse.bank.assistant.counted import COUNTED
from tfcourse.bank.assistant.groups import GROUPS
from tfcourse.bank.assistant.labels import LABELS
from tfcourse.bank.assistant.merging import MERGING
from tfcourse.bank.assistant.policy import POLICY
from tfcourse.bank.assistant.preferring import PREFERRING

EXERCISES = (COUNTED, COST, LABELS, PREFERRING, MERGING, GROUPS, POLICY, BEST)
