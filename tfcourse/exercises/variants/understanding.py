"""Ejercicios para comprender: lo que ahorran las ventanas y las etapas de un Swin."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _answer(**values):
    return lambda: dict(values)


def _windows(casillas=1024, ventanas=16, globales=1048576, locales=65536, al_doblar=4):
    return _answer(
        casillas=casillas, ventanas=ventanas, globales=globales, locales=locales,
        al_doblar=al_doblar,
    )  # fmt: skip


WINDOWS = Exercise(
    Card(
        id="lo-que-ahorran-las-ventanas",
        title="Lo que ahorran las ventanas",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="contar las parejas que compara la atención, con ventanas y sin ellas",
        hints=(
            "El mapa tiene tantas casillas como parches: divide cada lado entre 4.",
            "Sin ventanas, las parejas son casillas por casillas.",
            "Con ventanas, cada casilla se compara con las 64 de la suya, y eso no cambia al "
            "agrandar la imagen.",
        ),
    ),
    Task(
        function="window_counts",
        cases=(Case("la imagen del enunciado", lambda: ()),),
        reference=_windows(),
        mistakes=(
            Mistake(
                "pixeles",
                "has contado píxeles: cada casilla es un parche de 4 × 4",
                (_windows(casillas=16384, ventanas=256, globales=16384**2, locales=16384 * 64),),
            ),
            Mistake(
                "lado-de-la-ventana",
                "en una ventana de 8 × 8 hay 64 casillas, no 8",
                (_windows(locales=8192), _windows(ventanas=128, locales=8192)),
            ),
            Mistake(
                "una-ventana",
                "has contado las parejas de una sola ventana: súmalas todas",
                (_windows(locales=4096),),
            ),
            Mistake(
                "al-doblar",
                "al doblar el lado hay cuatro veces más ventanas, y cada una cuesta lo mismo",
                (_windows(al_doblar=16), _windows(al_doblar=2)),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)


def _stages(lado=6, ancho=384, ventanas=64, tokens=36):
    return _answer(lado=lado, ancho=ancho, ventanas=ventanas, tokens=tokens)


STAGES = Exercise(
    Card(
        id="las-etapas-de-un-swin",
        title="Las etapas de un Swin",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="seguir el lado y la anchura del mapa a través de las etapas",
        hints=(
            "El primer mapa mide 192 / 4 casillas de lado.",
            "Entre cuatro etapas hay tres fusiones: cada una divide el lado entre 2 y dobla la "
            "anchura.",
            "Las ventanas de la primera etapa se cuentan en su mapa, antes de fusionar.",
        ),
    ),
    Task(
        function="swin_stages",
        cases=(Case("el modelo del enunciado", lambda: ()),),
        reference=_stages(),
        mistakes=(
            Mistake(
                "una-fusion-de-mas",
                "entre cuatro etapas hay tres fusiones, no cuatro",
                (_stages(lado=3, ancho=768, tokens=9), _stages(lado=3, ancho=384, tokens=9)),
            ),
            Mistake(
                "anchura-por-cuatro",
                "la fusión junta cuatro vectores, pero la capa lineal los deja en el doble",
                (_stages(ancho=3072),),
            ),
            Mistake(
                "anchura-igual",
                "la anchura se dobla en cada fusión",
                (_stages(ancho=48),),
            ),
            Mistake(
                "ventanas-de-la-ultima",
                "has contado las ventanas de la última etapa: se piden las de la primera",
                (_stages(ventanas=1),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
