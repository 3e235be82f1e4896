"""Ejercicio de código: encontrar los tres fallos de una tabla de costes."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _by_loops(logits, boxes, classes, true_boxes):
    rows = []
    for j in range(len(boxes)):
        top = logits[j].max()
        total = (logits[j] - top).exp().sum()
        row = []
        for i in range(len(classes)):
            distance = sum(abs(boxes[j][k] - true_boxes[i][k]) for k in range(4))
            row.append(5 * distance - (logits[j][classes[i]] - top).exp() / total)
        rows.append(torch.stack(row))
    return torch.stack(rows)


def _variant(without=False, euclid=False, log=False, *, sign=-1, weight=5.0, dim=-1, best=False):
    """La tabla con alguna pieza cambiada; las tres primeras son los fallos del enunciado."""

    def costs(logits, boxes, classes, true_boxes):
        known = logits[:, :-1] if without else logits
        likely = known.log_softmax(dim) if log else known.softmax(dim)
        chosen = likely.amax(-1, keepdim=True) if best else likely[:, classes]
        apart = boxes[:, None] - true_boxes
        distance = apart.square().sum(-1).sqrt() if euclid else apart.abs().sum(-1)
        return weight * distance + sign * chosen

    return costs


FAULTS = {
    "callada": "se quita «sin objeto» antes del softmax, y quien está segura de que no hay nada "
    "parece tan segura de su clase como cualquiera",
    "recta": "`cdist` mide por omisión la distancia en línea recta, y se pide la L1: p=1",
    "logaritmo": "el coste lleva la probabilidad; su logaritmo no tiene cota, y decide solo",
}


def _case(n_queries, n_things, n_classes, seed, scale=2.0, dtype=torch.float32):
    """Logits de las clases y, detrás, de «sin objeto»."""

    def make():
        g = seeded(seed)
        logits = scale * torch.randn(n_queries, n_classes + 1, generator=g, dtype=dtype)
        classes = torch.randint(n_classes, (n_things,), generator=g)
        boxes, true_boxes = (
            torch.rand(n, 4, generator=g, dtype=dtype) for n in (n_queries, n_things)
        )
        return logits, boxes, classes, true_boxes

    return make


COSTS = Exercise(
    Card(
        id="fallos-en-los-costes",
        title="El reparto que no sale",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="encontrar, por los repartos que salen, los fallos de una tabla de costes",
        hints=(
            "Haz una tabla con dos consultas y un objeto: una segura de que ahí no hay nada y otra "
            "que duda. ¿Cuál debería costar menos?",
            "¿Entre qué se reparte la probabilidad si falta una clase? ¿Qué distancia mide "
            "`torch.cdist` si no se le dice? ¿Hasta dónde puede bajar un logaritmo?",
            "Softmax de todos los logits y después las columnas de `classes`; `cdist` con `p=1`; y "
            "la probabilidad, a secas.",
        ),
    ),
    Task(
        function="matching_costs",
        cases=(
            Case("tres consultas y dos objetos", _case(3, 2, 4, 0)),
            Case("cinco consultas y cuatro objetos", _case(5, 4, 3, 1)),
            Case("un solo objeto", _case(4, 1, 5, 2)),
            Case("tantas como objetos", _case(3, 3, 3, 3)),
            Case("logits de cientos", _case(4, 3, 3, 4, scale=200.0)),
            Case("64 bits", _case(2, 3, 2, 5, dtype=torch.float64)),
            example(
                torch.tensor([[0.0, 0.0], [0.0, 1.0986]]),
                torch.tensor([[0.5, 0.5, 0.2, 0.2], [0.2, 0.1, 0.2, 0.2]]),
                torch.tensor([0]),
                torch.tensor([[0.5, 0.5, 0.2, 0.2]]),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            *combined(FAULTS, _variant),
            Mistake(
                "probabilidad-sumada",
                "has sumado la probabilidad: quien cree en la clase del objeto tiene que costar "
                "menos",
                (_variant(sign=1),),
            ),
            Mistake(
                "sin-peso",
                "la distancia se multiplica por cinco",
                (_variant(weight=1.0),),
            ),
            Mistake(
                "entre-consultas",
                "el softmax reparte entre las clases de una consulta, que es el último eje, y no "
                "entre las consultas",
                (_variant(dim=0),),
            ),
            Mistake(
                "la-mas-probable",
                "has tomado la clase más probable de cada consulta: cuenta la de cada objeto",
                (_variant(best=True),),
            ),
            Mistake(
                "traspuesta",
                "la tabla está girada: una fila por consulta y una columna por objeto",
                (lambda *given: _variant()(*given).T,),
            ),
        ),
        tolerance=1e-5,
    ),
)
