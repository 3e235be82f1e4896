"""Lector del ejercicio de comprender sobre el AUROC."""

from tests.exercises.statement_readers import bullets, only, value


def areas(statement):
    """Con unas puntuaciones que tengan esa área, y contando parejas."""
    wanted = value(only(r"un AUROC de ([\d,]+)", statement))
    cases = [round(1000 * wanted) + 0.5]  # un caso que gana a esa parte de mil no casos
    others = list(range(1, 1001))

    def area(first, second):
        won = sum((s > o) + 0.5 * (s == o) for s in first for o in second)
        return won / len(first) / len(second)

    assert area(cases, others) == wanted
    names = ["doble", "al_reves", "iguales", "casos_al_reves"]
    assert bullets(statement) == names
    doubled = [[2 * s - 3 for s in group] for group in (cases, others)]
    turned = [[-s for s in group] for group in (cases, others)]
    level = [[1.0 for _ in group] for group in (cases, others)]
    found = (area(*doubled), area(*turned), area(*level), area(others, cases))
    return dict(zip(names, found, strict=True))


READERS = {"area-sin-contar": areas}
