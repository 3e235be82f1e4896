"""Ejercicios para comprender: cuántos tokens quedan y cuánto ocupa la caché."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

CHOICES = {"k": 3, "p": 3, "tau_y_p": 2, "k_y_p": 2}


def _answer(right, **changes):
    return lambda: right | changes


SURVIVORS = Exercise(
    Card(
        id="cuantos-quedan",
        title="¿Cuántos tokens quedan?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="aplicar los recortes en su orden, sin dejarse ni sobrar un token",
        hints=(
            "En top-p se quedan los justos para *llegar* a p: se añade el siguiente mientras la "
            "suma de los anteriores no llegue.",
            "Con τ = 0,5, cada probabilidad se eleva al cuadrado y se vuelve a repartir, y eso va "
            "antes de recortar.",
            "Después de top-k hay que volver a repartir: las tres que quedan suman 1.",
        ),
    ),
    Task(
        function="survivors",
        cases=(Case("la distribución del enunciado", lambda: ()),),
        reference=_answer(CHOICES),
        mistakes=(
            Mistake(
                "falta-el-que-cruza",
                "en top-p has dejado fuera el token que llega a p: sin él, los que quedan "
                "no suman p",
                (
                    _answer(CHOICES, p=2),
                    _answer(CHOICES, p=2, tau_y_p=1),
                    _answer(CHOICES, p=2, tau_y_p=1, k_y_p=1),
                ),
            ),
            Mistake(
                "recorta-antes",
                "con temperatura, has recortado antes de afilar: primero va la temperatura",
                (_answer(CHOICES, tau_y_p=3),),
            ),
            Mistake(
                "al-reves",
                "has aplanado en vez de afilar: con τ = 0,5 el exponente 1/τ es 2, no un medio",
                (_answer(CHOICES, tau_y_p=4),),
            ),
            Mistake(
                "sin-repartir",
                "después de top-k no has vuelto a repartir: las tres suman 0,8 y hay que "
                "dividir entre eso antes de top-p",
                (_answer(CHOICES, k_y_p=3),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

LAYERS, HEADS, WIDTH, BYTES, LENGTH, USERS = 12, 12, 768, 4, 1000, 16
PER_TOKEN = 2 * LAYERS * WIDTH * BYTES


def _bytes(per_token=PER_TOKEN, shared=PER_TOKEN // HEADS, users=USERS):
    values = {
        "por_token": per_token,
        "secuencia": per_token * LENGTH,
        "dieciseis": per_token * LENGTH * users,
        "compartida": shared,
    }
    return lambda: dict(values)


CACHE_SIZE = Exercise(
    Card(
        id="cuanto-ocupa-la-cache",
        title="¿Cuánto ocupa la caché?",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="contar lo que hay que guardar para no leer dos veces",
        hints=(
            "Por posición y capa se guardan dos vectores: la clave y el valor.",
            "Todas las cabezas juntas miden d = 768: no hace falta volver a multiplicar por 12 "
            "cabezas.",
            "Si las 12 cabezas comparten una sola clave y un solo valor, cada uno mide 64.",
        ),
    ),
    Task(
        function="cache_bytes",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=_bytes(),
        mistakes=(
            Mistake(
                "solo-claves",
                "has guardado solo las claves, o solo los valores: hacen falta los dos",
                (_bytes(PER_TOKEN // 2, PER_TOKEN // 2 // HEADS),),
            ),
            Mistake(
                "una-capa",
                "has contado una sola capa: cada capa tiene sus claves y sus valores",
                (_bytes(PER_TOKEN // LAYERS, PER_TOKEN // LAYERS // HEADS),),
            ),
            Mistake(
                "numeros-no-bytes",
                "has contado números, y se piden bytes: en precisión simple cada uno ocupa cuatro",
                (_bytes(PER_TOKEN // BYTES, PER_TOKEN // HEADS // BYTES),),
            ),
            Mistake(
                "cabezas-dos-veces",
                "has multiplicado por las cabezas: las doce juntas ya miden d",
                (_bytes(PER_TOKEN * HEADS, PER_TOKEN), _bytes(PER_TOKEN * HEADS)),
            ),
            Mistake(
                "compartida-por-capas",
                "en la compartida has dividido de más o de menos: se comparte entre las 12 cabezas "
                "de cada capa; las capas no comparten nada",
                (_bytes(shared=PER_TOKEN), _bytes(shared=PER_TOKEN // HEADS // LAYERS)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
