"""Ejercicios de texto a texto."""

from tfcourse.exercises.text_to_text.buckets import BUCKET
from tfcourse.exercises.text_to_text.by_hand import BY_HAND
from tfcourse.exercises.text_to_text.errors import CHARACTERS
from tfcourse.exercises.text_to_text.prefix import PREFIX
from tfcourse.exercises.text_to_text.spans import SPANS
from tfcourse.exercises.text_to_text.understanding import RATES

EXERCISES = (BY_HAND, RATES, SPANS, BUCKET, PREFIX, CHARACTERS)
