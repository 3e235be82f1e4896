"""Ejercicio de código: deducir qué empuja a cada vector en word2vec."""

import torch

from tfcourse.exercises.data import random_case, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_autograd(centre, context, negatives):
    """Las derivadas de la pérdida, con la marcha atrás de PyTorch y en 64 bits."""
    with torch.enable_grad():
        v, u, n = (x.detach().double().requires_grad_() for x in (centre, context, negatives))
        squash = torch.nn.functional.logsigmoid
        positive, negative = squash((u * v).sum(-1)), squash(-(n * v[:, None]).sum(-1))
        loss = -(positive + negative.sum(-1)).mean()
        found = torch.autograd.grad(loss, (v, u, n))
    return tuple(x.to(centre.dtype) for x in found)


def _pushes(
    hit=lambda s: torch.sigmoid(s) - 1,
    miss=torch.sigmoid,
    share=lambda batch, k: batch,
    from_negatives=True,
    own=False,
    sign=1,
    average=False,
):
    """Las derivadas con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradients(centre, context, negatives):
        divisor = sign * share(*negatives.shape[:2])
        gap = hit((centre * context).sum(-1))[:, None] / divisor  # (B, 1)
        gaps = miss((negatives * centre[:, None]).sum(-1))[..., None] / divisor  # (B, K, 1)
        from_others = gaps * negatives
        pulled = from_others.mean(1) if average else from_others.sum(1)
        toward_centre = gap * context + (pulled if from_negatives else 0)
        if own:
            return gap * centre + gaps.sum(1) * centre, gap * context, gaps * negatives
        return toward_centre, gap * centre, gaps * centre[:, None]

    return gradients


def _unstable(centre, context, negatives):
    """La sigmoide como e^x entre 1 + e^x: con números grandes, infinito entre infinito."""

    def squash(x):
        return x.exp() / (1 + x.exp())

    return _pushes(lambda s: squash(s) - 1, squash)(centre, context, negatives)


def _case(batch, k, d, seed, dtype=torch.float32):
    return random_case((batch, d), (batch, d), (batch, k, d), seed=seed, dtype=dtype)


def _large():
    """Puntajes de cientos, de los dos signos."""
    shapes = (3, 4), (3, 4), (3, 2, 4)
    return tuple(15 * x for x in random_tensors(*shapes, seed=6, dtype=torch.float32))


def _saturated():
    """Un par con puntaje 900 y otro con −900."""
    centre, context = torch.full((2, 1), 30.0), torch.tensor([[30.0], [-30.0]])
    return centre, context, torch.tensor([[[30.0]], [[-30.0]]])


WORD_GRADIENTS = Exercise(
    Card(
        id="lo-que-empuja-a-cada-vector",
        title="Lo que empuja a cada vector",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="deducir las derivadas de la pérdida de word2vec y decir qué hace cada paso",
        hints=(
            "Empieza por un número: la derivada de −log σ(s) respecto a s. Usa que "
            "σ'(s) = σ(s) (1 − σ(s)) y que 1 − σ(s) = σ(−s).",
            "Cada puntaje es un producto escalar: su derivada respecto a un vector es el otro. El "
            "de la vecina lleva σ(s) − 1, y el de cada negativa, σ(s): lo que dice el modelo menos "
            "lo que debería decir, 1 o 0.",
            "Al centro le llega la suma de todos; a la vecina y a cada negativa, solo lo suyo. La "
            "pérdida es la media del lote: todo se divide entre B.",
        ),
    ),
    Task(
        function="sgns_gradients",
        cases=(
            Case("un lote de 4 pares con 3 negativas", _case(4, 3, 5, seed=0)),
            Case("tantas negativas como pares", _case(3, 3, 3, seed=1)),
            Case("un solo par", _case(1, 5, 6, seed=2)),
            Case("una sola negativa", _case(5, 1, 3, seed=3)),
            Case("64 bits", _case(2, 4, 3, seed=4, dtype=torch.float64)),
            Case("puntajes de cientos", _large),
            Case("puntajes de 900 y de −900", _saturated),
            Case(
                "40 pares, sin bucles y sin autograd",
                _case(40, 2, 2, seed=5),
                Rules(banned=("autograd",), operations=60),
            ),
            example(*map(torch.tensor, ([[1.0, 0.0]], [[0.0, 2.0]], [[[0.0, 4.0]]]))),
        ),
        reference=_by_autograd,
        outputs=("el del centro", "el de la vecina", "el de las negativas"),
        mistakes=(
            Mistake(
                "signo",
                "el signo está al revés: así los pasos harían subir la pérdida",
                (_pushes(sign=-1),),
            ),
            Mistake(
                "sin-dividir",
                "falta dividir entre el número de pares: la pérdida es la media del lote",
                (_pushes(share=lambda batch, k: 1),),
            ),
            Mistake(
                "entre-todas",
                "has dividido también entre las negativas: en la pérdida se suman",
                (
                    _pushes(share=lambda batch, k: batch * k),
                    _pushes(share=lambda batch, k: batch * (1 + k)),
                    _pushes(average=True),
                ),
            ),
            Mistake(
                "la-vecina-como-una-negativa",
                "con la vecina se quiere que σ valga 1: su error es σ − 1, y has puesto σ",
                (_pushes(hit=torch.sigmoid), _pushes(hit=lambda s: -torch.sigmoid(s))),
            ),
            Mistake(
                "las-negativas-como-vecinas",
                "con las negativas se quiere que σ valga 0: su error es σ, y has puesto otra cosa",
                (
                    _pushes(miss=lambda s: torch.sigmoid(s) - 1),
                    _pushes(miss=lambda s: 1 - torch.sigmoid(s)),
                    _pushes(miss=lambda s: -torch.sigmoid(s)),
                ),
            ),
            Mistake(
                "derivada-de-la-sigmoide",
                "has derivado σ y no log σ: el logaritmo se lleva uno de los dos factores",
                (
                    _pushes(
                        lambda s: -torch.sigmoid(s) * torch.sigmoid(-s),
                        lambda s: torch.sigmoid(s) * torch.sigmoid(-s),
                    ),
                ),
            ),
            Mistake(
                "centro-sin-negativas",
                "al centro también lo empujan las negativas",
                (_pushes(from_negatives=False),),
            ),
            Mistake(
                "el-propio-vector",
                "la derivada de un producto escalar respecto a un vector es el otro, y has puesto "
                "el mismo",
                (_pushes(own=True),),
            ),
            Mistake(
                "desborda",
                "con puntajes grandes te sale NaN: `torch.sigmoid` no desborda, y e^x entre "
                "1 + e^x, sí",
                (_unstable,),
            ),
        ),
        differentiable=False,
    ),
)
