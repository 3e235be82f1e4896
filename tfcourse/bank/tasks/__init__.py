"""Ejercicios de texto a texto."""

from tfcourse.bank.tasks.buckets import BUCKET
from tfcourse.bank.tasks.by_hand import BY_HAND
from tfcourse.bank.tasks.errors import CHARACTERS
from tfcourse.bank.tasks.prefix import PREFIX
from tfcourse.bank.tasks.spans import SPANS
from tfcourse.bank.tasks.understanding import RATES

EXERCISES = (BY_HAND, RATES, SPANS, BUCKET, PREFIX, CHARACTERS)
