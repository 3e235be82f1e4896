"""Qué quiere decir cada diagnóstico, dicho por el curso y no por lo que escribió una persona."""

import re

from tfcourse.exercises.engine import Exercise

MEANINGS = {
    "argumentos": "la función no tiene los argumentos que pide el enunciado",
    "aserto": "no se cumple un `assert` de su propio código",
    "atributo": "usan un atributo o un método que no existe",
    "celda-con-error": "la celda de la respuesta se detiene antes de definir la función",
    "clave": "buscan en un diccionario una clave que no está",
    "claves": "las claves del diccionario no son las pedidas",
    "condicion-con-tensor": "preguntan por un tensor entero como si fuera un sí o un no",
    "demasiados-archivos": "crean archivos sin parar",
    "demasiados-hilos": "crean hilos sin parar",
    "desempaquetado": "separan un resultado en un número de variables que no es el suyo",
    "dispositivo": "mezclan tensores de dos dispositivos",
    "division-por-cero": "dividen entre cero",
    "eje-inexistente": "nombran un eje que el tensor no tiene",
    "eje-perdido": "pierden un eje de tamaño 1",
    "elementos-tensor": "devuelven una lista con lo que no es",
    "error": "la función se detiene con un error poco habitual",
    "exit": "llaman a `exit`",
    "formas": "dos tensores no encajan: conviene repasar las formas",
    "forma": "el resultado no tiene la forma pedida",
    "import": "importan algo que no está instalado",
    "indice": "usan un índice que se sale",
    "interrumpido": "la comprobación se interrumpe",
    "lista-en-vez-de-tensor": "devuelven una lista en lugar de un tensor",
    "llamada-a-step": "llaman a `step` con lo que no es",
    "longitud": "la lista no tiene la longitud pedida",
    "memoria-agotada": "piden más memoria de la que hay",
    "modifica-entradas": "el resultado es bueno, pero cambian sus entradas",
    "nan": "el resultado contiene NaN",
    "no-comparable": "devuelven algo que no se puede comparar",
    "no-es-funcion": "lo que define su celda no es una función",
    "no-termina": "la función no termina",
    "nombre": "usan un nombre que no está definido",
    "numero-de-salidas": "devuelven un número de resultados que no es el pedido",
    "numpy": "usan NumPy donde hacía falta PyTorch",
    "proceso-muerto": "el proceso se acaba de golpe, casi siempre por la memoria",
    "protocolo": "lo que devuelven no sigue el formato, como si quisieran engañar al corrector",
    "recursion": "la función se llama a sí misma sin fin",
    "sin-contiguo": "usan `.view` con números que no están seguidos en memoria",
    "sin-corregir": "no se llegó a corregir",
    "sin-definir": "la función no está, o su celda no llega a terminar",
    "sin-escribir": "lo dejaron en blanco",
    "sin-gradiente": "el gradiente no llega a las entradas",
    "sin-return": "falta el `return`",
    "sin-tiempo": "la entrega agotó su tiempo",
    "tipo-de-dato": "el tensor es de otro tipo de número",
    "tipo-equivocado": "devuelven un valor de otro tipo",
    "tipos": "una operación recibe un valor de un tipo que no admite",
    "tipos-mezclados": "mezclan números de tipos distintos",
    "valor": "una operación recibe un valor que no admite",
    "valores": "los números no son los correctos, sin que se reconozca el error",
    "valores-e-indices": "operan con la pareja de valores e índices de `.max` y parecidas",
}
KEY = re.compile(r"[a-z0-9-]{1,60}")


def meaning(exercise: Exercise, key: str) -> str:
    """Lo que se dice en clase de un diagnóstico: el error típico del ejercicio o su significado."""
    known = {mistake.key: mistake.message for mistake in exercise.task.mistakes}
    return known.get(key) or MEANINGS.get(key, "otro error: mira sus páginas")


def safe_key(key: str) -> str:
    """La clave de un diagnóstico, si lo parece; las entregas no deciden lo que se enseña."""
    return key if KEY.fullmatch(key) else "otro"
