"""Respuestas que un día se corrigieron mal: las malas ya no pasan y las buenas ya no se rechazan.

De cada mala se pide además el diagnóstico que dice la verdad.
"""

import math
from difflib import SequenceMatcher
from itertools import groupby, product

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from tests.exercises.test_exercises import CELLS, run_cell
from tests.exercises.wrong_answers.box_language import sentence, three
from tests.exercises.wrong_answers.detection import pulled, table
from tests.exercises.wrong_answers.efficient import from_moments
from tests.exercises.wrong_answers.separation import (
    in_three_stretches,
    joined,
    right_join,
    scored,
)
from tests.exercises.wrong_answers.taxonomy import (
    RIGHT_BASE,
    local,
    minimised,
    right_level,
    row_by_row,
)
from tests.exercises.wrong_answers.transcription import both_ways, whisper_input, with_tables
from tests.exercises.wrong_answers.transformer import jacobian_by_hand
from tests.exercises.wrong_answers.unlabelled import in_use, pushes
from tests.exercises.wrong_answers.words import cosine, neighbours_by, pushed
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.data import other_data
from tfcourse.exercises.markers import solved
from tfcourse.layers.attention import attention


def every_number_moves(base, changed, least):
    return ((changed - base).abs() > least).all(-1).T


def moves_in_all(join):
    return lambda base, changed, least: (join((changed - base).abs()) > least).T


def just_enough(base, changed, least):
    return ((changed - base).abs().amax(-1) >= least).T


def term_by_term(beta1, beta2):
    total, k, term = 0.0, 0, 1.0
    while term > 1e-12:
        term = ((1 - beta1) * beta1**k) ** 2 / ((1 - beta2) * beta2**k)
        total, k = total + term, k + 1
    return total**0.5


def masked_with_zero(logits, place, n_bins, n_classes):
    scores = torch.zeros(len(logits))
    first, last = (n_bins, n_bins + n_classes) if place % 5 == 4 else (0, n_bins)
    scores[first:last] = torch.tensor(logits[first:last])
    return int(scores.argmax())


def tril_of_the_scores(q, k, v):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).tril()
    return scores.masked_fill(scores == 0, float("-inf")).softmax(-1) @ v


