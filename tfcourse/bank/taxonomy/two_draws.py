"""Ejercicio para comprender: la media y la varianza de REINFORCE, enumerando dos sorteos."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import tex_comma

SHARE, REWARDS = 0.25, (-1, -3)

CARD = Card(
    id="dos-sorteos",
    title="Dos sorteos, con línea de base y sin ella",
    kind="comprender",
    difficulty=3,
    minutes=15,
    points=2,
    objective="comprobar a mano que la línea de base no mueve la media y sí la varianza",
    hints=(
        "Solo hay dos sorteos posibles: escribe lo que vale la estimación en cada uno y su "
        "probabilidad.",
        "La derivada de ln α₁ respecto a z₁ es 1 − α₁, y la de ln α₂ respecto a z₁ es −α₁. Cada "
        "una va multiplicada por (R − b).",
        "La varianza es la media de los cuadrados menos el cuadrado de la media. Para el segundo "
        "caso, b es la recompensa media, α₁R₁ + α₂R₂.",
    ),
)


def _estimates(share, rewards, baseline):
    return (rewards[0] - baseline) * (1 - share), (rewards[1] - baseline) * -share


def _mean(share, values):
    return share * values[0] + (1 - share) * values[1]


def _variance(share, values, centred=True):
    squares = _mean(share, [value**2 for value in values])
    return squares - _mean(share, values) ** 2 if centred else squares


def _task(share, rewards) -> Task:
    average = _mean(share, rewards)
    plain, based = (_estimates(share, rewards, baseline) for baseline in (0, average))
    right = {
        "media": _mean(share, plain),
        "sin_base": _variance(share, plain),
        "con_base": _variance(share, based),
    }
    return Task(
        function="two_draws",
        cases=(Case("los dos sorteos", lambda: ()),),
        reference=lambda: dict(right),
        mistakes=_mistakes(share, rewards, right, plain, based),
        tolerance=6e-3,
        differentiable=False,
        reveals=False,
    )


def _mistakes(share, rewards, right, plain, based) -> tuple[Mistake, ...]:
    def answer(**changes):
        values = right | changes
        return lambda: dict(values)

    halfway = _estimates(share, rewards, sum(rewards) / 2)
    return (
        Mistake(
            "cuadrado-sin-media",
            "has dado la media de los cuadrados: a la varianza hay que restarle el cuadrado de "
            "la media",
            (
                answer(
                    sin_base=_variance(share, plain, centred=False),
                    con_base=_variance(share, based, centred=False),
                ),
            ),
        ),
        Mistake(
            "sorteos-iguales",
            "has tratado los dos sorteos como si salieran igual de veces: pésalos con α",
            (
                answer(
                    media=_mean(0.5, plain),
                    sin_base=_variance(0.5, plain),
                    con_base=_variance(0.5, based),
                ),
            ),
        ),
        Mistake(
            "base-sin-pesar",
            "la línea de base es la recompensa media, y los sorteos no salen igual de veces",
            (answer(con_base=_variance(share, halfway)),),
        ),
        Mistake(
            "la-base-mueve-la-media",
            "la línea de base no puede cambiar la media: lo que se le resta a cada estimación "
            "vale cero en media",
            (answer(media=0.0),),
        ),
        Mistake(
            "signo",
            "el signo de la media está al revés: subir z₁ hace más probable el primer sorteo, "
            "que es el de mejor recompensa",
            (answer(media=-right["media"]),),
        ),
    )


def _draw(random: Random) -> Variant:
    """Otra probabilidad y otras recompensas; la primera sigue siendo la mejor."""
    share = random.choice((0.2, 0.3, 0.35, 0.4, 0.45, 0.6, 0.65, 0.7))
    first = -random.randint(1, 6)
    rewards = first, first - random.randint(2, 7)
    changes = (
        (f"\\alpha_1 = {tex_comma(SHARE)}", f"\\alpha_1 = {tex_comma(share)}"),
        (f"\\alpha_2 = {tex_comma(1 - SHARE)}", f"\\alpha_2 = {tex_comma(round(1 - share, 2))}"),
        (f"R_1 = {REWARDS[0]}", f"R_1 = {rewards[0]}"),
        (f"R_2 = {REWARDS[1]}", f"R_2 = {rewards[1]}"),
    )
    return Variant(Exercise(CARD, _task(share, rewards)), changes)


TWO_DRAWS = Exercise(CARD, _task(SHARE, REWARDS), _draw)
