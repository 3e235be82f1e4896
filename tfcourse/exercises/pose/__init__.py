"""Ejercicios de estimación de pose."""

from tfcourse.exercises.pose.alike import ALIKE
from tfcourse.exercises.pose.correct import CORRECT
from tfcourse.exercises.pose.findings import FINDINGS
from tfcourse.exercises.pose.grouping import GROUPING
from tfcourse.exercises.pose.smoothing import SMOOTHING
from tfcourse.exercises.pose.targets import TARGET
from tfcourse.exercises.pose.ways import WHICH_WAY

EXERCISES = (ALIKE, WHICH_WAY, CORRECT, TARGET, GROUPING, FINDINGS, SMOOTHING)
