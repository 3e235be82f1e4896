"""Ejercicio de código: deducir hacia dónde empuja la pérdida contrastiva."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_autograd(predicted, true, others, kappa):
    """La derivada de la pérdida, con la marcha atrás de PyTorch y en 64 bits."""
    with torch.enable_grad():
        c = predicted.detach().double().requires_grad_()
        candidates = torch.cat([true[:, None], others], dim=1).double()
        scores = torch.nn.functional.cosine_similarity(c[:, None], candidates, dim=-1) / kappa
        loss = torch.nn.functional.cross_entropy(scores, torch.zeros(len(c), dtype=torch.long))
        return torch.autograd.grad(loss, c)[0].to(predicted.dtype)


def _push(project=True, unit=True, size=True, cold=True, right=True, sign=1, mean=True, hot=False):
    """El gradiente con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(predicted, true, others, kappa):
        length = predicted.norm(dim=-1, keepdim=True)
        c = predicted / length
        candidates = torch.cat([true[:, None], others], dim=1)
        q = candidates / candidates.norm(dim=-1, keepdim=True)
        cosines = (q * c[:, None]).sum(-1)
        error = (cosines / kappa).softmax(-1)
        error = error - torch.eye(error.shape[1], dtype=error.dtype)[0] * right
        kept = q if unit else candidates
        if project:
            kept = kept - cosines[..., None] * c[:, None]
        found = (error[..., None] * kept).sum(1)
        found = sign * found / (length if size else 1.0)
        found = found * kappa if hot else found / kappa if cold else found
        return found / len(predicted) if mean else found

    return gradient


def _case(n, d, k, kappa, seed=0, scale=1.0, dtype=torch.float32):
    def make():
        generator = seeded(seed)
        sizes = ((n, d), (n, d), (n, k, d))
        made = [torch.randn(size, generator=generator, dtype=dtype) for size in sizes]
        return scale * made[0], *made[1:], kappa

    return make


CONTRAST = Exercise(
    Card(
        id="hacia-donde-empuja-el-contraste",
        title="Hacia dónde empuja el contraste",
        kind="codigo",
        difficulty=3,
        minutes=28,
        points=4,
        objective="deducir el gradiente de la pérdida contrastiva a través de un coseno",
        hints=(
            "Primero, respecto a los puntajes: es una entropía cruzada, así que sale p menos un "
            "uno en la verdadera. Cada puntaje es un coseno entre κ.",
            "cos(c, q) = ĉ · q̂, con los dos de longitud 1. Al derivar ĉ = c / |c| respecto a c "
            "queda la parte perpendicular a c, entre |c|: (q̂ − cos(c, q) ĉ) / |c|.",
            "Suma en los candidatos (p_k − 1[k = 0]) (q̂_k − cos_k ĉ) y divide entre κ, entre |c| "
            "y entre N. Comprueba que el resultado es perpendicular a c.",
        ),
    ),
    Task(
        function="contrast_gradient",
        cases=(
            Case("un distractor", _case(1, 3, 1, 0.5)),
            Case("varios", _case(4, 5, 6, 0.3, seed=1)),
            Case("temperatura baja", _case(3, 4, 5, 0.1, seed=2)),
            Case("temperatura alta", _case(5, 6, 3, 2.0, seed=3)),
            Case("predicciones largas", _case(3, 4, 2, 0.2, seed=4, scale=30.0)),
            Case("todos los ejes iguales", _case(4, 4, 4, 0.7, seed=5)),
            Case("64 bits", _case(2, 5, 3, 0.02, seed=6, dtype=torch.float64)),
            Case("sin autograd", _case(3, 4, 3, 0.4, seed=7), Rules(banned=("autograd",))),
            example(
                torch.tensor([[2.0, 0.0]]),
                torch.tensor([[0.0, 3.0]]),
                torch.tensor([[[0.0, -5.0]]]),
                0.5,
            ),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "sin-proyectar",
                "falta quitar la parte que va en la dirección de c: alargar c no cambia ningún "
                "coseno",
                (_push(project=False),),
            ),
            Mistake(
                "sin-la-longitud",
                "falta dividir entre la longitud de c: cuanto más larga, menos la gira un paso",
                (_push(size=False),),
            ),
            Mistake(
                "sin-normalizar-candidatos",
                "los candidatos entran con longitud 1: de cada uno solo cuenta la dirección",
                (_push(unit=False),),
            ),
            Mistake(
                "sin-kappa",
                "falta dividir entre κ al derivar: los puntajes son cosenos entre κ",
                (_push(cold=False), _push(hot=True)),
            ),
            Mistake(
                "sin-la-verdadera",
                "falta restar el uno de la verdadera: así se empuja lejos de todas",
                (_push(right=False),),
            ),
            Mistake(
                "signo",
                "el signo está al revés: un paso contra el gradiente tiene que acercar c a la "
                "verdadera",
                (_push(sign=-1),),
            ),
            Mistake(
                "suma",
                "has sumado las posiciones: la pérdida es su media",
                (_push(mean=False),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
