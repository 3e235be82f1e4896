"""Ejercicios para comprender: la GIoU a mano y el reparto de menor coste."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task

# A = (0, 0, 4, 2) y B = (3, 1, 6, 3): se cruzan en 1 × 1, suman 8 + 6 y las contiene una de 6 × 3.
IOU, GIOU = 1 / 13, 1 / 13 - 5 / 18


def _pair(first, second):
    return lambda: (first, second)


BY_HAND = Exercise(
    Card(
        id="giou-a-mano",
        title="La GIoU, a mano",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="medir dos cajas con la IoU y con la GIoU",
        hints=(
            "La intersección va del mayor de los comienzos al menor de los finales, en cada eje.",
            "La unión es la suma de las áreas menos la intersección, que se ha contado dos veces.",
            "La caja que las contiene va del menor comienzo al mayor final. Se resta la parte de "
            "ella que no es de ninguna.",
        ),
    ),
    Task(
        function="giou_by_hand",
        cases=(Case("las dos cajas del enunciado", lambda: ()),),
        reference=_pair(IOU, GIOU),
        outputs=("la IoU", "la GIoU"),
        mistakes=(
            Mistake(
                "union-sin-restar",
                "en la unión has contado dos veces lo común: réstalo una vez",
                (_pair(1 / 14, 1 / 14 - 4 / 18), _pair(1 / 14, GIOU)),
            ),
            Mistake(
                "al-reves",
                "las has cambiado de sitio: la GIoU nunca es mayor que la IoU",
                (_pair(GIOU, IOU),),
            ),
            Mistake(
                "hueco-entre-la-union",
                "el hueco se divide entre el área de la caja que las contiene, no entre la unión",
                (_pair(IOU, 1 / 13 - 5 / 13),),
            ),
            Mistake(
                "sin-hueco",
                "la segunda es igual que la primera: falta restar la parte de la caja que las "
                "contiene que no es de ninguna",
                (_pair(IOU, IOU),),
            ),
            Mistake(
                "sumado",
                "has sumado el hueco: cuanto más hueco, menos se parecen",
                (_pair(IOU, 1 / 13 + 5 / 18),),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    ),
)


def _columns(*columns):
    return lambda: list(columns)


# Costes 4, 1, 3, 6 / 2, 0, 5, 6 / 3, 2, 2, 4: el mejor reparto suma 1 + 2 + 2 = 5.
PAIRS = Exercise(
    Card(
        id="emparejar-a-mano",
        title="El reparto de menor coste",
        kind="comprender",
        difficulty=1,
        minutes=8,
        points=1,
        objective="encontrar el emparejamiento óptimo de tres objetos y cuatro predicciones",
        hints=(
            "Cada objeto necesita una predicción distinta; una de las cuatro sobra.",
            "Dos objetos prefieren la misma predicción: prueba a dársela a cada uno y compara las "
            "sumas, no los costes sueltos.",
            "Quedarse sin la favorita cuesta la diferencia con la segunda.",
        ),
    ),
    Task(
        function="best_pairs",
        cases=(Case("la tabla del enunciado", lambda: ()),),
        reference=_columns(1, 0, 2),
        mistakes=(
            Mistake(
                "repetida",
                "has dado la misma predicción a dos objetos: cada uno necesita la suya",
                (_columns(1, 1, 2), _columns(1, 1, 1)),
            ),
            Mistake(
                "la-mas-barata-primero",
                "has empezado por la casilla más barata de todas: la suma sale mayor que si ese "
                "objeto cede la predicción",
                (_columns(2, 1, 0), _columns(0, 1, 2)),
            ),
            Mistake(
                "desde-uno",
                "has contado las predicciones desde 1: aquí la primera es la 0",
                (_columns(2, 1, 3),),
            ),
            Mistake(
                "el-mayor",
                "has buscado la suma mayor: es un coste, así que se busca la menor",
                (_columns(3, 2, 0), _columns(3, 2, 1), _columns(0, 2, 3)),
            ),
            Mistake(
                "al-reves",
                "has dicho qué objeto le toca a cada predicción: se pide la predicción de cada "
                "objeto",
                (_columns(1, 0, 2, -1), _columns(1, 0, 2, 3), lambda: [1, 0, 2, None]),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)
