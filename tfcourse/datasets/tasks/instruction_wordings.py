"""Cómo se pide cada cosa: las maneras de decirlo y lo que se repite en las frases."""

import re

# Las maneras de pedir cada cosa; la última está reservada y no se entrena nunca.
WORDINGS: dict[str, tuple[str, ...]] = {
    "copia": (
        "Repite: {0}.",
        "Copia esto: {0}.",
        "Escribe otra vez {0}.",
        "Di lo mismo que yo: {0}.",
    ),
    "plural": (
        "Escribe el plural de {0}.",
        "¿Cuál es el plural de {0}?",
        "Pon en plural esta palabra: {0}.",
        "Si hay más de uno, ¿cómo se dice {0}?",
    ),
    "artículo": (
        "¿Qué artículo lleva {0}, el o la?",
        "Escribe el artículo de {0}.",
        "¿Se dice el {0} o la {0}?",
        "Pon delante de {0} su artículo.",
    ),
    "lista": (
        "Di la {1} palabra de esta lista: {0}.",
        "Lista: {0}. ¿Cuál es la {1}?",
        "¿Qué palabra es la {1}? {0}.",
        "De estas palabras, {0}, copia la {1}.",
    ),
    "cuentas": (
        "¿Cuánto es {0}?",
        "Calcula {0}.",
        "Escribe con letra el resultado de {0}.",
        "Haz esta cuenta: {0}.",
    ),
    "lectura": ("{0} {1}", "Lee y responde: {0} {1}", "{1} {0}", "Texto: {0} Pregunta: {1}"),
}
DEEDS = ("compró", "perdió", "pintó", "encontró", "vendió", "vio")
TIMES = ("ayer", "hoy", "el lunes", "el martes", "el viernes", "el domingo", "en verano",
         "en enero", "en mayo", "por la tarde")  # fmt: skip


def fixed_words() -> set[str]:
    """Las palabras de las frases hechas: se leen siempre, así que no se reparten."""
    text = " ".join([*DEEDS, *TIMES, *(one for some in WORDINGS.values() for one in some)])
    return set(re.findall(r"[^\W\d_]+", text.lower()))
