"""Un léxico de opinión en español: palabras corrientes y lo que vale cada una, de −4 a 4.

Lo escribió el curso con palabras de uso general. No tiene todas las de sus reseñas inventadas, ni
todas las suyas salen en ellas: a un léxico de verdad le pasan las dos cosas.
"""

# Adjetivos en masculino singular; el femenino y los plurales se forman solos.
_ADJECTIVES = {
    3.5: "excelente magnífico maravilloso estupendo fantástico perfecto fabuloso espléndido",
    2.8: "genial impecable precioso delicioso increíble admirable encantador buenísimo",
    2.2: "bueno agradable recomendable bonito cómodo divertido emocionante rico útil amable",
    1.5: "interesante correcto limpio rápido barato fiable práctico tranquilo contento fresco",
    -1.2: "caro lento pesado frío raro difícil viejo descontento",
    -2.0: "malo feo aburrido incómodo sucio mediocre decepcionante desagradable ruidoso",
    -2.8: "lamentable penoso ridículo insoportable vergonzoso desastroso roto inútil",
    -3.5: "pésimo horrible terrible espantoso nefasto asqueroso horroroso malísimo",
}
_OTHERS = {
    "encantó": 3.0, "encanta": 3.0, "encantado": 3.0, "gustó": 2.0, "gusta": 2.0, "gustado": 2.0,
    "disfruté": 2.4, "disfrutar": 2.4, "disfruta": 2.4, "enamoró": 3.0, "sorprendió": 1.2,
    "recomiendo": 2.4, "recomendar": 2.0, "mejor": 1.8, "bien": 1.6, "gracias": 1.5, "feliz": 2.6,
    "alegría": 2.6, "éxito": 2.4, "calidad": 1.2, "encanto": 2.2, "maravilla": 3.0,
    "decepcionó": -2.4, "decepción": -2.4, "aburrió": -2.0, "disgustó": -2.2, "horrorizó": -3.0,
    "odio": -3.2, "odié": -3.2, "peor": -2.2, "mal": -1.8, "fallo": -1.8, "falla": -1.8,
    "problema": -1.6, "problemas": -1.6, "estafa": -3.4, "basura": -3.0, "asco": -3.0,
    "vergüenza": -2.6, "rompió": -2.0, "ruido": -1.4, "tardaron": -1.2, "hambre": -1.0,
    "devolverlo": -1.6, "desastre": -3.0, "error": -1.6, "queja": -1.6, "triste": -2.0,
    "😍": 3.0, "😀": 2.0, "👍": 2.0, "🎉": 2.0, "😡": -3.0, "👎": -2.4, "😞": -2.2, "🤮": -3.0,
}  # fmt: skip

NEGATORS = (
    "no", "nunca", "tampoco", "nadie", "nada", "ni", "sin", "jamás", "ningún", "ninguna", "menos",
    "lejos",
)  # fmt: skip
BOOSTERS = {
    **dict.fromkeys(
        ("muy", "mucho", "realmente", "francamente", "sumamente", "tremendamente", "bastante",
         "tan", "más", "super", "demasiado"), 1),
    **dict.fromkeys(("poco", "algo", "apenas", "casi", "medio"), -1),
}  # fmt: skip
CONTRAST = ("pero", "sino", "embargo")
CONCESSION = ("aunque",)


def spanish_valences() -> dict[str, float]:
    """Cada palabra, en todas sus formas, y su valencia."""
    table = dict(_OTHERS)
    for value, words in _ADJECTIVES.items():
        for word in words.split():
            table |= dict.fromkeys(_forms(word), value)
    return table


def _forms(word: str) -> tuple[str, ...]:
    """Masculino y femenino, singular y plural: «bueno, buena, buenos, buenas»."""
    if word.endswith("o"):
        return (word, word[:-1] + "a", word + "s", word[:-1] + "as", *_shortened(word))
    if word.endswith("or"):
        return word, word + "a", word + "es", word + "as"
    return word, word + ("s" if word[-1] in "aeiou" else "es")


def _shortened(word: str) -> tuple[str, ...]:
    """«Bueno» y «malo» pierden la vocal delante del nombre."""
    return {"bueno": ("buen",), "malo": ("mal",)}.get(word, ())
