"""Ejercicio para comprender: cuántos bytes de caché ocupa un token."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Model:
    """Los tamaños del enunciado: capas, cabezas, grupos, latente y clave rotatoria."""

    layers: int
    heads: int
    d_head: int
    groups: int
    latent: int
    rotary: int

    def answer(self, *, factor=2, layers=None, number=2, gqa=None, latent=None):
        """Los bytes de cada uno; lo que se dé, equivocado."""
        layers = self.layers if layers is None else layers
        kept = {
            "mha": factor * self.heads * self.d_head,
            "gqa": factor * (self.groups if gqa is None else gqa) * self.d_head,
            "mqa": factor * self.d_head,
            "mla": self.latent + self.rotary if latent is None else latent,
        }
        values = {name: number * layers * numbers for name, numbers in kept.items()}
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"Un modelo tiene **{self.layers}** capas de {self.heads} cabezas de {self.d_head}",
            f"con {self.groups} juegos de claves y valores",
            f"con un latente de {self.latent} números y una clave rotatoria de {self.rotary}",
        )

    def hints(self) -> tuple[str, ...]:
        return (
            "De cada token se guardan, en cada capa, claves **y** valores. Cada número de 16 bits "
            "son 2 bytes.",
            f"Con MHA, cada capa guarda 2 · {self.heads} · {self.d_head} números por token; con "
            "los otros dos cambia cuántos juegos hay.",
            "El latente no se guarda por cabezas ni dos veces: de él salen las claves y los "
            "valores. A su lado va la clave rotatoria, una para todas.",
        )


MODEL = _Model(layers=32, heads=32, d_head=128, groups=8, latent=512, rotary=64)

CACHE_CARD = Card(
    id="cache-en-bytes",
    title="¿Cuánto ocupa un token?",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar los bytes de la caché con cada manera de compartir claves",
    hints=MODEL.hints(),
)


def _cache_mistakes(model: _Model) -> tuple[Mistake, ...]:
    shared = model.heads // model.groups
    return (
        Mistake(
            "solo-claves",
            "te faltan los valores: de cada token se guardan la clave y el valor",
            (model.answer(factor=1),),
        ),
        Mistake(
            "en-numeros",
            "has contado números: cada uno, de 16 bits, son 2 bytes",
            (model.answer(number=1), model.answer(number=16)),
        ),
        Mistake(
            "una-capa",
            f"has contado una sola capa: cada una de las {model.layers} guarda lo suyo",
            (model.answer(layers=1),),
        ),
        Mistake(
            "cabezas-por-grupo",
            f"con GQA has contado cuántas cabezas comparten juego, {shared}: lo que se guarda son "
            f"los juegos, {model.groups}",
            (model.answer(gqa=shared),),
        ),
        Mistake(
            "latente-repetido",
            "en MLA el latente se guarda una vez por capa: ni una por cabeza, ni dos, una para "
            "claves y otra para valores",
            (
                model.answer(latent=2 * (model.latent + model.rotary)),
                model.answer(latent=2 * model.latent + model.rotary),
                model.answer(latent=model.heads * (model.latent + model.rotary)),
                model.answer(latent=model.latent + model.heads * model.rotary),
            ),
        ),
        Mistake(
            "sin-la-rotatoria",
            "en MLA falta la clave rotatoria, que también se guarda",
            (model.answer(latent=model.latent), model.answer(latent=2 * model.latent)),
        ),
    )


def _cache_task(model: _Model) -> Task:
    return Task(
        function="cache_per_token",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=model.answer(),
        mistakes=_cache_mistakes(model),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_cache(random: Random) -> Variant:
    """Otro modelo. Ningún tamaño coincide con otro, para que cada error se distinga."""
    model = _Model(
        layers=random.choice((24, 28, 40, 48, 60)),
        heads=random.choice((64, 80)),
        d_head=random.choice((96, 112, 160)),
        groups=random.choice((2, 4)),
        latent=random.choice((384, 640, 768)),
        rotary=random.choice((24, 56, 72)),
    )
    card = replace(CACHE_CARD, hints=model.hints())
    changes = tuple(zip(MODEL.described(), model.described(), strict=True))
    return Variant(Exercise(card, _cache_task(model)), changes)


CACHE_BYTES = Exercise(CACHE_CARD, _cache_task(MODEL), _draw_cache)
