"""Ejercicios de estimación de pose."""

from tfcourse.bank.pose.alike import ALIKE
from tfcourse.bank.pose.bars import BARS
from tfcourse.bank.pose.findings import FINDINGS
from tfcourse.bank.pose.grouping import GROUPING
from tfcourse.bank.pose.mirror import MIRROR
from tfcourse.bank.pose.smoothing import SMOOTHING
from tfcourse.bank.pose.ways import WHICH_WAY

EXERCISES = (ALIKE, WHICH_WAY, BARS, MIRROR, GROUPING, FINDINGS, SMOOTHING)
