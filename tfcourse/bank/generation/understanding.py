"""Ejercicio para comprender: cuánto ocupa la caché."""

from dataclasses import dataclass
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

BYTES, LENGTH, USERS = 4, 1000, 16


@dataclass(frozen=True)
class _Model:
    """Un modelo: sus capas, sus cabezas y lo que mide cada cabeza."""

    layers: int
    heads: int
    head_width: int

    @property
    def width(self):
        return self.heads * self.head_width

    @property
    def per_token(self):
        return 2 * self.layers * self.width * BYTES

    @property
    def shared(self):
        return self.per_token // self.heads


def _bytes(per_token, shared):
    values = {
        "por_token": per_token,
        "secuencia": per_token * LENGTH,
        "dieciseis": per_token * LENGTH * USERS,
        "compartida": shared,
    }
    return lambda: dict(values)


def _card(model: _Model) -> Card:
    heads = model.heads
    return Card(
        id="cuanto-ocupa-la-cache",
        title="¿Cuánto ocupa la caché?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="contar lo que hay que guardar para no leer dos veces",
        hints=(
            "Por posición y capa se guardan dos vectores: la clave y el valor.",
            f"Todas las cabezas juntas miden d = {model.width}: no hace falta volver a "
            f"multiplicar por {heads} cabezas.",
            f"Si las {heads} cabezas comparten una sola clave y un solo valor, cada uno mide "
            f"{model.head_width}.",
        ),
    )


def _mistakes(model: _Model) -> tuple[Mistake, ...]:
    one, shared = model.per_token, model.shared
    return (
        Mistake(
            "solo-claves",
            "has guardado solo las claves, o solo los valores: hacen falta los dos",
            (_bytes(one // 2, shared // 2),),
        ),
        Mistake(
            "una-capa",
            "has contado una sola capa: cada capa tiene sus claves y sus valores",
            (_bytes(one // model.layers, shared // model.layers),),
        ),
        Mistake(
            "numeros-no-bytes",
            "has contado números, y se piden bytes: en precisión simple cada uno ocupa cuatro",
            (_bytes(one // BYTES, shared // BYTES),),
        ),
        Mistake(
            "cabezas-dos-veces",
            f"has multiplicado por las cabezas: las {spell_number(model.heads)} juntas ya miden d",
            (_bytes(one * model.heads, one), _bytes(one * model.heads, shared)),
        ),
        Mistake(
            "compartida-sin-dividir",
            "la compartida te ocupa lo mismo que sin compartir: las "
            f"{model.heads} cabezas de cada capa se reparten una sola clave y un solo valor",
            (_bytes(one, one),),
        ),
        Mistake(
            "compartida-por-capas",
            "en la compartida has dividido de más: se comparte entre las "
            f"{model.heads} cabezas de cada capa; las capas no comparten nada",
            (_bytes(one, shared // model.layers),),
        ),
    )


def _task(model: _Model) -> Task:
    return Task(
        function="cache_bytes",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=_bytes(model.per_token, model.shared),
        mistakes=_mistakes(model),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras medidas, que ya no son las de GPT-2, con más capas que bytes tiene un número."""
    heads = random.choice((4, 6, 8, 10, 16))
    model = _Model(random.randint(BYTES + 1, 30), heads, random.choice((32, 48, 64, 80)))
    sizes = f"{model.layers} capas, {heads} cabezas, $d = {model.width}$"
    changes = (
        (
            "Un modelo del tamaño de GPT-2: 12 capas, 12 cabezas, $d = 768$",
            f"Un modelo como GPT-2, con otras medidas: {sizes}",
        ),
        ("las 12 cabezas de cada capa", f"las {heads} cabezas de cada capa"),
    )
    return Variant(Exercise(_card(model), _task(model)), changes)


_GPT2 = _Model(layers=12, heads=12, head_width=64)
CACHE_SIZE = Exercise(_card(_GPT2), _task(_GPT2), _draw)
