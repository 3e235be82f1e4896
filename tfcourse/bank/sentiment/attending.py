"""Ejercicio de código: la decisión de una SVM, escrita como una atención."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_distances(dots, weights, gamma):
    """Con las distancias: dos vectores de norma 1 están a 2 − 2·coseno, al cuadrado."""
    rows = []
    for row in dots:
        kernel = torch.stack([torch.exp(-gamma * (2 - 2 * dot)) for dot in row])
        mass = kernel.sum()
        rows.append(torch.stack([(kernel * weights).sum() / mass, mass]))
    return torch.stack(rows)


def _variant(scale=2.0, *, mass=None, plain=False, turned=False):
    def attend(dots, weights, gamma):
        kernel = torch.exp(-2 * gamma * (1 - dots))
        total = mass(kernel, dots, gamma) if mass else kernel.sum(-1)
        shares = kernel if plain else (scale * gamma * dots).softmax(-1)
        columns = shares @ weights, total
        return torch.stack(columns[::-1] if turned else columns, dim=-1)

    return attend


def _case(n, n_support, width, gamma, seed):
    def make():
        x, support, weights = random_tensors(
            (n, width), (n_support, width), (n_support,), seed=seed
        )
        x, support = (t / t.norm(dim=-1, keepdim=True) for t in (x, support))
        return x @ support.T, weights, torch.tensor(gamma)

    return make


ATTENDING = Exercise(
    Card(
        id="una-svm-que-atiende",
        title="Una SVM que atiende",
        kind="codigo",
        difficulty=3,
        minutes=12,
        points=2,
        objective="deducir con qué escala una SVM de núcleo gaussiano es una atención",
        hints=(
            "Desarrolla ‖x − x_i‖² con ‖x‖ = ‖x_i‖ = 1: solo queda un producto escalar.",
            "El núcleo es una constante por la exponencial de algo que multiplica al coseno; al "
            "normalizar, la constante se va.",
            "Los pesos son un softmax de 2γ por el coseno. En la masa, la constante se queda.",
        ),
    ),
    Task(
        function="svm_as_attention",
        cases=(
            Case("3 consultas y 5 vectores de soporte", _case(3, 5, 4, 0.3, 0)),
            Case("20 consultas", _case(20, 8, 6, 1.0, 1)),
            Case("núcleo estrecho", _case(6, 10, 3, 2.5, 2)),
            example(torch.tensor([[1.0, 0.0]]), torch.tensor([1.0, -1.0]), torch.tensor(0.5)),
        ),
        reference=_by_distances,
        mistakes=(
            Mistake(
                "sin-doble",
                "falta un 2: al desarrollar el cuadrado, el producto escalar sale dos veces",
                (_variant(1.0),),
            ),
            Mistake(
                "signo",
                "el signo está cambiado: cuanto mayor es el coseno, más cerca están",
                (_variant(-2.0),),
            ),
            Mistake(
                "masa-sin-constante",
                "a la masa le falta la constante e^(−2γ), que solo se va al normalizar",
                (_variant(mass=lambda k, dots, gamma: (2 * gamma * dots).exp().sum(-1)),),
            ),
            Mistake(
                "masa-media",
                "la masa es la suma de los parecidos, y has dado su media",
                (_variant(mass=lambda k, dots, gamma: k.mean(-1)),),
            ),
            Mistake(
                "sin-normalizar",
                "eso es la decisión de la SVM: la atención reparte pesos que suman 1",
                (_variant(plain=True),),
            ),
            Mistake(
                "columnas",
                "las columnas están cambiadas: primero lo atendido y después la masa",
                (_variant(turned=True),),
            ),
        ),
    ),
)
