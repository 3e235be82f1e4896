"""Ejercicios para comprender: qué le pasa a cada token y cuánto ahorra ALBERT."""

from dataclasses import dataclass
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

RATE, MASKED, RANDOM = 0.15, 0.8, 0.1


@dataclass(frozen=True)
class _Batch:
    """Un lote de ventanas, cada una con sus tokens especiales."""

    windows: int
    length: int
    special: int

    @property
    def every(self):
        return self.windows * self.length

    @property
    def maskable(self):
        return self.windows * (self.length - self.special)

    @property
    def chosen(self):
        return self.maskable * RATE


def _counts(tokens, *, masked=None, random=None, same=None, loss=None):
    chosen = tokens * RATE
    values = {
        "mascara": chosen * MASKED if masked is None else masked,
        "azar": chosen * RANDOM if random is None else random,
        "iguales": chosen * (1 - MASKED - RANDOM) if same is None else same,
        "en_la_perdida": chosen if loss is None else loss,
    }
    return lambda: {name: round(value) for name, value in values.items()}


COUNTS_CARD = Card(
    id="que-le-pasa-a-cada-token",
    title="¿Qué le pasa a cada token?",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="seguir un token por la receta 80/10/10",
    hints=(
        "Empieza por cuántos se pueden elegir: los especiales no cuentan.",
        "Los tres porcentajes (80, 10 y 10) son partes de los elegidos, no de todos.",
        "La pérdida se calcula en todas las posiciones elegidas, también en las que no se han "
        "tapado.",
    ),
)


def _counts_mistakes(batch: _Batch) -> tuple[Mistake, ...]:
    tokens, chosen = batch.maskable, batch.chosen
    of_all = {"masked": tokens * MASKED, "random": tokens * RANDOM, "same": tokens * RANDOM}
    return (
        Mistake(
            "con-especiales",
            "has contado también los tokens especiales: [CLS] y [SEP] no se eligen nunca",
            (_counts(batch.every),),
        ),
        Mistake(
            "porcentajes-de-todos",
            "has aplicado el 80, el 10 y el 10 % a todos los tokens: son partes del 15 % que "
            "se elige",
            (_counts(tokens, **of_all), _counts(tokens, **of_all, loss=tokens)),
        ),
        Mistake(
            "perdida-solo-en-mascaras",
            "en la pérdida has contado solo los que llevan [MASK]: también se pregunta por los "
            "cambiados al azar y por los que se han dejado igual",
            (
                _counts(tokens, loss=chosen * MASKED),
                _counts(tokens, loss=chosen * (MASKED + RANDOM)),
            ),
        ),
        Mistake(
            "perdida-en-todos",
            "en la pérdida has contado todos los tokens: solo se pregunta por los elegidos",
            (_counts(tokens, loss=tokens), _counts(tokens, loss=batch.every)),
        ),
        Mistake(
            "iguales-todos",
            "en `iguales` has contado los que nadie eligió: se pide cuántos de los elegidos se "
            "quedan como estaban",
            (
                _counts(tokens, same=tokens - chosen * (MASKED + RANDOM)),
                _counts(tokens, same=tokens - chosen),
            ),
        ),
    )


