"""Ejercicios de «Ver sin etiquetas»."""

from tfcourse.bank.self_supervision.covered import COVERED
from tfcourse.bank.self_supervision.entropies import ENTROPIES
from tfcourse.bank.self_supervision.faults import FAULTS_PUPIL
from tfcourse.bank.self_supervision.hidden import HIDDEN
from tfcourse.bank.self_supervision.neighbours import NEIGHBOURS
from tfcourse.bank.self_supervision.step import TEACHER_STEP

EXERCISES = (COVERED, HIDDEN, ENTROPIES, TEACHER_STEP, FAULTS_PUPIL, NEIGHBOURS)
