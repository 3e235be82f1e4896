"""Ejercicios de VideoBERT y Med-BERT: contar, agrupar y ordenar."""

from tfcourse.exercises.video_and_records.clusters import CLUSTERS
from tfcourse.exercises.video_and_records.ranking import RANKING
from tfcourse.exercises.video_and_records.understanding import VISUAL_COUNTS

EXERCISES = (VISUAL_COUNTS, CLUSTERS, RANKING)
