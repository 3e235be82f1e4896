"""Ejercicios de vídeo y texto en una sola fila."""

from tfcourse.bank.video.clusters import CLUSTERS
from tfcourse.bank.video.failing import FAILING
from tfcourse.bank.video.tree import TREE
from tfcourse.bank.video.understanding import VISUAL_COUNTS

EXERCISES = (VISUAL_COUNTS, CLUSTERS, TREE, FAILING)
