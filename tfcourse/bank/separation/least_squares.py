"""Ejercicio de código: deducir cómo se juntan unos trozos que no están de acuerdo."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_pseudoinverse(chunks, window, hop, length):
    """Con la matriz que corta y pesa, y la solución más corta de sus mínimos cuadrados."""
    count, size, width = chunks.shape
    cut = torch.zeros(count * size, length, dtype=torch.float64)
    for n in range(count):
        for i in range(size):
            if n * hop + i < length:
                cut[n * size + i, n * hop + i] = window[i]
    said = chunks.double().reshape(count * size, width)
    return (torch.linalg.pinv(cut) @ said).to(chunks.dtype)


def _variant(
    inside=lambda w: w, outside=torch.square, epsilon=0.0, nan=False, divide=True, step=None
):
    """Suma de `inside(w) · trozo` entre la suma de `outside(w)`; así se fabrican los errores."""

    def join(chunks, window, hop, length):
        count, size, width = chunks.shape
        jump = step(size, hop) if step else hop
        reach = max(length, (count - 1) * jump + size)
        top, bottom = chunks.new_zeros(reach, width), chunks.new_zeros(reach, 1)
        for n, chunk in enumerate(chunks):
            place = slice(n * jump, n * jump + size)
            top[place] = top[place] + inside(window)[:, None] * chunk
            bottom[place] = bottom[place] + outside(window)[:, None]
        top, bottom = top[:length], bottom[:length]
        if not divide:
            return top
        if nan:
            return top / bottom
        if epsilon:
            return top / (bottom + epsilon)
        return torch.where(bottom > 0, top / bottom.masked_fill(bottom == 0, 1), 0.0)

    return join


def _hann(size, dtype=torch.float32):
    """La ventana de Hann periódica: empieza en 0."""
    return 0.5 - 0.5 * torch.cos(2 * torch.pi * torch.arange(size, dtype=dtype) / size)


def _case(count, size, width, hop, length, seed, window=None, dtype=torch.float32):
    def make():
        chunks, found = random_tensors((count, size, width), (size,), seed=seed, dtype=dtype)
        weights = window(size, dtype) if window else found.abs() + 0.2
        return chunks, weights, hop, length

    return make


LEAST_SQUARES = Exercise(
    Card(
        id="trozos-que-no-encajan",
        title="Juntar trozos que no encajan",
        kind="codigo",
        difficulty=2,
        minutes=22,
        points=3,
        objective="deducir por mínimos cuadrados cómo se juntan unos trozos con ventana",
        hints=(
            "Cada vector de la secuencia aparece en unos pocos términos de la suma y en ninguno "
            "más: el problema se parte en uno por lugar, una parábola en x[t].",
            "Deriva Σ (y − w · x)² respecto a x e iguala a cero. Cada trozo entra multiplicado por "
            "la ventana, y se divide entre la suma de sus cuadrados, no entre la suma.",
            "Recorre los trozos y acumula, en el hueco que va de n · hop a n · hop + C, las dos "
            "sumas. Donde la de los cuadrados es cero, cualquier x da lo mismo: pon cero, sin "
            "dividir.",
        ),
    ),
    Task(
        function="join_chunks",
        cases=(
            Case("ventana cualquiera, la mitad de solape", _case(4, 4, 2, 2, 10, 0)),
            Case("ventana de Hann", _case(6, 8, 3, 2, 18, 1, window=_hann)),
            Case("un salto que no divide al trozo", _case(5, 5, 1, 3, 17, 2)),
            Case("con huecos entre los trozos", _case(3, 2, 2, 4, 11, 3)),
            Case("se recorta el final", _case(4, 6, 2, 3, 11, 4)),
            Case("un solo trozo", _case(1, 5, 3, 2, 5, 5)),
            Case(
                "una ventana muy pequeña",
                _case(4, 4, 2, 2, 10, 6, window=lambda n, t: 1e-3 * _hann(n + 2, t)[1:-1]),
            ),
            Case("64 bits", _case(5, 4, 2, 1, 8, 7, dtype=torch.float64)),
            example(torch.tensor([[[0.0], [4.0]], [[1.0], [5.0]]]), torch.tensor([0.0, 2.0]), 1, 4),
        ),
        reference=_by_pseudoinverse,
        mistakes=(
            Mistake(
                "media",
                "has promediado los trozos como si no llevaran ventana: cada uno trae la secuencia "
                "multiplicada por ella",
                (_variant(lambda w: torch.ones_like(w), lambda w: torch.ones_like(w)),),
            ),
            Mistake(
                "entre-la-suma",
                "has sumado los trozos y dividido entre la suma de las ventanas: con trozos que "
                "encajan da lo mismo, pero no es el mínimo",
                (
                    _variant(lambda w: torch.ones_like(w), lambda w: w),
                    _variant(lambda w: torch.ones_like(w), lambda w: w, nan=True),
                ),
            ),
            Mistake(
                "dos-ventanas-entre-una",
                "has multiplicado otra vez por la ventana y dividido entre su suma: se divide "
                "entre la suma de los cuadrados",
                (_variant(outside=lambda w: w), _variant(outside=lambda w: w, nan=True)),
            ),
            Mistake(
                "sin-dividir",
                "has sumado los trozos por la ventana y falta dividir entre la suma de los "
                "cuadrados de las ventanas",
                (_variant(divide=False),),
            ),
            Mistake(
                "cada-uno-por-su-lado",
                "has deshecho la ventana de cada trozo y promediado: donde la ventana es pequeña, "
                "eso agranda el error de ese trozo y le da el mismo voto",
                (
                    _variant(lambda w: 1 / w, lambda w: torch.ones_like(w)),
                    _variant(lambda w: torch.where(w > 0, 1 / w, 0.0), lambda w: (w > 0).to(w)),
                ),
            ),
            Mistake(
                "cero-entre-cero",
                "donde ninguna ventana llega te sale NaN: ahí se pone un cero",
                (_variant(nan=True),),
            ),
            Mistake(
                "con-un-epsilon",
                "has sumado un número pequeño al dividir: con ventanas pequeñas ya no es pequeño; "
                "divide solo donde la suma no es cero",
                tuple(_variant(epsilon=e) for e in (1e-3, 1e-5, 1e-6, 1e-7, 1e-8)),
            ),
            Mistake(
                "medio-trozo",
                "has supuesto que se avanza medio trozo o un trozo: se avanza `hop`",
                (
                    _variant(step=lambda size, hop: size // 2),
                    _variant(step=lambda size, hop: size),
                ),
            ),
        ),
        tolerance=1e-5,
    ),
)
