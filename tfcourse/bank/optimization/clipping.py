"""Ejercicio abierto: si basta con recortar, y una función que dice cuánto se recortó."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _step_by_step(norms, max_norm):
    clipped, total = 0, 0.0
    for norm in norms:
        if norm > max_norm:
            clipped += 1
            total += max_norm / norm
        else:
            total += 1.0
    return clipped / len(norms), total / len(norms)


def _variant(share=lambda n, m: n > m, factor=lambda n, m: min(1.0, m / n), only_clipped=False):
    def report(norms, max_norm):
        kept = [n for n in norms if n > max_norm] if only_clipped else norms
        factors = [factor(n, max_norm) for n in kept]
        mean = sum(factors) / len(factors) if factors else 1.0
        return sum(share(n, max_norm) for n in norms) / len(norms), mean

    return report


def _case(norms, max_norm):
    return lambda: (list(norms), max_norm)


def _random_case(n_steps, seed):
    """Unos pasos se recortan y otros no; ninguna norma cae justo en el límite."""

    def make():
        random = chance(seed)
        max_norm, clipped = random.randint(5, 20) / 10, random.randint(2, n_steps - 2)
        shares = [random.uniform(1.2, 5.0) for _ in range(clipped)]
        shares += [random.uniform(0.2, 0.9) for _ in range(n_steps - clipped)]
        random.shuffle(shares)
        return [round(share * max_norm, 2) for share in shares], max_norm

    return make


CLIPPING = Exercise(
    Card(
        id="basta-con-recortar",
        title="¿Basta con recortar?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="decidir con un experimento si el recorte sustituye al calentamiento",
        hints=(
            "Para la función: el factor de un paso es max_norm / norma si se recorta, y 1 si no.",
            "La media del factor cuenta todos los pasos, también los que no se recortan.",
            "Para el experimento: `train` acepta `clip_norm`; cambia solo eso, con varias "
            "semillas, y compara con la carrera sin recorte y con la calentada.",
        ),
    ),
    Task(
        function="clipping_report",
        cases=(
            Case("dos de cuatro", _case((0.5, 2.0, 1.0, 4.0), 1.0)),
            Case("ninguno", _case((0.1, 0.2), 1.0)),
            Case("todos", _case((3.0, 6.0, 12.0), 1.5)),
            Case("un solo paso", _case((2.5,), 2.0)),
            Case("nueve pasos al azar", _random_case(9, seed=0)),
            example([0.5, 2.0], 1.0),
        ),
        reference=_step_by_step,
        outputs=("fracción recortada", "factor medio"),
        mistakes=(
            Mistake(
                "sin-tope",
                "has multiplicado también los gradientes pequeños: si la norma no llega a "
                "max_norm no se toca, y el factor es 1",
                (_variant(factor=lambda n, m: m / n),),
            ),
            Mistake(
                "al-reves",
                "el factor es max_norm entre la norma: recortar encoge",
                (
                    _variant(factor=lambda n, m: max(1.0, n / m)),
                    _variant(factor=lambda n, m: n / m),
                ),
            ),
            Mistake(
                "solo-los-recortados",
                "la media del factor es sobre todos los pasos: los que no se recortan cuentan "
                "como 1",
                (_variant(only_clipped=True),),
            ),
            Mistake(
                "los-que-no",
                "has contado los pasos que no se recortan",
                (_variant(share=lambda n, m: n <= m), _variant(share=lambda n, m: n < m)),
            ),
        ),
        differentiable=False,
    ),
)
