"""Ejercicios de segmentación: del píxel a la máscara."""

from tfcourse.exercises.segmentation.counting import COUNTING
from tfcourse.exercises.segmentation.dice import DICE
from tfcourse.exercises.segmentation.looking import LOOKING
from tfcourse.exercises.segmentation.overlap import MEAN_IOU
from tfcourse.exercises.segmentation.quality import QUALITY
from tfcourse.exercises.segmentation.sharing import SHARING

EXERCISES = (COUNTING, QUALITY, MEAN_IOU, DICE, LOOKING, SHARING)
