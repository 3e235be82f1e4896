"""Ejercicios de «Generar imágenes»."""

from tfcourse.bank.flow.calls import CALLS
from tfcourse.bank.flow.copies import COPIES
from tfcourse.bank.flow.crossing import CROSSING
from tfcourse.bank.flow.faults import FAULTS_DRAWING
from tfcourse.bank.flow.gates import GATES
from tfcourse.bank.flow.journeys import JOURNEYS

EXERCISES = (CROSSING, JOURNEYS, GATES, CALLS, FAULTS_DRAWING, COPIES)
