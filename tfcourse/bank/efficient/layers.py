"""Ejercicio para comprender: hasta dónde llega cada núcleo."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

# La distancia también la dice el hueco que se reparte: no se sortea.
DISTANCE = 300


@dataclass(frozen=True)
class _Kernels:
    """Los núcleos por los que se pregunta, y la distancia del ejemplo del enunciado."""

    reach: int
    dilation: int
    stride: int
    example: int

    def layers(self, distance: int) -> tuple[int, ...]:
        """Las capas que necesita cada uno; la dilatación divide a la distancia."""
        one_jump = distance <= self.stride or distance % self.stride == 0
        return (
            math.ceil(distance / self.reach),
            math.ceil(distance / (self.reach * self.dilation)),
            1 if one_jump else 2,
            min(math.ceil(distance / self.reach), 2),
        )

    def answer(self, **wrong):
        """Las capas de cada núcleo; las que se den, equivocadas."""
        names = ("ventana", "dilatada", "saltos", "longformer")
        values = dict(zip(names, self.layers(DISTANCE), strict=True)) | wrong
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen; el ejemplo es el último."""
        *first, last = self.layers(self.example)
        return (
            f"`ventana`: ventana de {self.reach} a cada lado",
            f"ventana de {self.reach} pasos a cada lado, con dilatación {self.dilation}",
            f"patrón a saltos con $s = {self.stride}$",
            f"`longformer`: ventana de {self.reach} y una posición global",
            f"a {self.example} de distancia serían {', '.join(map(str, first))} y {last}",
        )

    def dilated_hint(self) -> str:
        return (
            f"Con dilatación {self.dilation}, una capa de {self.reach} pasos avanza "
            f"{self.reach * self.dilation} posiciones."
        )


KERNELS = _Kernels(reach=32, dilation=4, stride=64, example=100)

LAYERS_CARD = Card(
    id="capas-para-llegar",
    title="¿Cuántas capas hasta el otro extremo?",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="saber cuánto viaja la información en cada capa",
    hints=(
        "En cada capa, una posición solo recibe de las que mira. Piensa en una cadena: quién "
        "se lo cuenta a quién.",
        KERNELS.dilated_hint(),
        "Una posición global mira a todas y todas la miran: sirve de intermediaria.",
    ),
)


def _layers_mistakes(kernels: _Kernels) -> tuple[Mistake, ...]:
    answer, stride = kernels.answer, kernels.stride
    plain = DISTANCE // kernels.reach
    dilated = DISTANCE // (kernels.reach * kernels.dilation)
    return (
        Mistake(
            "redondeo-abajo",
            "has redondeado hacia abajo: con una capa de menos, el mensaje se queda a medio camino",
            (
                answer(ventana=plain),
                answer(dilatada=dilated),
                answer(ventana=plain, dilatada=dilated),
            ),
        ),
        Mistake(
            "una-capa-basta",
            f"una sola capa solo alcanza lo que mira: a {DISTANCE} posiciones hace falta que "
            "alguien haga de intermediario",
            (answer(saltos=1), answer(longformer=1), answer(saltos=1, longformer=1)),
        ),
        Mistake(
            "global-como-ventana",
            "has contado Longformer como si solo tuviera ventana: el mensaje puede pasar por la "
            "posición global",
            (answer(longformer=plain + 1), answer(longformer=plain)),
        ),
        Mistake(
            "saltos-de-uno-en-uno",
            f"has contado los saltos de {stride} de uno en uno, y una capa ve *todas* las "
            f"posiciones a un múltiplo de {stride}, también las lejanas",
            (answer(saltos=DISTANCE // stride + 1), answer(saltos=DISTANCE // stride)),
        ),
        Mistake(
            "dilatada-sin-dilatar",
            "has contado la dilatada como una ventana normal: cada paso avanza "
            f"{kernels.dilation} posiciones",
            (answer(dilatada=plain + 1), answer(dilatada=plain)),
        ),
    )


def _layers_task(kernels: _Kernels) -> Task:
    return Task(
        function="layers_needed",
        cases=(Case("las dos posiciones del enunciado", lambda: ()),),
        reference=kernels.answer(),
        mistakes=_layers_mistakes(kernels),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_layers(random: Random) -> Variant:
    """Otros alcances. Ni ellos ni los saltos dividen a la distancia, para que haya que redondear.

    Tampoco la ventana llega en tantas capas como la publicada: la respuesta es otra.
    """
    kernels = _Kernels(
        reach=random.choice((22, 24, 26, 28, 35, 36, 40, 42, 45, 48)),
        dilation=random.choice((2, 3, 4, 5, 6)),
        stride=random.choice((45, 48, 64, 70, 80, 90)),
        example=120,  # la dividen todas las dilataciones
    )
    first, _, last = LAYERS_CARD.hints
    card = replace(LAYERS_CARD, hints=(first, kernels.dilated_hint(), last))
    changes = tuple(zip(KERNELS.described(), kernels.described(), strict=True))
    return Variant(Exercise(card, _layers_task(kernels)), changes)


LAYERS_NEEDED = Exercise(LAYERS_CARD, _layers_task(KERNELS), _draw_layers)
