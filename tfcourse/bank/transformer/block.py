"""Ejercicio de código: un bloque del codificador con sus residuos."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _mixes(x):
    """Hace de atención: mezcla posiciones."""
    return 0.5 * x.mean(dim=1, keepdim=True) + 0.1 * x


def _transforms(x):
    """Hace de red por posición."""
    return torch.tanh(2 * x) - 0.3


def _halves(x):
    return x / (1 + x.abs().mean(dim=-1, keepdim=True))


def _squares(x):
    return x - 0.2 * x.square()


def _post(x, attention, feed_forward, norm_1, norm_2):
    mixed = norm_1(x + attention(x))
    return norm_2(mixed + feed_forward(mixed))


def _case(*shape, seed):
    def make():
        (x,) = random_tensors(shape, seed=seed)
        return x, _mixes, _transforms, _halves, _squares

    return make


def _pre(x, attention, feed_forward, norm_1, norm_2):
    mixed = x + attention(norm_1(x))
    return mixed + feed_forward(norm_2(mixed))


def _without_residuals(x, attention, feed_forward, norm_1, norm_2):
    return norm_2(feed_forward(norm_1(attention(x))))


def _old_residual(x, attention, feed_forward, norm_1, norm_2):
    return norm_2(x + feed_forward(norm_1(x + attention(x))))


def _without_second(x, attention, feed_forward, norm_1, norm_2):
    return norm_2(feed_forward(norm_1(x + attention(x))))


def _inside(x, attention, feed_forward, norm_1, norm_2):
    mixed = x + norm_1(attention(x))
    return mixed + norm_2(feed_forward(mixed))


def _swapped(x, attention, feed_forward, norm_1, norm_2):
    return _post(x, attention, feed_forward, norm_2, norm_1)


BLOCK = Exercise(
    Card(
        id="bloque-post-ln",
        title="Un bloque, con sus residuos",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="encadenar subcapas sin perder ni cambiar de sitio una conexión residual",
        hints=(
            "Son dos subcapas y cada una lleva lo suyo: subcapa, suma y normalización, por ese "
            "orden.",
            "Lo que entra en la segunda subcapa es lo que salió de la primera normalización, y es "
            "también lo que suma su residuo.",
            "mixed = norm_1(x + attention(x)); después, lo mismo con `mixed`, la red y `norm_2`.",
        ),
    ),
    Task(
        function="encoder_block",
        cases=(
            Case("2 frases de 3 tokens", _case(2, 3, 4, seed=0)),
            Case("una sola frase", _case(1, 5, 6, seed=1)),
            Case("un solo token", _case(3, 1, 2, seed=2)),
        ),
        reference=_post,
        mistakes=(
            Mistake(
                "pre-ln",
                "has escrito Pre-LN, con la normalización delante de la subcapa: el artículo la "
                "pone detrás de la suma",
                (_pre,),
            ),
            Mistake(
                "sin-residuos",
                "te faltan las conexiones residuales: a lo que devuelve cada subcapa se le suma lo "
                "que entró",
                (_without_residuals,),
            ),
            Mistake(
                "residuo-viejo",
                "el segundo residuo suma la entrada del bloque: debe sumar lo que entró en la "
                "segunda subcapa, ya normalizado",
                (_old_residual,),
            ),
            Mistake(
                "falta-el-segundo",
                "la primera subcapa lleva su residuo, pero a la segunda le falta",
                (_without_second,),
            ),
            Mistake(
                "norma-antes-de-sumar",
                "has normalizado lo que devuelve la subcapa antes de sumar: se normaliza la suma",
                (_inside,),
            ),
            Mistake(
                "normas-cambiadas",
                "has cambiado de sitio las dos normalizaciones: `norm_1` va tras la atención",
                (_swapped,),
            ),
        ),
        differentiable=False,
    ),
)
