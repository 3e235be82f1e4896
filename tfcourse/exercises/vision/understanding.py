"""Ejercicios para comprender: qué lee un ViT y cuánto cuesta agrandar la imagen."""

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _answer(**values):
    return lambda: dict(values)


def _sizes(parches=120, numeros=192, tokens=121, posiciones=7744, matriz=12288):
    return _answer(
        parches=parches, numeros=numeros, tokens=tokens, posiciones=posiciones, matriz=matriz
    )


SIZES = Exercise(
    Card(
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
    ),
    Task(
        function="vit_sizes",
        cases=(Case("la imagen del enunciado", lambda: ()),),
        reference=_sizes(),
        mistakes=(
            Mistake(
                "sin-canales",
                "te faltan los canales: cada píxel son tres números",
                (_sizes(numeros=64, matriz=4096),),
            ),
            Mistake(
                "sin-clase",
                "te falta el token de clase: es un token más, y tiene su posición",
                (
                    _sizes(tokens=120, posiciones=7680),
                    _sizes(posiciones=7680),
                    _sizes(tokens=120),
                ),
            ),
            Mistake(
                "lado-por-lado",
                "has contado los parches de un cuadrado: la imagen no lo es; divide cada lado",
                (
                    _sizes(parches=144, tokens=145, posiciones=9280),
                    _sizes(parches=100, tokens=101, posiciones=6464),
                ),
            ),
            Mistake(
                "una-matriz-por-parche",
                "has multiplicado la matriz por el número de parches: es la misma para todos",
                (_sizes(matriz=12288 * 120),),
            ),
            Mistake(
                "pixeles",
                "has contado píxeles en lugar de parches: divide cada lado entre 8",
                (_sizes(parches=7680, tokens=7681, posiciones=7681 * 64),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    ),
)


COST = Exercise(
    Card(
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
    ),
    Task(
        function="growth",
        cases=(Case("las tres preguntas", lambda: ()),),
        reference=_answer(tokens=9.0, parejas=81.0, bloques=1.0),
        mistakes=(
            Mistake(
                "solo-un-lado",
                "has triplicado los tokens: crecen las filas y también las columnas",
                (
                    _answer(tokens=3.0, parejas=9.0, bloques=1.0),
                    _answer(tokens=3.0, parejas=3.0, bloques=1.0),
                ),
            ),
            Mistake(
                "parejas-lineales",
                "las parejas crecen con el cuadrado de los tokens, no como ellos",
                (_answer(tokens=9.0, parejas=9.0, bloques=1.0),),
            ),
            Mistake(
                "mas-parametros",
                "los bloques tienen los mismos parámetros con cualquier número de tokens",
                (
                    _answer(tokens=9.0, parejas=81.0, bloques=9.0),
                    _answer(tokens=9.0, parejas=81.0, bloques=3.0),
                    _answer(tokens=9.0, parejas=81.0, bloques=81.0),
                ),
            ),
            Mistake(
                "doblar",
                "el lado se triplica; has contestado como si se doblara",
                (_answer(tokens=4.0, parejas=16.0, bloques=1.0),),
            ),
        ),
        tolerance=1e-6,
        differentiable=False,
        reveals=False,
    ),
)
