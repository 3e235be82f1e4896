"""Ejercicios de código: el método de la potencia y el recorte del gradiente."""

import math

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import EXAMPLE, Card, Case, Exercise, Mistake, Task, example


def _with_eigenvalues(values, seed, steps, dtype=torch.float32):
    """Matriz simétrica con esos valores propios, un vector de partida y un número de pasos."""

    def make():
        d = len(values)
        basis, start = random_tensors((d, d), (d,), seed=seed, dtype=torch.float64)
        basis = torch.linalg.qr(basis).Q
        matrix = basis @ torch.diag(torch.tensor(values, dtype=torch.float64)) @ basis.T
        return matrix.to(dtype), start.to(dtype), steps

    return make


def _one_step():
    return torch.tensor([[3.0, 0.0], [4.0, 0.0]]), torch.tensor([2.0, 0.0]), 1


def _by_eigenvalues(W, v, steps):
    """Por los valores propios, sin iterar: cociente de las normas de Wᵏv y Wᵏ⁻¹v."""
    if not torch.allclose(W, W.T):
        norms = [
            (torch.linalg.matrix_power(W.double(), k) @ v.double()).norm()
            for k in (steps - 1, steps)
        ]
        return (norms[1] / norms[0]).to(W.dtype)
    values, vectors = torch.linalg.eigh(W.double())
    scaled = values / values.abs().max()
    amounts = vectors.T @ v.double()
    after, before = ((amounts * scaled**k).norm() for k in (steps, steps - 1))
    return (values.abs().max() * after / before).to(W.dtype)


def _iterate(W, v, steps, normalise=True, product=torch.mv, read=None):
    read = read or (lambda before, after: after.norm() / before.norm())
    rate = v.norm()
    for _ in range(steps):
        after = product(W, v)
        rate = read(v, after)
        v = after / after.norm() if normalise else after
    return rate


def _total(W, v, steps):
    for _ in range(steps):
        v = W @ v
    return v.norm()


def _mistaken(**options):
    return lambda W, v, steps: _iterate(W, v, steps, **options)


