"""Registro: todos los ejercicios del curso por su identificador."""

from itertools import chain

from tfcourse.exercises.alignment import EXERCISES as ALIGNMENT
from tfcourse.exercises.attention import EXERCISES as ATTENTION
from tfcourse.exercises.bert import EXERCISES as BERT
from tfcourse.exercises.box_language import EXERCISES as BOX_LANGUAGE
from tfcourse.exercises.course import EXERCISES as COURSE
from tfcourse.exercises.detection import EXERCISES as DETECTION
from tfcourse.exercises.efficient import EXERCISES as EFFICIENT
from tfcourse.exercises.engine import Exercise
from tfcourse.exercises.fusion import EXERCISES as FUSION
from tfcourse.exercises.gates import EXERCISES as GATES
from tfcourse.exercises.generalist import EXERCISES as GENERALIST
from tfcourse.exercises.generation import EXERCISES as GENERATION
from tfcourse.exercises.picture_text import EXERCISES as PICTURE_TEXT
from tfcourse.exercises.pose import EXERCISES as POSE
from tfcourse.exercises.recurrent import EXERCISES as RECURRENT
from tfcourse.exercises.segmentation import EXERCISES as SEGMENTATION
from tfcourse.exercises.sentiment import EXERCISES as SENTIMENT
from tfcourse.exercises.separation import EXERCISES as SEPARATION
from tfcourse.exercises.seq2seq import EXERCISES as SEQ2SEQ
from tfcourse.exercises.signals import EXERCISES as SIGNALS
from tfcourse.exercises.speech import EXERCISES as SPEECH
from tfcourse.exercises.text_to_text import EXERCISES as TEXT_TO_TEXT
from tfcourse.exercises.tokens import EXERCISES as TOKENS
from tfcourse.exercises.training import EXERCISES as TRAINING
from tfcourse.exercises.transformer import EXERCISES as TRANSFORMER
from tfcourse.exercises.unlabelled_speech import EXERCISES as UNLABELLED_SPEECH
from tfcourse.exercises.variants import EXERCISES as VARIANTS
from tfcourse.exercises.video_and_records import EXERCISES as VIDEO_AND_RECORDS
from tfcourse.exercises.vision import EXERCISES as VISION

TOPICS: tuple[tuple[Exercise, ...], ...] = (
    RECURRENT,
    GATES,
    SEQ2SEQ,
    ALIGNMENT,
    TOKENS,
    ATTENTION,
    TRANSFORMER,
    TRAINING,
    EFFICIENT,
    BERT,
    GENERATION,
    TEXT_TO_TEXT,
    SENTIMENT,
    VISION,
    VARIANTS,
    DETECTION,
    BOX_LANGUAGE,
    SEGMENTATION,
    POSE,
    SIGNALS,
    SPEECH,
    UNLABELLED_SPEECH,
    SEPARATION,
    FUSION,
    (*PICTURE_TEXT, *VIDEO_AND_RECORDS, *GENERALIST, *COURSE),  # las cuatro partes del capítulo 25
)

EXERCISES: dict[str, Exercise] = {exercise.card.id: exercise for exercise in chain(*TOPICS)}

if len(EXERCISES) != sum(map(len, TOPICS)):
    raise ValueError("hay dos ejercicios con el mismo identificador: cambia uno de los dos")
