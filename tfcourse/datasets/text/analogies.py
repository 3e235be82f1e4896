"""Listas para examinar vectores de palabras en español: categorías y analogías."""

from itertools import permutations

CATEGORIES: dict[str, tuple[str, ...]] = {
    name: tuple(words.split())
    for name, words in {
        "meses": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
        "diciembre",
        "países": "españa francia italia alemania portugal inglaterra rusia china japón india "
        "méxico argentina brasil chile perú colombia venezuela cuba grecia turquía egipto polonia "
        "austria hungría suecia noruega dinamarca bélgica canadá australia",
        "números": "dos tres cuatro cinco seis siete ocho nueve diez doce veinte cien",
        "profesiones": "escritor poeta pintor músico compositor actor actriz director filósofo "
        "matemático físico químico médico arquitecto escultor cantante novelista dramaturgo "
        "ingeniero historiador periodista político militar",
        "parentesco": "padre madre hijo hija hermano hermana esposa esposo abuelo nieto tío "
        "sobrino",
        "gentilicios": "español francés italiano alemán inglés ruso japonés chino portugués griego "
        "mexicano argentino estadounidense británico polaco austriaco sueco",
        "continentes": "europa asia áfrica américa oceanía",
        "puntos cardinales": "norte sur este oeste noreste noroeste sureste suroeste",
        "ciencias": "física química biología matemáticas astronomía medicina geología filosofía "
        "psicología economía",
        "colores": "rojo negro blanco azul verde amarillo",
    }.items()
}

_PAIRS = {
    "género": "rey:reina hijo:hija padre:madre hermano:hermana actor:actriz hombre:mujer "
    "escritor:escritora emperador:emperatriz español:española francés:francesa "
    "alemán:alemana primero:primera último:última",
    "número": "país:países ciudad:ciudades año:años siglo:siglos hijo:hijos obra:obras "
    "lengua:lenguas río:ríos novela:novelas isla:islas estado:estados especie:especies "
    "guerra:guerras libro:libros científico:científicos animal:animales",
    "capital": "francia:parís españa:madrid italia:roma alemania:berlín inglaterra:londres "
    "rusia:moscú japón:tokio austria:viena portugal:lisboa grecia:atenas "
    "hungría:budapest china:pekín",
    "gentilicio": "francia:francés españa:español italia:italiano alemania:alemán rusia:ruso "
    "japón:japonés china:chino portugal:portugués grecia:griego méxico:mexicano "
    "argentina:argentino polonia:polaco austria:austriaco suecia:sueco inglaterra:inglés",
}
ANALOGIES: dict[str, tuple[tuple[str, str], ...]] = {
    relation: tuple(tuple(pair.split(":")) for pair in pairs.split())
    for relation, pairs in _PAIRS.items()
}


def analogy_questions(relation: str) -> list[tuple[str, str, str, str]]:
    """Preguntas «a es a b como c es a d»: cada par de una relación con cada uno de los demás.

    Errores: `ValueError` si la relación no está en la lista.
    """
    if relation not in ANALOGIES:
        raise ValueError(f"no hay relación {relation!r}: usa una de {', '.join(ANALOGIES)}")
    return [(*one, *other) for one, other in permutations(ANALOGIES[relation], 2)]