POWER = Exercise(
    Card(
        id="metodo-potencia",
        title="El método de la potencia",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="hallar a qué ritmo crece un vector al multiplicarlo por la misma matriz",
        hints=(
            "Un bucle de `steps` vueltas: multiplica, mide por cuánto se ha estirado y sigue con "
            "el vector nuevo. Tras muchas vueltas sin más, ¿qué tamaño tendría?",
            "Si divides el vector entre su norma en cada vuelta, su dirección no cambia y no se "
            "desborda ni se anula.",
            "Con v de norma 1, lo que se ha estirado es la norma de W @ v. Devuelve la de la "
            "última vuelta.",
        ),
    ),
    Task(
        function="dominant_rate",
        cases=(
            Case(EXAMPLE, _one_step),
            Case("una matriz que encoge", _with_eigenvalues((0.9, 0.4, 0.1), 0, 60)),
            Case("una que estira", _with_eigenvalues((1.3, -0.8, 0.5, 0.2), 1, 60)),
            Case("valor propio dominante negativo", _with_eigenvalues((-1.2, 0.7, 0.3), 2, 60)),
            Case("muchos pasos y mucho estirón", _with_eigenvalues((5.0, 1.0, 0.5), 3, 200)),
            Case("muchos pasos y mucho encogimiento", _with_eigenvalues((0.1, 0.05), 4, 200)),
            Case("pocos pasos", _with_eigenvalues((1.0, 0.8, 0.6), 5, 2)),
            Case("números de 64 bits", _with_eigenvalues((2.0, 0.5), 6, 40, torch.float64)),
        ),
        reference=_by_eigenvalues,
        mistakes=(
            Mistake(
                "sin-normalizar",
                "el vector se desborda o se anula tras muchos pasos: divídelo entre su norma en "
                "cada vuelta",
                (
                    _mistaken(normalise=False),
                    lambda W, v, steps: (
                        (torch.linalg.matrix_power(W, steps) @ v).norm()
                        / (torch.linalg.matrix_power(W, steps - 1) @ v).norm()
                    ),
                ),
            ),
            Mistake(
                "estiron-total",
                "devuelves cuánto ha crecido en total, y se pide el ritmo: por cuánto se estira en "
                "el último paso",
                (
                    _total,
                    lambda W, v, steps: (torch.linalg.matrix_power(W, steps) @ v).norm(),
                ),
            ),
            Mistake(
                "sin-iterar",
                "solo has multiplicado una vez: repite `steps` veces, siempre con el vector nuevo",
                (
                    lambda W, v, steps: (W @ v).norm() / v.norm(),
                    lambda W, v, steps: (W @ (v / v.norm())).norm(),
                ),
            ),
            Mistake(
                "norma-de-la-matriz",
                "devuelves una norma de la matriz: el ritmo a la larga lo da el vector, no el "
                "mayor estirón posible",
                (
                    lambda W, v, steps: torch.linalg.matrix_norm(W, 2),
                    lambda W, v, steps: W.norm(),
                ),
            ),
            Mistake(
                "partida-sin-normalizar",
                "en la primera vuelta mides la norma de W @ v sin que v mida 1: normaliza también "
                "el vector de partida, o divide entre lo que medía",
                (_mistaken(read=lambda before, after: after.norm()),),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
    ),
)


def _gradients(*shapes, seed, scale=1.0, dtype=torch.float32, limit=1.0):
    def make():
        tensors = random_tensors(*shapes, seed=seed, dtype=dtype)
        return (*(scale * tensor for tensor in tensors), limit)

    return make


def _clipped_by_numbers(grad_w, grad_b, max_norm):
    numbers = [*grad_w.flatten().tolist(), *grad_b.flatten().tolist()]
    norm = math.sqrt(math.fsum(value * value for value in numbers))
    factor = max_norm / norm if norm > max_norm else 1.0
    return tuple(
        torch.tensor([factor * v for v in g.flatten().tolist()], dtype=g.dtype).view(g.shape)
        for g in (grad_w, grad_b)
    )


def _scaled(factor):
    def clip(grad_w, grad_b, max_norm):
        # Con tensores: si mide 0, dividir da un infinito y no un error, como a quien contesta.
        norm = (grad_w.square().sum() + grad_b.square().sum()).sqrt()
        return grad_w * factor(norm, max_norm), grad_b * factor(norm, max_norm)

    return clip


def _each(grad_w, grad_b, max_norm):
    return tuple(g * min(1.0, max_norm / g.norm()) for g in (grad_w, grad_b))


CLIPPING = Exercise(
    Card(
        id="recorte",
        title="Recortar el gradiente",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="encoger un gradiente que está repartido en varios tensores sin girarlo",
        hints=(
            "La norma es una sola: la raíz de la suma de los cuadrados de todos los números, los "
            "de los dos tensores juntos.",
            "Si esa norma no pasa de max_norm no se toca nada. Si pasa, los dos tensores se "
            "multiplican por el mismo número.",
            "norm = torch.sqrt(grad_w.square().sum() + grad_b.square().sum()), y el factor es "
            "max_norm / norm cuando norm > max_norm, y 1 si no.",
        ),
    ),
    Task(
        function="clip",
        cases=(
            Case("un gradiente grande", _gradients((3, 4), (3,), seed=0, scale=5.0)),
            Case("uno pequeño", _gradients((2, 3), (2,), seed=1, scale=0.05)),
            Case("un tope menor que 1", _gradients((4, 2), (4,), seed=2, limit=0.25)),
            Case("uno grande y otro diminuto", lambda: _uneven()),
            Case("un gradiente nulo", _gradients((2, 3), (2,), seed=6, scale=0.0)),
            Case("un tope amplio", _gradients((3, 3), (3,), seed=4, scale=2.0, limit=100.0)),
            Case(
                "números de 64 bits",
                _gradients((2, 2), (2,), seed=5, scale=9.0, dtype=torch.float64, limit=2.0),
            ),
            example(torch.tensor([[3.0, 0.0]]), torch.tensor([4.0]), 1.0),
        ),
        reference=_clipped_by_numbers,
        outputs=("grad_w", "grad_b"),
        mistakes=(
            Mistake(
                "cada-uno-por-su-lado",
                "has recortado cada tensor con su propia norma: así cambia la proporción entre "
                "ellos y el gradiente gira; la norma es la de los dos juntos",
                (_each,),
            ),
            Mistake(
                "numero-a-numero",
                "has recortado cada número por separado, y eso cambia la dirección: multiplica "
                "todo por el mismo factor",
                (
                    lambda w, b, limit: (w.clamp(-limit, limit), b.clamp(-limit, limit)),
                    lambda w, b, limit: (w.clamp(max=limit), b.clamp(max=limit)),
                ),
            ),
            Mistake(
                "siempre",
                "has llevado la norma al tope también cuando no lo pasaba: un gradiente pequeño se "
                "deja como está",
                (_scaled(lambda norm, limit: limit / norm),),
            ),
            Mistake(
                "nunca-agrandar-al-reves",
                "has tomado el factor mayor en lugar del menor: agrandas los pequeños y dejas los "
                "grandes como están",
                (_scaled(lambda norm, limit: max(1.0, limit / norm)),),
            ),
            Mistake(
                "sin-raiz",
                "te falta la raíz: la norma es la raíz de la suma de los cuadrados",
                (_scaled(lambda norm, limit: min(1.0, limit / norm**2)),),
            ),
            Mistake(
                "normaliza-a-uno",
                "has dejado la norma en 1, y se pide que mida `max_norm`",
                (
                    _scaled(lambda norm, limit: 1 / norm if norm > limit else 1.0),
                    _scaled(lambda norm, limit: 1 / norm),
                ),
            ),
            Mistake(
                "sin-recortar",
                "devuelves los gradientes tal como llegaron",
                (lambda w, b, limit: (w, b),),
            ),
        ),
        differentiable=False,
    ),
)


def _uneven():
    grad_w, grad_b = random_tensors((3, 3), (3,), seed=3)
    return 20 * grad_w, 0.01 * grad_b, 1.0
