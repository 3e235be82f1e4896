"""Ejercicios de las anclas: qué le falta a DETR y qué pone cada remedio."""

from tfcourse.bank.anchors.correcting import CORRECTING
from tfcourse.bank.anchors.counting import COUNTING
from tfcourse.bank.anchors.glued import GLUED
from tfcourse.bank.anchors.ladder import LADDER
from tfcourse.bank.anchors.refining import REFINING
from tfcourse.bank.anchors.varifocal import VARIFOCAL

EXERCISES = (CORRECTING, COUNTING, REFINING, VARIFOCAL, GLUED, LADDER)
