"""Respuestas equivocadas del ejercicio de cierre."""

import torch

from tests.exercises.wrong_answers import Wrong


def moves(base, changed):
    return torch.stack([(one - base).abs().max(dim=1).values for one in changed], dim=1)


def touched_in_rows(base, changed, least):
    return torch.gt(moves(base, changed).T, least)


def only_up(base, changed, least):
    return torch.stack([(one - base).max(dim=1).values > least for one in changed], dim=1)


def added_up(base, changed, least):
    return torch.stack([(one - base).sum(dim=1).abs() > least for one in changed], dim=1)


def still(base, changed, least):
    return (moves(base, changed) > least).logical_not()


def without_before(base, changed, least):
    return moves(torch.zeros_like(base), changed) > least


def any_change(base, changed, least):
    return moves(base, changed) != 0


WRONG = {
    "de-quien-depende": (
        Wrong("traspuesta", "está traspuesta", touched_in_rows),
        Wrong("sin-valor-absoluto", "que baja también", only_up),
        Wrong("se-anulan", "se anulan", added_up),
        Wrong("al-reves", "los que no cambian", still),
        Wrong("sin-restar", "falta restar", without_before),
        Wrong("sin-umbral", "del redondeo", any_change),
    )
}

EXAMPLES = {}
