"""Ejercicio de código: la tabla de costes del emparejamiento."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(probabilities, boxes, classes, true_boxes):
    rows = []
    for j in range(len(boxes)):
        row = []
        for i in range(len(classes)):
            distance = sum(abs(boxes[j][k] - true_boxes[i][k]) for k in range(4))
            row.append(5 * distance - probabilities[j][classes[i]])
        rows.append(torch.stack(row))
    return torch.stack(rows)


def _variant(kind):
    def costs(probabilities, boxes, classes, true_boxes):
        apart = boxes[:, None] - true_boxes[None]
        likely = probabilities[:, classes]
        distance = apart.abs().sum(-1)
        return {
            "signo": 5 * distance + likely,
            "log": 5 * distance - likely.log(),
            "sin-peso": distance - likely,
            "cuadrado": 5 * apart.square().sum(-1) - likely,
            "traspuesta": (5 * distance - likely).T,
            "media": 5 * apart.abs().mean(-1) - likely,
            "maxima": 5 * distance - probabilities.amax(-1, keepdim=True),
        }[kind]

    return costs


def _case(n_queries, n_things, n_classes, seed):
    def make():
        g = seeded(seed)
        probabilities = (2 * torch.randn(n_queries, n_classes, generator=g)).softmax(-1)
        classes = torch.randint(n_classes, (n_things,), generator=g)
        boxes = torch.rand(n_queries, 4, generator=g)
        return probabilities, boxes, classes, torch.rand(n_things, 4, generator=g)

    return make


COSTS = Exercise(
    Card(
        id="tabla-de-costes",
        title="La tabla de costes",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="calcular de una vez lo que cuesta cada pareja de predicción y objeto",
        hints=(
            "`probabilities[:, classes]` da, para cada predicción, la probabilidad de la clase de "
            "cada objeto.",
            "Las diferencias de todas con todas: `boxes[:, None] - true_boxes[None]`, de forma "
            "(N, M, 4).",
            "La distancia L1 es la suma de los valores absolutos del último eje. El coste es cinco "
            "veces la distancia menos la probabilidad.",
        ),
    ),
    Task(
        function="cost_table",
        cases=(
            Case("tres predicciones y dos objetos", _case(3, 2, 4, 0)),
            Case("cinco predicciones y cuatro objetos", _case(5, 4, 3, 1)),
            Case("un solo objeto", _case(4, 1, 5, 2)),
            Case("tantas como objetos", _case(3, 3, 3, 3)),
            example(
                torch.tensor([[0.2, 0.8]]),
                torch.tensor([[0.5, 0.5, 0.2, 0.2]]),
                torch.tensor([1]),
                torch.tensor([[0.5, 0.5, 0.3, 0.2]]),
                in_words=True,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "probabilidad-sumada",
                "has sumado la probabilidad: lo probable tiene que costar menos",
                (_variant("signo"),),
            ),
            Mistake(
                "con-logaritmo",
                "has usado el logaritmo: es para la pérdida; en el emparejamiento va la "
                "probabilidad a secas",
                (_variant("log"),),
            ),
            Mistake(
                "sin-peso",
                "la distancia no lleva su peso: se multiplica por cinco",
                (_variant("sin-peso"),),
            ),
            Mistake(
                "al-cuadrado",
                "has usado los cuadrados: la distancia L1 suma valores absolutos",
                (_variant("cuadrado"),),
            ),
            Mistake(
                "traspuesta",
                "la tabla está girada: una fila por predicción y una columna por objeto",
                (_variant("traspuesta"),),
            ),
            Mistake(
                "media",
                "has hecho la media de los cuatro números: la distancia L1 los suma",
                (_variant("media"),),
            ),
            Mistake(
                "la-mas-probable",
                "has tomado la clase más probable de cada predicción: cuenta la de cada objeto",
                (_variant("maxima"),),
            ),
        ),
    ),
)
