"""Ejercicios para comprender: lo que ahorran las ventanas y las etapas de un Swin."""

from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

IMAGE, PATCH, WINDOW = 128, 4, 8  # lados: de la imagen, del parche y de la ventana
SWIN_IMAGE, SWIN_WINDOW, SWIN_WIDTH = 192, 6, 48
SWIN_PATCH, MERGES = 4, 3


def _answer(right, **wrong):
    return lambda: right | wrong


def _windows_hints(patch, window) -> tuple[str, ...]:
    return (
        f"El mapa tiene tantas casillas como parches: divide cada lado entre {patch}.",
        "Sin ventanas, las parejas son casillas por casillas.",
        f"Con ventanas, cada casilla se compara con las {window**2} de la suya, y eso no cambia al "
        "agrandar la imagen.",
    )


WINDOWS_CARD = Card(
    id="lo-que-ahorran-las-ventanas",
    title="Lo que ahorran las ventanas",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar las parejas que compara la atención, con ventanas y sin ellas",
    hints=_windows_hints(PATCH, WINDOW),
)


def _window_counts(side, window):
    """Las cuentas de un mapa de ese lado."""
    cells = side**2
    return {
        "casillas": cells, "ventanas": (side // window) ** 2, "globales": cells**2,
        "locales": cells * window**2, "al_doblar": 4,
    }  # fmt: skip


def _windows_task(image, patch, window) -> Task:
    right = _window_counts(image // patch, window)
    cells, inside = right["casillas"], window**2
    by_the_side = cells * window
    return Task(
        function="window_counts",
        cases=(Case("la imagen del enunciado", lambda: ()),),
        reference=_answer(right),
        mistakes=(
            Mistake(
                "pixeles",
                f"has contado píxeles: cada casilla es un parche de {patch} × {patch}",
                (_answer(_window_counts(image, window)),),
            ),
            Mistake(
                "lado-de-la-ventana",
                f"en una ventana de {window} × {window} hay {inside} casillas, no {window}",
                (
                    _answer(right, locales=by_the_side),
                    _answer(right, ventanas=cells // window, locales=by_the_side),
                ),
            ),
            Mistake(
                "una-ventana",
                "has contado las parejas de una sola ventana: súmalas todas",
                (_answer(right, locales=inside**2),),
            ),
            Mistake(
                "al-doblar",
                "al doblar el lado hay cuatro veces más ventanas, y cada una cuesta lo mismo",
                (_answer(right, al_doblar=16), _answer(right, al_doblar=2)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_windows(random: Random) -> Variant:
    """Otra imagen, otros parches y otras ventanas, nunca del lado publicado.

    El ejemplo del enunciado usa «los mismos parches»: su imagen cambia con ellos, y sus cuentas no.
    """
    patch, window = random.choice((2, 4, 8, 16)), random.choice((4, 5, 6, 7, 10))
    image, example = patch * window * random.randint(3, 9), 4 * patch
    changes = (
        ("Una imagen de 128 × 128 se corta en parches de 4 × 4",
         f"Una imagen de {image} × {image} se corta en parches de {patch} × {patch}"),
        ("en ventanas de 8 × 8 casillas", f"en ventanas de {window} × {window} casillas"),
        ("con una imagen de 16 × 16", f"con una imagen de {example} × {example}"),
    )  # fmt: skip
    card = replace(WINDOWS_CARD, hints=_windows_hints(patch, window))
    return Variant(Exercise(card, _windows_task(image, patch, window)), changes)


WINDOWS = Exercise(WINDOWS_CARD, _windows_task(IMAGE, PATCH, WINDOW), _draw_windows)


def _stages_hints(image) -> tuple[str, ...]:
    return (
        f"El primer mapa mide {image} / {SWIN_PATCH} casillas de lado.",
        "Entre cuatro etapas hay tres fusiones: cada una divide el lado entre 2 y dobla la "
        "anchura.",
        "Las ventanas de la primera etapa se cuentan en su mapa, antes de fusionar.",
    )


STAGES_CARD = Card(
    id="las-etapas-de-un-swin",
    title="Las etapas de un Swin",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="seguir el lado y la anchura del mapa a través de las etapas",
    hints=_stages_hints(SWIN_IMAGE),
)


def _stage_counts(image, window, width, merges):
    """Las cuentas de un Swin con tantas fusiones."""
    first = image // SWIN_PATCH
    last = first // 2**merges
    return {
        "lado": last, "ancho": width * 2**merges, "ventanas": (first // window) ** 2,
        "tokens": last**2,
    }  # fmt: skip


def _stages_task(image, window, width) -> Task:
    right = _stage_counts(image, window, width, MERGES)
    once_more = _stage_counts(image, window, width, MERGES + 1)
    return Task(
        function="swin_stages",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=_answer(right),
        mistakes=(
            Mistake(
                "una-fusion-de-mas",
                "entre cuatro etapas hay tres fusiones, no cuatro",
                (_answer(once_more), _answer(once_more, ancho=right["ancho"])),
            ),
            Mistake(
                "anchura-por-cuatro",
                "la fusión junta cuatro vectores, pero la capa lineal los deja en el doble",
                (_answer(right, ancho=width * 4**MERGES),),
            ),
            Mistake(
                "anchura-igual",
                "la anchura se dobla en cada fusión",
                (_answer(right, ancho=width),),
            ),
            Mistake(
                "ventanas-de-la-ultima",
                "has contado las ventanas de la última etapa: se piden las de la primera",
                (_answer(right, ventanas=(right["lado"] // window) ** 2),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_stages(random: Random) -> Variant:
    """Otra imagen, otras ventanas, nunca las publicadas, y otra anchura.

    En el último mapa caben ventanas enteras, y su lado es par: quien fusiona de más puede hacerlo.
    """
    window, width = random.choice((4, 8, 10, 12)), random.randrange(32, 113, 8)
    image = SWIN_PATCH * 2**MERGES * window * random.randint(1, 3)
    changes = (
        ("lee imágenes de 192 × 192", f"lee imágenes de {image} × {image}"),
        ("ventanas de 6 × 6 y anchura inicial 48",
         f"ventanas de {window} × {window} y anchura inicial {width}"),
    )  # fmt: skip
    card = replace(STAGES_CARD, hints=_stages_hints(image))
    return Variant(Exercise(card, _stages_task(image, window, width)), changes)


STAGES = Exercise(STAGES_CARD, _stages_task(SWIN_IMAGE, SWIN_WINDOW, SWIN_WIDTH), _draw_stages)
