"""El traductor de guion, token a token y frase a frase: lo que se espera de quien escribe."""

import heapq
import math

import torch
from torch import Tensor

from tfcourse.projects.steps.drawing import PAD, START, STOP


def next_code(code: int, token: int, row: list[int], size: int) -> int:
    """La clave que deja leer un token; la primera es la suma de la entrada."""
    return (5 * code + 3 * token + sum(row) + 1) % size


def greedy(
    table: Tensor, stops: Tensor, source: Tensor, limit: int, flaw: str = ""
) -> dict[str, object]:
    """La traducción voraz de cada fila, por separado."""
    found = []
    for row, stop in zip(source.tolist(), stops.tolist(), strict=True):
        code, last, written = sum(row) % len(table), START, []
        if flaw == "empieza-con-fin":
            last = STOP
        for place in range(limit):
            fresh = sum(row) % len(table) if flaw == "estado-quieto" else code
            code = next_code(fresh, START if flaw == "no-relee" else last, row, len(table))
            logits = table[code].tolist()
            here = 0 if flaw == "estado-quieto" else place
            logits[STOP] = 50.0 if here == stop else -50.0
            last = max(range(len(logits)), key=logits.__getitem__)
            if last == STOP and flaw != "no-para":
                break
            written.append(last)
        if flaw == "con-inicio":
            written = [START, *written]
        if flaw == "con-fin" and last == STOP:
            written = [*written, STOP]
        found.append(written)
    longest = max(min(max(0, stop) + 1, limit) for stop in stops.tolist())
    if flaw in ("estado-quieto", "no-para"):
        longest = limit
    return {
        "traducciones": found, "veces que se lee la entrada": longest if flaw == "relee" else 1,
        "pasos que se dan": longest,
    }  # fmt: skip


def _mean(candidate: tuple[float, tuple[int, ...]]) -> float:
    score, tokens = candidate
    return score / len(tokens)


def beam(
    table: Tensor, source: Tensor, width: int, limit: int, flaw: str = ""
) -> dict[str, object]:
    """La mejor traducción que encuentra un haz, y el logaritmo de su probabilidad por token."""
    (row,) = source.tolist()
    width = 1 if flaw == "voraz" else width
    kept, slots = [(0.0, ())], [sum(row) % len(table)]
    for _ in range(limit):
        going = [own for own in kept if own[1][-1:] != (STOP,)]
        slots = [
            next_code(code, tokens[-1] if tokens else START, row, len(table))
            for (_, tokens), code in zip(going, slots, strict=True)
        ]
        grown = ended = [own for own in kept if own[1][-1:] == (STOP,)]
        if flaw in ("olvida-las-acabadas", "acabadas-aparte"):
            grown = []
        parents = {}
        for (score, tokens), code in zip(going, slots, strict=True):
            for token, logit in enumerate(table[code].log_softmax(-1).tolist()):
                value = {"suma-probabilidades": math.exp(logit)}.get(flaw, logit)
                grown.append((score + value, (*tokens, token)))
                parents[*tokens, token] = code
        by_token = flaw == "divide-al-podar"
        kept = heapq.nlargest(width, grown, _mean if by_token else None)
        if flaw == "acabadas-aparte":
            kept += ended
        alive = [tokens for _, tokens in kept if tokens[-1] != STOP]
        if flaw == "sin-reordenar":
            slots = [slots[n % len(slots)] for n in range(len(alive))]
        else:
            slots = [parents[tokens] for tokens in alive]
        ends = {
            "para-a-la-primera": len(alive) < len(kept),
            "para-si-gana-una": kept[0][1][-1] == STOP,
        }
        if not alive or ends.get(flaw, False):
            break
    if flaw == "para-a-la-primera":
        kept = [own for own in kept if own[1][-1] == STOP] or kept
    if flaw == "elige-sin-dividir":
        kept = [max(kept)]
    sizes = [1 if flaw == "sin-dividir" else len(tokens) for _, tokens in kept]
    if flaw == "divide-sin-el-fin":
        sizes = [max(1, len(tokens) - (tokens[-1] == STOP)) for _, tokens in kept]
    score, tokens = max((own[0] / n, own[1]) for own, n in zip(kept, sizes, strict=True))
    if flaw != "con-fin":
        tokens = tokens[: tokens.index(STOP)] if STOP in tokens else tokens
    return {
        "traducción": [*tokens], "logaritmo por token": score, "veces que se lee la entrada": 1,
    }  # fmt: skip


def alignment(table: Tensor, source: Tensor, target: Tensor, flaw: str = "") -> dict[str, object]:
    """Los pesos con los que se escribió cada token de `target`, fila a fila."""
    maps = []
    for row, tokens in zip(source.tolist(), target.tolist(), strict=True):
        code, own = sum(row) % len(table), []
        for read, wrote in zip(tokens[:-1], tokens[1:], strict=True):
            before = sum(row) % len(table) if flaw == "estado-quieto" else code
            read = wrote if flaw == "desplazado" else read
            code = next_code(before, read, row, len(table))
            scores = [float(table[(code + i) % len(table), 0]) for i in range(len(row))]
            powers = [math.exp(s) * (x != PAD) for s, x in zip(scores, row, strict=True)]
            hidden = wrote == PAD and flaw != "con-relleno"
            own.append([0.0 if hidden else power / sum(powers) for power in powers])
        maps.append(own)
    found = torch.tensor(maps)
    found = found.transpose(1, 2) if flaw == "traspuesto" else found
    return {"mapa": found, "veces que se lee la entrada": 1}
