"""Escribir y mirar dónde se ha mirado: la traducción voraz, el haz y el mapa."""

import itertools
from collections.abc import Callable

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import (
    PAD,
    START,
    STOP,
    drawn_source,
    drawn_tokens,
    greedy_case,
    with_flaw,
)
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.traductor.script import alignment, beam, greedy

GREEDY = Step(
    Card(
        "tr-voraz", "La traducción voraz", "codigo", 2, 25, 3,
        "escribir varias traducciones a la vez, con un estado que avanza",
        (
            "`memory, h = model.read(source)` una sola vez; en cada vuelta, "
            "`logits, h, _ = model.step(token, h, memory)` y el token es el de más puntos.",
            "Se sigue mientras quede alguna fila por acabar y no se llegue a `max_length`.",
            "Al final, cada fila se corta en su primer `stop`.",
        ),
    ),
    Task(
        "translate",
        (
            Case("4 entradas: unas acaban y otra no", greedy_case((2, 3, 0, 9), 6, 630)),
            Case("todas acaban antes del límite", greedy_case((1, 4, 2), 8, 631)),
            Case("entradas de un solo token", greedy_case((2, 1), 4, 632, length=1)),
        ),
        lambda table, stops, source, limit: greedy(table, stops, source, limit),
        (
            Mistake("no-para", "sigues escribiendo después de `stop`: cada fila acaba en el suyo",
                    with_flaw(greedy, "no-para")),
            Mistake("con-inicio", "devuelve lo escrito sin `start`",
                    with_flaw(greedy, "con-inicio")),
            Mistake("con-fin", "devuelve lo escrito sin `stop`", with_flaw(greedy, "con-fin")),
            Mistake("empieza-con-fin", "lo primero que se lee es `start`",
                    with_flaw(greedy, "empieza-con-fin")),
            Mistake("estado-quieto", "cada token se escribe con el estado inicial: el que devuelve "
                    "`step` entra en el paso siguiente", with_flaw(greedy, "estado-quieto")),
            Mistake("no-relee", "en cada paso lees `start`: se lee el token que se acaba de "
                    "escribir", with_flaw(greedy, "no-relee")),
            Mistake("relee", "vuelves a leer la entrada en cada vuelta: `read` se llama una sola "
                    "vez", with_flaw(greedy, "relee")),
        ),
        differentiable=False,
    ),
    driver="voraz-con-estado",
)  # fmt: skip


def _beam_case(width: int, limit: int, seed: int, *shown: str) -> Callable:
    """Un guion en el que cada error de `shown` lleva a otra traducción o a otro número, el suyo."""

    def make() -> tuple:
        for attempt in itertools.count():
            (table,) = random_tensors((31, 7), seed=seed + 1000 * attempt)
            table[:, PAD] = table[:, START] = -9.0
            table[:, STOP] += 0.5
            source = drawn_source(1, 5, 9, seed=seed + 1000 * attempt)
            given = 1.5 * table, source, width, limit
            right = beam(*given)
            wrong = [beam(*given, flaw) for flaw in shown]
            if all(own not in (right, *wrong[:n]) for n, own in enumerate(wrong)):
                return given

    return make


