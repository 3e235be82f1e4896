"""Ejercicio abierto: de qué tokens depende cada respuesta, y cuánto."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(base, changed, least):
    length = len(base)
    depends = torch.zeros(length, length, dtype=torch.bool)
    for t in range(length):
        for s in range(length):
            depends[t, s] = max(abs(float(x)) for x in changed[s, t] - base[t]) > least
    return depends


def _turned(base, changed, least):
    return (changed - base).abs().amax(-1) > least


def _without_sign(base, changed, least):
    return ((changed - base).amax(-1) > least).T


def _cancelling(base, changed, least):
    return ((changed - base).sum(-1).abs() > least).T


def _unchanged(base, changed, least):
    return ((changed - base).abs().amax(-1) <= least).T


def _without_base(base, changed, least):
    return (changed.abs().amax(-1) > least).T


def _anything(base, changed, least):
    return ((changed - base).abs().amax(-1) > 0).T


def _everything(base, changed, least):
    return ((changed - base).abs() > least).all(-1).T


def _added(join):
    return lambda base, changed, least: (join((changed - base).abs()) > least).T


def _at_least(base, changed, least):
    return ((changed - base).abs().amax(-1) >= least).T


def _each_in_its_way(length, seed):
    """Unos se mueven en un solo número, y otros, en todos pero sin llegar a `least`."""

    def make():
        g = seeded(seed)
        base = torch.randn(length, 4, generator=g)
        alone = torch.rand(length, length, generator=g) < 0.5
        alone[0] = torch.arange(length) > 0
        far = 1.5 + 4.5 * torch.randint(2, (length, length, 1), generator=g)
        far[0, 1] = 6.0  # tan lejos que también la media pasa de `least`
        place = torch.randint(4, (length, length, 1), generator=g)
        only = torch.zeros(length, length, 4).scatter_(-1, place, far)
        change = torch.where(alone[..., None], only, torch.full_like(only, 0.6))
        sign = torch.randint(2, change.shape, generator=g) * 2 - 1
        return base, base + sign * change, 1.0

    return make


def _just_at_the_bar():
    changed = torch.zeros(2, 2, 2)
    changed[0, 1, 0], changed[1, 0, 1] = -0.5, 0.75
    return torch.zeros(2, 2), changed, 0.5


def _case(length, width, seed, share=0.5):
    def make():
        g = seeded(seed)
        base = torch.randn(length, width, generator=g)
        base[1] = 0.0  # lo que sale puede ser cero sin que nadie lo mueva
        moved = torch.rand(length, length, generator=g) < share
        moved[0] = torch.arange(length) > 0  # que no sea simétrica
        moved[:, 0] = False
        change = torch.randn(length, length, width, generator=g)
        # Sube uno lo que baja otro: sumar sin valor absoluto no lo ve.
        change = change - change.mean(-1, keepdim=True)
        noise = 1e-6 * torch.randn(length, length, width, generator=g)
        falls = -change.abs() if seed % 2 else change
        return base, base + torch.where(moved[..., None], falls, noise), 1e-3

    return make


DEPENDENCE = Exercise(
    Card(
        id="de-quien-depende",
        title="De quién depende, y cuánto",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir de qué tokens depende cada respuesta de un modelo, y cuánto",
        hints=(
            "Resta a `changed` las respuestas de antes, `base`: se extiende sola sobre el primer "
            "eje.",
            "Un vector ha cambiado si cambia alguno de sus números: el mayor, en valor absoluto.",
            "`changed` va primero por el token que se toca; en el resultado, ese va en las "
            "columnas.",
        ),
    ),
    Task(
        function="depends",
        cases=(
            Case("tres tokens", _case(3, 2, 0)),
            Case("cinco tokens, y todo lo que cambia baja", _case(5, 4, 1)),
            Case("cuatro tokens", _case(4, 3, 2, share=0.2)),
            Case("casi nada cambia", _case(6, 2, 3, share=0.1)),
            Case("se mueve un solo número, o todos un poco", _each_in_its_way(5, 4)),
            Case("justo lo que se pide", _just_at_the_bar),
            example(
                torch.tensor([[0.0], [0.0]]), torch.tensor([[[0.0], [3.0]], [[0.0], [1.0]]]), 0.5
            ),
        ),
        reference=_by_loops,
        differentiable=False,
        mistakes=(
            Mistake(
                "traspuesta",
                "está traspuesta: en las filas va quien contesta y en las columnas, el token que "
                "se toca",
                (_turned,),
            ),
            Mistake(
                "sin-valor-absoluto",
                "un número que baja también ha cambiado: toma el valor absoluto antes de buscar "
                "el mayor",
                (_without_sign,),
            ),
            Mistake(
                "se-anulan",
                "has sumado los cambios, y los que suben se anulan con los que bajan: busca el "
                "mayor en valor absoluto",
                (_cancelling,),
            ),
            Mistake(
                "al-reves",
                "has marcado los que no cambian: `True` es que sí depende",
                (_unchanged,),
            ),
            Mistake(
                "sin-restar",
                "eso es lo que salió, no lo que cambió: falta restar `base`",
                (_without_base,),
            ),
            Mistake(
                "sin-umbral",
                "has contado los cambios del redondeo: solo valen los mayores que `least`",
                (_anything,),
            ),
            Mistake(
                "todos-a-la-vez",
                "has pedido que se muevan todos sus números: basta con que se mueva uno",
                (_everything,),
            ),
            Mistake(
                "junta-los-cambios",
                "has juntado los cambios de sus números en una suma, una media o una norma: se "
                "mira si alguno, por sí solo, pasa de `least`",
                (
                    _added(lambda change: change.sum(-1)),
                    _added(lambda change: change.mean(-1)),
                    _added(lambda change: change.norm(dim=-1)),
                ),
            ),
            Mistake(
                "justo-en-el-umbral",
                "lo que se mueve justo `least` no cuenta: tiene que ser más",
                (_at_least,),
            ),
        ),
    ),
)
