"""Ejercicio abierto: repartir los puntos, y cuánta confianza pedir."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(scores, classes, masks, threshold):
    """Punto a punto: de quien más seguro está de él, si lo está de verdad."""
    owner = torch.zeros(masks.shape[1:], dtype=torch.long)
    for y in range(masks.shape[1]):
        for x in range(masks.shape[2]):
            heard = [i for i in range(len(scores)) if scores[i] > threshold]
            if not heard:
                continue
            best = max(heard, key=lambda i: float(scores[i] * masks[i, y, x]))
            if masks[best, y, x] > 0.5 and classes[best] > 0:
                owner[y, x] = best + 1
    return owner


def _variant(
    weighted=True, listen=True, sure=True, things=True, first=1, background_out=False, early=False,
    reaching=False,
):  # fmt: skip
    def share(scores, classes, masks, threshold):
        least = threshold if listen else -1
        heard = (scores >= least) if reaching else (scores > least)
        if background_out:
            heard = heard & (classes > 0)
        if early:
            masks = masks * (masks > 0.5)
        claims = masks * (scores if weighted else torch.ones_like(scores))[:, None, None]
        claims = claims * heard[:, None, None]
        best = claims.argmax(0)
        own = masks.gather(0, best[None])[0] > (0.5 if sure else -1)
        own = own | (reaching & (masks.gather(0, best[None])[0] == 0.5))
        good = own & heard[best]
        if things:
            good = good & (classes[best] > 0)
        return torch.where(good, best + first, torch.zeros_like(best))

    return share


def _case(n, size, seed, threshold, quiet=False):
    def make():
        g = seeded(seed)
        scores = 0.05 + 0.9 * torch.rand(n, generator=g)
        if quiet:
            scores = scores * 0.2
        classes = torch.randint(3, (n,), generator=g)
        classes[0], classes[1] = 0, 1
        return scores, classes, torch.rand(n, size, size, generator=g), threshold

    return make


def _contested():
    """El fondo le gana un punto a una cosa, y una consulta callada ganaría otro."""
    masks = [[[0.8, 0.1], [0.2, 0.6]], [[0.9, 0.1], [0.9, 0.2]], [[0.1, 1.0], [0.6, 0.3]]]
    return torch.tensor([0.9, 0.6, 0.2]), torch.tensor([0, 1, 2]), torch.tensor(masks), 0.3


def _unsure_winner():
    """Gana cada punto quien no está segura de él, aunque otra lo esté."""
    masks = [[[0.45, 0.48], [0.9, 0.1]], [[0.6, 0.65], [0.2, 0.8]]]
    return torch.tensor([0.9, 0.6]), torch.tensor([1, 2]), torch.tensor(masks), 0.3


def _on_the_edge():
    """Una confianza igual al umbral y una máscara de 0,5: ninguna de las dos pasa."""
    masks = [[[0.75, 0.5], [0.25, 0.75]], [[0.25, 0.25], [0.875, 0.125]]]
    return torch.tensor([0.75, 0.5]), torch.tensor([1, 2]), torch.tensor(masks), 0.5


SHARING = Exercise(
    Card(
        id="repartir-los-puntos",
        title="¿Cuánta confianza hay que pedir?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="pasar de máscaras que se pisan a una respuesta panóptica, y medir el umbral",
        hints=(
            "Quita primero las consultas que no pasan del umbral: no opinan en ningún punto.",
            "En cada punto gana la de más confianza por máscara: `scores[:, None, None] * masks`.",
            "La ganadora se lo lleva si su máscara ahí pasa de 0,5 y no es fondo.",
        ),
    ),
    Task(
        function="share_points",
        cases=(
            Case("cuatro consultas", _case(4, 4, 0, 0.3)),
            Case("seis consultas", _case(6, 5, 1, 0.5)),
            Case("se escucha a todas", _case(5, 4, 2, 0.0)),
            Case("no se escucha a ninguna", _case(3, 3, 3, 0.5, quiet=True)),
            Case("umbral alto", _case(8, 4, 4, 0.6)),
            Case("puntos disputados", _contested),
            Case("gana quien no está segura", _unsure_winner),
            Case("justo en el umbral", _on_the_edge),
            example(torch.tensor([0.9]), torch.tensor([1]), torch.tensor([[[0.8, 0.3]]]), 0.5),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-confianza",
                "has comparado solo las máscaras: la confianza de la consulta también multiplica",
                (_variant(weighted=False),),
            ),
            Mistake(
                "se-escucha-a-todas",
                "has dejado opinar a las consultas que no pasan del umbral",
                (_variant(listen=False),),
            ),
            Mistake(
                "sin-mirar-la-mascara",
                "la que gana un punto puede no estar segura de él: su máscara debe pasar de 0,5",
                (_variant(sure=False),),
            ),
            Mistake(
                "fondo-como-objeto",
                "has dado un número al fondo: sus puntos valen 0",
                (_variant(things=False),),
            ),
            Mistake(
                "desde-cero",
                "has numerado desde 0: el primer objeto es el 1, y el 0 se queda para el fondo",
                (_variant(first=0),),
            ),
            Mistake(
                "el-fondo-no-opina",
                "has quitado el fondo antes de comparar: también reclama sus puntos, y los gana",
                (_variant(background_out=True),),
            ),
            Mistake(
                "antes-de-comparar",
                "has quitado las máscaras que no pasan de 0,5 antes de comparar: se compara todo, "
                "y a quien gana se le exige después",
                (_variant(early=True),),
            ),
            Mistake(
                "justo-en-el-umbral",
                "has contado lo que llega justo al umbral, o a 0,5: tiene que pasar",
                (_variant(reaching=True),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