def causal_with(number):
    def causal_attention(q, k, v):
        future = torch.ones(q.shape[1], q.shape[1]).triu(1).bool()
        return (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(future, number).softmax(-1) @ v

    return causal_attention


def causal_of_the_package(q, k, v):
    return attention(q, k, v, mask=torch.ones(q.shape[1], q.shape[1]).bool().tril())


def causal_sentence_by_sentence(q, k, v):
    past = torch.ones(q.shape[1], q.shape[1]).bool().tril()
    rows = [a @ b.T / math.sqrt(a.shape[-1]) for a, b in zip(q, k, strict=True)]
    weights = [row.masked_fill(~past, float("-inf")).softmax(-1) for row in rows]
    return torch.stack([w @ x for w, x in zip(weights, v, strict=True)])


def padded_with(number):
    def padded_attention(q, k, v, lengths):
        padding = torch.arange(k.shape[1]) >= lengths[:, None]
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(padding[:, None], number)
        return scores.softmax(-1) @ v

    return padded_attention


def the_whole_matrix(q, k, v, window):
    place = torch.arange(q.shape[1])
    apart = place[:, None] - place
    scores = q @ k.mT / q.shape[-1] ** 0.5
    return scores.masked_fill((apart < 0) | (apart > window), -math.inf).softmax(-1) @ v


def every_cut(word, scores, n):
    def below(rest):
        if not rest:
            return [0.0]
        ends = [e for e in range(1, len(rest) + 1) if rest[:e] in scores]
        return [scores[rest[:e]] + more for e in ends for more in below(rest[e:])]

    return sorted(below(word), reverse=True)[:n]


def no_top(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    first, second = top_1.exp(), top_2.exp()
    mixed = first[:, None] * mixed_1 + second[:, None] * mixed_2
    return mixed / (first * total_1 + second * total_2)[:, None]


def one_global_top(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    top = torch.cat([top_1, top_2]).max()
    return no_top(top_1 - top, total_1, mixed_1, top_2 - top, total_2, mixed_2)


def adamw(epsilon_outside=0.0, epsilon_inside=0.0):
    def adamw_step(parameter, gradient, mean, size, t, lr):
        mean = 0.9 * mean + 0.1 * gradient
        size = 0.98 * size + 0.02 * gradient.square()
        divisor = (size / (1 - 0.98**t) + epsilon_inside).sqrt() + epsilon_outside
        advance = mean / (1 - 0.9**t) / divisor
        return (1 - 0.1 * lr) * parameter - lr * advance, mean, size

    return adamw_step


def clipped_with_a_division(grad_w, grad_b, max_norm):
    norm = (grad_w.square().sum() + grad_b.square().sum()).sqrt()
    size = norm.clamp(max=max_norm)
    return grad_w / norm * size, grad_b / norm * size


def halfway(points, max_apart):
    groups, labels = [], []
    for joint, tag in points:
        near = [
            (abs(tag - middle), n)
            for n, (middle, joints) in enumerate(groups)
            if joint not in joints and abs(tag - middle) < max_apart
        ]
        if near:
            n = min(near)[1]
            middle, joints = groups[n]
            groups[n] = ((middle + tag) / 2, joints | {joint})
        else:
            n = len(groups)
            groups.append((tag, {joint}))
        labels.append(n)
    return labels


def goes_back(word, vocabulary, prefix=""):
    if not word:
        return []
    for size in range(len(word), 0, -1):
        piece = prefix + word[:size]
        if piece in vocabulary:
            rest = goes_back(word[size:], vocabulary, "##")
            if rest != ["<desconocido>"]:
                return [piece, *rest]
    return ["<desconocido>"]


def with_difflib(written, expected):
    changes = 0
    for w, e in zip(written, expected, strict=True):
        for tag, a, b, c, d in SequenceMatcher(None, w, e, autojunk=False).get_opcodes():
            changes += 0 if tag == "equal" else max(b - a, d - c)
    return changes / sum(map(len, expected))


def without_a_table(written, expected):
    def distance(a, b):
        if not a or not b:
            return len(a) + len(b)
        change = distance(a[1:], b[1:]) + (a[0] != b[0])
        return min(change, distance(a[1:], b) + 1, distance(a, b[1:]) + 1)

    total = sum(distance(w, e) for w, e in zip(written, expected, strict=True))
    return total / sum(map(len, expected))


def by_their_number(seen, done, separator):
    marks = torch.full((len(seen), 1), separator)
    row = torch.cat([seen, marks, done], dim=1).flatten()
    return row, torch.isin(row, done)


def touching(boxes, scores, threshold):
    def alike(a, b):
        width = max(0, min(a[2], b[2]) - max(a[0], b[0]))
        height = max(0, min(a[3], b[3]) - max(a[1], b[1]))
        areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
        return width * height / (areas - width * height)

    kept = []
    for i in sorted(range(len(boxes)), key=lambda i: -scores[i]):
        if all(alike(boxes[i], boxes[j]) < threshold for j in kept):
            kept.append(i)
    return kept


def half_is_enough(logits, grid):
    step = (logits.shape[1] // grid[0], logits.shape[2] // grid[1])
    inside = F.avg_pool2d(logits[None], step)[0].flatten(1) >= 0
    return inside | ~inside.any(1, keepdim=True)


def chosen_up_to(tokens, draw, fate, some):
    chosen = (draw <= 0.15) & (tokens >= 4)
    read = torch.where(chosen & (fate < 0.8), 3, tokens)
    read = torch.where(chosen & (fate >= 0.8) & (fate < 0.9), some, read)
    return read, chosen


def with_kl_div(student, teacher, temperature):
    wanted = (teacher / temperature).log_softmax(-1)
    got = (student / temperature).log_softmax(-1)
    return temperature**2 * F.kl_div(got, wanted, log_target=True, reduction="batchmean")


def with_fft(signal, k):
    return torch.view_as_real(torch.fft.fft(signal)[..., k])


def with_complex_numbers(signal, k):
    n = torch.arange(signal.shape[-1])
    found = (signal * torch.exp(-2j * math.pi * k * n / len(n))).sum(-1)
    return torch.stack([found.real, found.imag], dim=-1)


def shares_with_autograd(z, g):
    z = z.detach().requires_grad_()
    share = z.sigmoid() / z.sigmoid().sum(-1, keepdim=True)
    return torch.autograd.grad((share * g).sum(), z)[0]


def sure_before_comparing(scores, classes, masks, threshold):
    return solution("repartir-los-puntos")(scores, classes, masks * (masks > 0.5), threshold)


def reaching_is_enough(scores, classes, masks, threshold):
    return solution("repartir-los-puntos")(scores, classes, masks + 1e-6, threshold - 1e-6)


WRONG = [
    ("repartir-los-puntos", sure_before_comparing, "antes-de-comparar"),
    ("repartir-los-puntos", reaching_is_enough, "justo-en-el-umbral"),
    ("de-quien-depende", every_number_moves, "todos-a-la-vez"),
    ("de-quien-depende", moves_in_all(lambda change: change.sum(-1)), "junta-los-cambios"),
    ("de-quien-depende", moves_in_all(lambda change: change.mean(-1)), "junta-los-cambios"),
    ("de-quien-depende", moves_in_all(lambda change: change.norm(dim=-1)), "junta-los-cambios"),
    ("de-quien-depende", just_enough, "justo-en-el-umbral"),
    ("escribir-con-reglas", masked_with_zero, "queda-ceros"),
    ("atencion-causal", tril_of_the_scores, "tapado-lo-que-vale-cero"),
    ("atencion-causal", causal_with(-50.0), "tapado-con-un-numero"),
    ("atencion-causal", causal_with(-100.0), "tapado-con-un-numero"),
    ("atencion-causal", causal_of_the_package, "prohibido"),
    ("atencion-causal", causal_sentence_by_sentence, "con-bucles"),
    ("atencion-con-fallos", padded_with(-50.0), "tapado-con-un-numero"),
    ("atencion-con-fallos", padded_with(-100.0), "tapado-con-un-numero"),
    ("ventana-causal", the_whole_matrix, "demasiado-grande"),
    ("mejores-cortes", every_cut, "demasiadas-cuentas"),
    ("unir-estados", no_top, "desborda"),
    ("unir-estados", one_global_top, "un-solo-maximo"),
    ("fallos-en-adamw", adamw(), "sin-epsilon"),
    ("fallos-en-adamw", adamw(epsilon_inside=1e-8), "epsilon-dentro"),
    ("recorte", clipped_with_a_division, "nan"),
    ("agrupar-por-etiqueta", halfway, "media-a-medias"),
    (
        "agrupar-por-etiqueta",
        lambda p, m: solution("agrupar-por-etiqueta")(p, m + 1e-9),
        "justo-en-el-limite",
    ),
    ("lo-mas-que-avanza-adam", term_by_term, "demasiadas-cuentas"),
    ("trozo-mas-largo", goes_back, "vuelve-atras"),
    ("tasa-de-error", with_difflib, "tramo-mas-largo"),
    ("tasa-de-error", without_a_table, "demasiadas-cuentas"),
    ("un-episodio-en-fila", by_their_number, "por-su-numero"),
    ("quitar-repetidas", touching, "justo-en-el-umbral"),
    ("tres-fallos-al-mirar", half_is_enough, "justo-en-un-medio"),
    ("fallos-al-tapar", chosen_up_to, "valores"),
    ("destilacion-blanda", with_kl_div, "prohibido"),
    ("una-casilla-de-fourier", with_fft, "prohibido"),
    ("una-casilla-de-fourier", with_complex_numbers, "prohibido"),
    ("deriva-el-reparto", shares_with_autograd, "prohibido"),
    ("contexto", lambda alpha, h: h.max(dim=1), "valores-e-indices"),
    ("contexto", lambda alpha, h: h - h.max(dim=1), "valores-e-indices"),
    ("contexto", lambda alpha, h: (alpha[..., None] * h).mT.view(-1), "sin-contiguo"),
    ("contexto", lambda alpha, h: (alpha[..., None] * h).sum(), "un-solo-numero"),
    ("contexto", lambda alpha, h: alpha.tolist(), "lista-en-vez-de-tensor"),
    ("cuanto-ocupa-la-cache", lambda: cache_bytes(73_728), "compartida-sin-dividir"),
    ("sparsemax-a-mano", lambda: ([0.833, 0.433, 0.0, 0.0], 0.367), "soporte-de-tres"),
]


def cache_bytes(shared):
    values = {"por_token": 73_728, "secuencia": 73_728_000, "dieciseis": 1_179_648_000}
    return values | {"compartida": shared}


def solution(name):
    return run_cell(solved(CELLS[name]))[EXERCISES[name].task.function]


def in_doubles(name):
    """La solución, con lo que devuelve en 64 bits."""
    return lambda *arguments: solution(name)(*arguments).double()


def rank_area(scores, labels):
    won = [(a > b) + 0.5 * (a == b) for a in scores[labels == 1] for b in scores[labels == 0]]
    return float(sum(won)) / len(won)


def first_as_list(labels, per_class):
    return solution("cuando-compensa-preentrenar")(labels, per_class).tolist()


def first_in_32_bits(labels, per_class):
    return solution("cuando-compensa-preentrenar")(labels, per_class).int()


def causal_with_einsum(q, k, v):
    future = torch.ones(q.shape[1], q.shape[1]).triu(1).bool()
    scores = torch.einsum("bid,bjd->bij", q, k) / q.shape[-1] ** 0.5
    return torch.einsum("bij,bjd->bid", scores.masked_fill(future, -math.inf).softmax(-1), v)


RIGHT = [
    ("avanzar-es-girar", in_doubles("avanzar-es-girar")),
    ("gradiente-de-la-ctc", with_tables(both_ways, lambda y, seen, total: y - seen)),
    ("fallos-en-la-entrada", whisper_input()),
    ("fallos-en-la-si-snr", scored()),
    ("trozos-que-no-encajan", joined(right_join)),
    ("lo-que-deja-la-mascara", in_three_stretches),
    ("fallos-en-la-ventana", local()),
    ("dos-niveles-en-uno", row_by_row(right_level)),
    ("la-mejor-linea-de-base", minimised(RIGHT_BASE)),
    ("lo-que-empuja-a-cada-vector", pushed()),
    ("fallos-en-las-vecinas", neighbours_by(cosine)),
    ("una-marca-y-tres-perdidas", three()),
    ("hacia-donde-tira-la-giou", pulled()),
    ("fallos-en-los-costes", table()),
    ("fallos-al-contar-entradas", in_use()),
    ("hacia-atras-por-la-norma", jacobian_by_hand()),
    ("cuantas-direcciones", from_moments()),
    ("hacia-donde-empuja-el-contraste", pushes()),
    ("fallos-al-escribir-una-escena", sentence),
    ("etiquetas-suavizadas", in_doubles("etiquetas-suavizadas")),
    ("etiquetas-suavizadas", lambda *given: solution("etiquetas-suavizadas")(*given).tolist()),
    ("cuando-compensa-preentrenar", first_as_list),
    ("cuando-compensa-preentrenar", first_in_32_bits),
    ("area-por-parejas", rank_area),
    ("area-por-parejas", lambda scores, labels: np.float64(rank_area(scores, labels))),
    ("atencion-causal", causal_with_einsum),
]


@pytest.mark.parametrize(
    ("name", "answer", "key"), WRONG, ids=[f"{name}/{n}" for n, (name, *_) in enumerate(WRONG)]
)
def test_a_wrong_answer_is_refused_and_told_why(name, answer, key):
    diagnosis = EXERCISES[name].check(answer)
    assert diagnosis is not None, f"{name} la da por buena"
    assert diagnosis.key == key, diagnosis


@pytest.mark.parametrize(
    ("name", "answer"), RIGHT, ids=[f"{name}/{n}" for n, (name, _) in enumerate(RIGHT)]
)
def test_a_right_answer_is_accepted(name, answer):
    diagnosis = EXERCISES[name].check(answer)
    assert diagnosis is None, diagnosis


def test_where_floats_come_in_their_type_is_kept():
    diagnosis = EXERCISES["contexto"].check(lambda alpha, h: (alpha[..., None] * h).sum(1).double())
    assert diagnosis.key == "tipo-de-dato" and "conserva el tipo" in diagnosis.likely


def test_a_boolean_is_asked_for_by_its_name():
    answer = solution("tapar-lo-mirado")
    diagnosis = EXERCISES["tapar-lo-mirado"].check(lambda *given: answer(*given).float())
    assert "`bool`" in diagnosis.likely and "conserva el tipo" not in diagnosis.likely


def test_the_references_that_broke_hold():
    """La referencia se rompía con 16 de 400 sales, y el redondeo rechazaba la solución con una."""
    for name in ("que-voces-cuestan", "capa-multicabeza"):
        answer = solution(name)
        for salt in range(0, 400, 50):
            with other_data(salt):
                assert EXERCISES[name].check(answer) is None, (name, salt)


def test_the_gradient_of_the_ctc_is_that_of_all_its_paths():
    """La respuesta esperada, contra los caminos escritos uno a uno."""
    logits, target, blank = torch.randn(5, 3, dtype=torch.float64), [2, 2], 1
    y, found, total = logits.softmax(-1), torch.zeros_like(logits), 0.0
    for path in product(range(3), repeat=5):
        if [symbol for symbol, _ in groupby(path) if symbol != blank] == target:
            likely = y[range(5), list(path)].prod()
            found[range(5), list(path)] += likely
            total = total + likely
    wanted = EXERCISES["gradiente-de-la-ctc"].task.reference(logits, target, blank)
    torch.testing.assert_close(wanted, y - found / total)
