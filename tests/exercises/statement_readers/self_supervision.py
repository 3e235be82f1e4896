"""Lectores de los ejercicios de comprender de «Ver sin etiquetas»."""

import math

from tests.exercises.statement_readers import bullets, integers, named_integers, only, value


def covered(statement):
    side, other, patch, same, hidden = map(
        int,
        only(
            r"de (\d+) × (\d+) píxeles y tres canales, en parches de (\d+) × (\d+), y se tapan "
            r"(\d+) de cada 20 parches\.",
            statement,
        ),
    )
    assert side == other and patch == same
    assert bullets(statement) == ["lee", "pinta", "parejas", "parejas_sin_tapar", "números"]
    example, listed = only(r"Por ejemplo, con (.+), serían (.+)\.$", statement)
    shown = integers(example)
    assert _covered(shown[0], shown[2], shown[4]) == integers(listed)
    return named_integers(statement, _covered(side, patch, hidden))


def _covered(side, patch, hidden):
    """Parche a parche."""
    total = sum(1 for _ in range(0, side, patch) for _ in range(0, side, patch))
    covered = total * hidden // 20
    read, whole = total - covered + 1, total + 1
    return [read, whole, read * read, whole * whole, covered * patch * patch * 3]


def entropies(statement):
    (prototypes,) = integers(only(r"hay \*\*(\d+)\*\* prototipos", statement))
    (groups,) = integers(only(r"imágenes en (\d+) grupos igual de grandes", statement))
    (doubts,) = integers(only(r"por igual entre (\d+) prototipos que son solo", statement))
    assert bullets(statement) == ["de_la_media", "media", "información", "por_igual", "a_uno"]
    shown = only(r"Por ejemplo, con (\d+) prototipos, (\d+) grupos y (\d+) por grupo, serían "
                 r"([\d,]+), ([\d,]+), ([\d,]+), ([\d,]+) y 0\.$", statement)  # fmt: skip
    found = _entropies(*map(int, shown[:3]))
    wanted = [*map(value, shown[3:]), 0.0]
    assert all(abs(a - b) < 6e-3 for a, b in zip(found.values(), wanted, strict=True))
    return _entropies(prototypes, groups, doubts)


def _entropies(prototypes, groups, doubts):
    """Con los repartos escritos, número a número."""
    rows = []
    for group in range(groups):
        own = range(group * doubts, (group + 1) * doubts)
        rows.append([1 / doubts if k in own else 0.0 for k in range(prototypes)])
    mean = [sum(column) / groups for column in zip(*rows, strict=True)]
    of_mean, each = _entropy(mean), sum(map(_entropy, rows)) / groups
    flat = _entropy([1 / prototypes] * prototypes)
    return {
        "de_la_media": of_mean, "media": each, "información": of_mean - each, "por_igual": flat,
        "a_uno": _entropy([1.0] + [0.0] * (prototypes - 1)),
    }  # fmt: skip


def _entropy(shares):
    return -sum(p * math.log(p) for p in shares if p > 0)


READERS = {"lo-que-no-se-lee": covered, "dos-colapsos": entropies}