def _counts_task(batch: _Batch) -> Task:
    return Task(
        function="token_fates",
        cases=(Case("el lote del enunciado", lambda: ()),),
        reference=_counts(batch.maskable),
        mistakes=_counts_mistakes(batch),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_counts(random: Random) -> Variant:
    """Otro lote, con las ventanas justas para que todas las partes salgan enteras."""
    special = random.randint(3, 6)
    batch = _Batch(random.choice((200, 400, 600)), random.randrange(40, 122, 2) + special, special)
    separators = spell_number(special - 1)
    changes = (
        ("100 ventanas de 64 tokens", f"{batch.windows} ventanas de {batch.length} tokens"),
        ("**4 especiales** (un [CLS] y tres", f"**{special} especiales** (un [CLS] y {separators}"),
    )
    return Variant(Exercise(COUNTS_CARD, _counts_task(batch)), changes)


COUNTS = Exercise(COUNTS_CARD, _counts_task(_Batch(100, 64, 4)), _draw_counts)


@dataclass(frozen=True)
class _Model:
    """Las medidas de un modelo: vocabulario, anchura, anchura de los embeddings y capas."""

    v: int
    h: int
    e: int
    n_layers: int

    @property
    def square(self):
        return self.h * self.h

    def answer(self, *, factored=None, matrices=12, shared=1):
        """La respuesta, si cada bloque tuviera `matrices` matrices de H × H."""
        block = matrices * self.square
        values = {
            "tabla_bert": self.v * self.h,
            "tabla_albert": self.v * self.e + self.e * self.h if factored is None else factored,
            "bloques_bert": self.n_layers * block,
            "bloques_albert": shared * block,
        }
        return lambda: dict(values)


WEIGHTS_CARD = Card(
    id="cuanto-ahorra-albert",
    title="¿De dónde ahorra ALBERT?",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=1,
    objective="contar los pesos de una configuración sin crear el modelo",
    hints=(
        "Un bloque tiene cuatro matrices de H × H en la atención y dos de H × 4H en la red.",
        "Con embeddings de anchura E hacen falta dos matrices: la tabla, de V × E, y la que "
        "lleva de E a H.",
        "Compartir las capas no cambia cuántas veces se pasa por el bloque, pero sí cuántas "
        "veces se guarda.",
    ),
)


def _weights_mistakes(model: _Model) -> tuple[Mistake, ...]:
    return (
        Mistake(
            "sin-ensanchar",
            "en la tabla de ALBERT falta la matriz que lleva de E a H: sin ella los vectores "
            "no caben en los bloques",
            (model.answer(factored=model.v * model.e),),
        ),
        Mistake(
            "solo-ensanchar",
            "en la tabla de ALBERT falta la propia tabla, de V × E",
            (model.answer(factored=model.e * model.h),),
        ),
        Mistake(
            "capas-sin-compartir",
            f"has guardado {model.n_layers} veces el bloque de ALBERT: es el mismo, y se guarda "
            "una vez",
            (model.answer(shared=model.n_layers),),
        ),
        Mistake(
            "sin-atencion",
            "en cada bloque has contado solo la red por posición: faltan las cuatro matrices "
            "de la atención",
            (model.answer(matrices=8),),
        ),
        Mistake(
            "sin-salida",
            "en la atención has contado tres matrices (Q, K y V): falta la de salida",
            (model.answer(matrices=11),),
        ),
        Mistake(
            "sin-red",
            "en cada bloque has contado solo la atención: faltan las dos matrices de la red "
            "por posición",
            (model.answer(matrices=4), model.answer(matrices=3)),
        ),
    )


def _weights_task(model: _Model) -> Task:
    return Task(
        function="albert_savings",
        cases=(Case("las medidas del enunciado", lambda: ()),),
        reference=model.answer(),
        mistakes=_weights_mistakes(model),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_weights(random: Random) -> Variant:
    """Otras medidas: ya no son las de ALBERT-large, y el enunciado deja de decirlo."""
    v, h = random.randint(12, 50), random.choice((256, 320, 384, 512, 640, 768))
    e, n_layers = random.choice((32, 48, 64, 96)), random.randint(6, 30)
    changes = (
        (r"ALBERT-large tiene $V = 30\,000$", rf"Un modelo como ALBERT tiene $V = {v}\,000$"),
        ("$H = 1024$", f"$H = {h}$"),
        ("24 capas", f"{n_layers} capas"),
        ("$E = 128$", f"$E = {e}$"),
        ("los 24 bloques", f"los {n_layers} bloques"),
    )
    model = _Model(1000 * v, h, e, n_layers)
    return Variant(Exercise(WEIGHTS_CARD, _weights_task(model)), changes)


WEIGHTS = Exercise(WEIGHTS_CARD, _weights_task(_Model(30_000, 1024, 128, 24)), _draw_weights)
