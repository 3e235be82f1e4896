"""Ejercicios para comprender: cuántos segmentos pide cada tarea y la calidad panóptica a mano."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _numbers(*numbers):
    return lambda: numbers


# Dos perros que se tocan y un gato aparte, sobre hierba y cielo.
COUNTING = Exercise(
    Card(
        id="cuantos-segmentos",
        title="Cuántos segmentos",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="distinguir las tres segmentaciones por lo que tienen que contestar",
        hints=(
            "La semántica reparte los puntos entre clases: dos perros son una clase.",
            "La de instancias solo habla de cosas que se pueden contar; la hierba y el cielo no.",
            "La panóptica cubre la imagen entera: cada cosa por su lado y cada fondo, una vez. Una "
            "mancha seguida de la misma clase es un solo objeto para quien solo ve clases.",
        ),
    ),
    Task(
        function="count_segments",
        cases=(Case("la foto del enunciado", lambda: ()),),
        reference=_numbers(4, 3, 5, 2),
        outputs=("los de la semántica", "los de instancias", "los de la panóptica", "las manchas"),
        mistakes=(
            Mistake(
                "fondos-contados",
                "has contado la hierba y el cielo como instancias: no son cosas que se cuenten",
                (_numbers(4, 5, 5, 2), _numbers(4, 5, 5, 3)),
            ),
            Mistake(
                "perros-separados",
                "en la semántica los dos perros son la misma clase: no se separan",
                (_numbers(5, 3, 5, 2), _numbers(5, 3, 5, 3)),
            ),
            Mistake(
                "sin-fondo",
                "la panóptica cubre la imagen entera: faltan la hierba y el cielo",
                (_numbers(4, 3, 3, 2), _numbers(4, 3, 3, 3)),
            ),
            Mistake(
                "manchas-separadas",
                "los dos perros se tocan y son de la misma clase: en un mapa de clases son una "
                "sola mancha",
                (_numbers(4, 3, 5, 3),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)

# Cuatro segmentos reales y cinco dichos; las parejas se parecen 0,9, 0,7, 0,6 y 0,45.
GOOD, TOTAL = 3, 0.9 + 0.7 + 0.6
PQ, SQ, RQ = TOTAL / 4.5, TOTAL / 3, 3 / 4.5

QUALITY = Exercise(
    Card(
        id="calidad-panoptica-a-mano",
        title="La calidad panóptica, a mano",
        kind="comprender",
        difficulty=2,
        minutes=8,
        points=1,
        objective="separar en la PQ lo que se acierta de lo bien que se dibuja",
        hints=(
            "Una pareja es un acierto si su IoU **pasa** de 0,5: aquí, tres.",
            "Lo dicho que no acierta es un falso positivo (quedan dos); lo real que nadie acierta, "
            "un falso negativo (queda uno). Los dos cuentan la mitad.",
            "SQ es la IoU media de los aciertos; RQ, los aciertos entre TP + FP/2 + FN/2; PQ es su "
            "producto.",
        ),
    ),
    Task(
        function="quality_by_hand",
        cases=(Case("los segmentos del enunciado", lambda: ()),),
        reference=_numbers(PQ, SQ, RQ),
        outputs=("la PQ", "la SQ", "la RQ"),
        mistakes=(
            Mistake(
                "la-floja-cuenta",
                "has contado como acierto la pareja de IoU 0,45: tiene que pasar de 0,5",
                (_numbers(2.65 / 4.5, 2.65 / 4, 4 / 4.5),),
            ),
            Mistake(
                "sin-mitades",
                "los falsos positivos y los falsos negativos cuentan la mitad cada uno",
                (_numbers(TOTAL / 6, SQ, 3 / 6),),
            ),
            Mistake(
                "sin-falsos-negativos",
                "has dividido entre lo que se dijo: lo que hay y nadie acierta también resta",
                (_numbers(TOTAL / 5, SQ, 3 / 5), _numbers(TOTAL / 4, SQ, 3 / 4)),
            ),
            Mistake(
                "sq-entre-todos",
                "la SQ es la IoU media de los aciertos, que son tres",
                (_numbers(PQ, TOTAL / 4, RQ), _numbers(PQ, TOTAL / 5, RQ)),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    ),
)
