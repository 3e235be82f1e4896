"""Registro: todos los ejercicios del curso por su identificador."""

from itertools import chain

from tfcourse.exercises.attention import EXERCISES as ATTENTION
from tfcourse.exercises.engine import Exercise
from tfcourse.exercises.seq2seq import EXERCISES as SEQ2SEQ
from tfcourse.exercises.tokens import EXERCISES as TOKENS

TOPICS: tuple[tuple[Exercise, ...], ...] = (SEQ2SEQ, TOKENS, ATTENTION)

EXERCISES: dict[str, Exercise] = {exercise.card.id: exercise for exercise in chain(*TOPICS)}

if len(EXERCISES) != sum(map(len, TOPICS)):
    raise ValueError("hay dos ejercicios con el mismo identificador: cambia uno de los dos")