SEARCH = Step(
    Card(
        "tr-haz", "El haz", "codigo", 3, 50, 6,
        "seguir varias traducciones a la vez, cada una con su estado",
        (
            "De cada candidata guarda su suma de logaritmos, sus tokens y su **fila**: en cuál de "
            "las filas de `h` está su estado. Tras quedarte con las mejores, "
            "`h = h[torch.tensor(filas, device=…)]`.",
            "La memoria es la misma para todas: repite la de la única frase tantas veces como "
            "candidatas vivas, `part[:1].expand(n, *part.shape[1:])`.",
            "Las acabadas no se alargan, pero siguen en el reparto de las `width` plazas. Al "
            "final, gana la de mayor suma dividida entre sus tokens, contando `stop`.",
        ),
    ),
    Task(
        "beam_search",
        (
            Case("un haz de 3", _beam_case(3, 7, 640, "voraz", "sin-reordenar", "sin-dividir")),
            Case("otro haz de 3", _beam_case(3, 8, 650, "olvida-las-acabadas", "para-a-la-primera",
                                             "suma-probabilidades")),
            Case("un haz de 2", _beam_case(2, 7, 690, "divide-al-podar", "acabadas-aparte")),
            Case("otro haz de 2", _beam_case(2, 6, 695, "elige-sin-dividir", "para-si-gana-una")),
            Case("un haz de 1: la traducción voraz", _beam_case(1, 6, 660)),
            Case("un haz de 4 al que se le acaba el sitio", _beam_case(4, 2, 670, "voraz")),
        ),
        lambda table, source, width, limit: beam(table, source, width, limit),
        (
            Mistake("voraz", "no mantienes varias candidatas y da lo mismo que la traducción "
                    "voraz: alarga cada una con todos los tokens y guarda las `width` mejores",
                    with_flaw(beam, "voraz")),
            Mistake("sin-reordenar", "las candidatas cambian de fila y su estado no las sigue: "
                    "tras elegir, `h` se ordena con la fila de la que viene cada una",
                    with_flaw(beam, "sin-reordenar")),
            Mistake("suma-probabilidades", "sumas probabilidades: la de una frase es el producto, "
                    "y lo que se suma son los logaritmos", with_flaw(beam, "suma-probabilidades")),
            Mistake("sin-dividir", "al final gana la de mayor logaritmo por token: divide "
                    "entre los tokens escritos, contando `stop`",
                    with_flaw(beam, "sin-dividir", "elige-sin-dividir", "divide-sin-el-fin")),
            Mistake("divide-al-podar", "las que siguen se eligen por su suma: se divide entre los "
                    "tokens solo al final", with_flaw(beam, "divide-al-podar")),
            Mistake("acabadas-aparte", "las acabadas ocupan plaza: entre ellas y las que se "
                    "alargan quedan `width`, no más", with_flaw(beam, "acabadas-aparte")),
            Mistake("olvida-las-acabadas", "una frase acabada sigue compitiendo por su plaza con "
                    "las que se alargan: tú la pierdes", with_flaw(beam, "olvida-las-acabadas")),
            Mistake("para-a-la-primera", "paras en cuanto acaba una: sigue hasta que acaben todas "
                    "las que quedan", with_flaw(beam, "para-a-la-primera", "para-si-gana-una")),
            Mistake("con-fin", "devuelve lo escrito sin `stop`", with_flaw(beam, "con-fin")),
        ),
        tolerance=1e-4, differentiable=False,
    ),
    driver="haz-con-estado",
)  # fmt: skip


def _map_case(batch: int, lengths: tuple[int, int], seed: int) -> Callable:
    def make() -> tuple:
        (table,) = random_tensors((31, 9), seed=seed)
        source = drawn_source(batch, lengths[0], 9, seed=seed + 1)
        target = 3 + drawn_tokens(batch, lengths[1], n_tokens=6, seed=seed + 2)
        target[:, 0], target[:, -1] = START, STOP
        if batch > 1:  # una traducción más corta, con su fin y su relleno
            target[1, -3:] = torch.tensor([STOP, PAD, PAD])
        return table, source, target

    return make


MAP = Step(
    Card(
        "tr-mapa", "El mapa de lo que se mira", "codigo", 1, 20, 2,
        "sacar de un modelo los pesos que se dibujan",
        (
            "Es el bucle del forzado del profesor, que guarda los pesos y no los logits: lee "
            "`target[:, :-1]`.",
            "La fila t es la de escribir `target[:, t + 1]`: si ese token es relleno, ceros.",
        ),
    ),
    Task(
        "alignment",
        (
            Case("3 frases y 6 tokens, con relleno", _map_case(3, (5, 7), seed=680)),
            Case("una frase", _map_case(1, (4, 4), seed=684)),
        ),
        lambda table, source, target: alignment(table, source, target),
        (
            Mistake("traspuesto", "el mapa está traspuesto: las filas son lo escrito, y las "
                    "columnas, lo leído", with_flaw(alignment, "traspuesto")),
            Mistake("desplazado", "en cada paso lees el token que se va a escribir: se lee el "
                    "anterior, `target[:, :-1]`", with_flaw(alignment, "desplazado")),
            Mistake("relleno", "donde lo escrito es relleno no se mira a ningún sitio: esa fila va "
                    "a cero", with_flaw(alignment, "con-relleno")),
            Mistake("estado-quieto", "cada token mira desde el estado inicial: pasa el estado de "
                    "un paso al siguiente", with_flaw(alignment, "estado-quieto")),
        ),
        tolerance=1e-4, differentiable=False,
    ),
    driver="mapa",
)  # fmt: skip
