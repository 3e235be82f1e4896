"""Ejercicios de segmentación: del píxel a la máscara."""

from tfcourse.bank.segmentation.counting import COUNTING
from tfcourse.bank.segmentation.looking import LOOKING
from tfcourse.bank.segmentation.overlap import MEAN_IOU
from tfcourse.bank.segmentation.quality import QUALITY
from tfcourse.bank.segmentation.sharing import SHARING
from tfcourse.bank.segmentation.slopes import SLOPES

EXERCISES = (COUNTING, QUALITY, MEAN_IOU, SLOPES, LOOKING, SHARING)
