"""Escribir con el oyente de guion, fila a fila: lo que debe salir y cuánto debe costar.

El oyente es el de `tfcourse.projects.whisper_drivers`; aquí se vuelve a contar sin él.
"""

from torch import Tensor

STOP = 0


def _row(table: Tensor, sound: int, end: int, read: list[int], n_prompt: int) -> int:
    """El token de más puntos tras leer unos cuantos: la clave se mezcla con cada uno."""
    if len(read) - n_prompt == end:
        return STOP
    code = sound % len(table)
    for token in read:
        code = (5 * code + 3 * token + sound + 1) % len(table)
    return 1 + int(table[code, 1:].argmax())


def _fed(place: int, prompt: list[int], row: list[int], flaw: str) -> tuple[list[int], bool]:
    """Lo que se da a leer para escribir el token de ese lugar, y si se empieza de nuevo."""
    if place == 0:
        return (prompt[-1:] if flaw == "sin-comienzo" else prompt), True
    if flaw in ("relee", "relee-con-cache", "de-una-vez"):
        return prompt + row, flaw != "relee-con-cache"
    if flaw == "repite-el-comienzo":
        return prompt, False
    return row[-1:], flaw == "sin-cache"


def write(
    table: Tensor, mels: Tensor, prompt: list[int], limit: int, flaw: str = ""
) -> dict[str, object]:
    """Lo que se escribe con cada sonido, y cuántas cosas se leen."""
    rows, costs = [], []
    ends = mels[:, 0, 0].long().tolist()
    for sound, end in zip(mels.sum((1, 2)).long().tolist(), ends, strict=True):
        read, row, costs = [], [], []
        for place in range(limit):
            new, fresh = _fed(place, prompt, row, flaw)
            read = new if fresh else read + new
            row.append(_row(table, sound, end, read, len(prompt)))
            costs.append(len(new))
        rows.append(row)
    cut = [row.index(STOP) if STOP in row else limit for row in rows]
    turns = [min(n + 1, limit) for n in cut]  # los que da cada fila hasta escribir su fin
    steps = {"sin-parar": limit, "para-en-la-primera": min(turns)}.get(flaw, max(turns))
    lengths = {
        "no-corta": [steps] * len(rows), "sigue": [steps] * len(rows), "con-fin": turns,
        "para-en-la-primera": [min(n, steps) for n in cut],
    }  # fmt: skip
    found = [row[:n] for row, n in zip(rows, lengths.get(flaw, cut), strict=True)]
    if flaw == "sigue":
        found = [[token for token in row if token != STOP] for row in found]
    again = {
        "oye-otra-vez": (steps, steps), "de-una-vez": (steps, steps),
        "oye-de-mas": (steps + 1, steps + 1), "prepara-otra-vez": (1, steps),
        "fila-a-fila": (len(rows), len(rows)),
    }.get(flaw, (1, 1))  # fmt: skip
    spent = [sum(costs[:n]) for n in turns] if flaw == "fila-a-fila" else [sum(costs[:steps])]
    return {
        "escrito": [[*prompt, *row] for row in found] if flaw == "con-comienzo" else found,
        "veces que se oye": again[0], "veces que se prepara lo oído": again[1],
        "tokens que lee": sum(spent) + (flaw == "lee-el-ultimo"),
    }  # fmt: skip
