"""Ejercicios para comprender: qué lee un ViT y cuánto cuesta agrandar la imagen."""

from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

IMAGE, PATCH, WIDTH = (96, 80), 8, 64  # alto y ancho en píxeles, lado del parche y D
CHANNELS = 3
FACTOR = 3  # por cuánto se multiplica el lado
VERBS = {
    3: "triplica", 5: "quintuplica", 6: "sextuplica", 7: "septuplica", 8: "octuplica",
    9: "nonuplica", 10: "decuplica",
}  # fmt: skip


def _answer(right, **wrong):
    return lambda: right | wrong


def _reading(patches, width):
    """Lo que depende de cuántos parches se cuenten."""
    tokens = patches + 1  # el de clase
    return {"parches": patches, "tokens": tokens, "posiciones": tokens * width}


SIZES_CARD = Card(
    id="que-lee-un-vit",
    title="Qué lee un ViT",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar parches, tokens y los parámetros de la entrada",
    hints=(
        "El alto y el ancho se dividen por separado entre el lado del parche.",
        "Un parche tiene lado por lado por canales números; la matriz los lleva a D.",
        "El token de clase es uno más, y también tiene su posición.",
    ),
)


def _sizes_task(image, patch, width) -> Task:
    (height, breadth), square = image, patch**2
    rows, columns = height // patch, breadth // patch
    patches, numbers = rows * columns, square * CHANNELS
    matrix = numbers * width
    right = {"parches": patches, "numeros": numbers, **_reading(patches, width), "matriz": matrix}
    return Task(
        function="vit_sizes",
        cases=(Case("la imagen del enunciado", lambda: ()),),
        reference=_answer(right),
        mistakes=(
            Mistake(
                "sin-canales",
                "te faltan los canales: cada píxel son tres números",
                (_answer(right, numeros=square, matriz=square * width),),
            ),
            Mistake(
                "sin-clase",
                "te falta el token de clase: es un token más, y tiene su posición",
                (
                    _answer(right, tokens=patches, posiciones=patches * width),
                    _answer(right, posiciones=patches * width),
                    _answer(right, tokens=patches),
                ),
            ),
            Mistake(
                "lado-por-lado",
                "has contado los parches de un cuadrado: la imagen no lo es; divide cada lado",
                (
                    _answer(right, **_reading(rows**2, width)),
                    _answer(right, **_reading(columns**2, width)),
                ),
            ),
            Mistake(
                "una-matriz-por-parche",
                "has multiplicado la matriz por el número de parches: es la misma para todos",
                (_answer(right, matriz=matrix * patches),),
            ),
            Mistake(
                "pixeles",
                f"has contado píxeles en lugar de parches: divide cada lado entre {patch}",
                (_answer(right, **_reading(height * breadth, width)),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_sizes(random: Random) -> Variant:
    """Otra imagen que no es cuadrada, con otros parches y otra anchura, nunca la publicada."""
    rows, columns = random.sample(range(6, 15), 2)
    patch, width = random.choice((4, 8, 16)), random.choice((32, 48, 96, 128))
    image = (rows * patch, columns * patch)
    changes = (
        ("de 96 × 80 píxeles", f"de {image[0]} × {image[1]} píxeles"),
        ("con parches de 8 × 8, anchura $D = 64$",
         f"con parches de {patch} × {patch}, anchura $D = {width}$"),
    )  # fmt: skip
    return Variant(Exercise(SIZES_CARD, _sizes_task(image, patch, width)), changes)


SIZES = Exercise(SIZES_CARD, _sizes_task(IMAGE, PATCH, WIDTH), _draw_sizes)


COST_CARD = Card(
    id="agrandar-la-imagen",
    title="Agrandar la imagen",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="decir qué crece, y cuánto, al cambiar la imagen o el parche",
    hints=(
        "¿Por cuánto se multiplican las filas de parches? ¿Y las columnas?",
        "Las parejas son los tokens por los tokens. No cuentes el de clase.",
        "Los bloques y la matriz de los parches no dependen del tamaño de la imagen.",
    ),
)


def _growth(tokens, pairs, blocks=1):
    values = {"tokens": tokens, "parejas": pairs, "bloques": blocks}
    return lambda: {name: float(value) for name, value in values.items()}


def _cost_task(factor) -> Task:
    tokens, pairs, verb = factor**2, factor**4, VERBS[factor]
    return Task(
        function="growth",
        cases=(Case("las tres preguntas", lambda: ()),),
        reference=_growth(tokens, pairs),
        mistakes=(
            Mistake(
                "solo-un-lado",
                f"has {verb}do los tokens: crecen las filas y también las columnas",
                (_growth(factor, factor**2), _growth(factor, factor)),
            ),
            Mistake(
                "parejas-lineales",
                "las parejas crecen con el cuadrado de los tokens, no como ellos",
                (_growth(tokens, tokens),),
            ),
            Mistake(
                "mas-parametros",
                "los bloques tienen los mismos parámetros con cualquier número de tokens",
                tuple(_growth(tokens, pairs, blocks) for blocks in (tokens, factor, pairs)),
            ),
            Mistake(
                "doblar",
                f"el lado se {verb}; has contestado como si se doblara",
                (_growth(2**2, 2**4),),
            ),
        ),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    )


def _draw_cost(random: Random) -> Variant:
    """Otra imagen y otro factor: ni el publicado ni 4, con el que dos errores darían lo mismo."""
    side = random.randrange(32, 257, 8)
    factor = random.choice([factor for factor in VERBS if factor != FACTOR])
    after = f"{side} × {side} a imágenes de {side * factor} × {side * factor}"
    changes = (("224 × 224 a imágenes de 672 × 672", after),)
    return Variant(Exercise(COST_CARD, _cost_task(factor)), changes)


COST = Exercise(COST_CARD, _cost_task(FACTOR), _draw_cost)
