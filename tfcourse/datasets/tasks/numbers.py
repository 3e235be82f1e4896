"""Números escritos con letra, y qué parte del año va pasada en una fecha."""

import random
from datetime import date

UNITS = (
    "cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
    "once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho",
    "diecinueve", "veinte", "veintiuno", "veintidós", "veintitrés", "veinticuatro",
    "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
)  # fmt: skip
TENS = (
    "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa",
)  # fmt: skip
HUNDREDS = (
    "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos",
    "setecientos", "ochocientos", "novecientos",
)  # fmt: skip
MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
    "octubre", "noviembre", "diciembre",
)  # fmt: skip
MAX_NUMBER = 999_999
YEAR = 2023  # ni bisiesto ni importa cuál
STEP = 0.02  # a qué se redondea la parte del año


def spell_number(number: int) -> str:
    """Un número con letra, de cero a novecientos noventa y nueve mil novecientos noventa y nueve.

    Errores: `ValueError` si se sale.
    """
    if not 0 <= number <= MAX_NUMBER:
        raise ValueError(f"number={number}: solo se escriben los números de 0 a {MAX_NUMBER}")
    thousands, rest = divmod(number, 1000)
    words = []
    if thousands:
        # Delante de «mil», uno se acorta: veintiún mil, treinta y un mil.
        prefix = _spell_hundreds(thousands)
        if prefix.endswith("veintiuno"):
            prefix = prefix.removesuffix("uno") + "ún"
        elif prefix.endswith("uno"):
            prefix = prefix.removesuffix("o")
        words = ["mil"] if thousands == 1 else [prefix, "mil"]
    if rest or not thousands:
        words.append(_spell_hundreds(rest))
    return " ".join(words)


def number_pairs(n_pairs: int, rng: random.Random) -> list[tuple[str, str]]:
    """Parejas (con letra, con cifras), distintas; hay tantos de pocas cifras como de muchas.

    Errores: `ValueError` si se piden más de la mitad de los que existen.
    """
    if not 0 < n_pairs <= MAX_NUMBER // 2:
        raise ValueError(f"n_pairs={n_pairs}: usa un número entre 1 y {MAX_NUMBER // 2}")
    found: dict[int, None] = {}
    while len(found) < n_pairs:
        found.setdefault(rng.randrange(10 ** rng.randint(3, 6)))
    return [(spell_number(number), str(number)) for number in found]


def year_part_pairs() -> list[tuple[str, str]]:
    """Cada día del año, escrito de tres maneras, y qué parte del año va pasada: «0,50».

    Es un número escrito como texto, redondeado a `STEP` para que las respuestas sean pocas, como
    hicieron Raffel et al. (2020), § 2.4, con su tarea de regresión.
    """
    pairs = []
    for day_of_year in range(365):
        day = date.fromordinal(date(YEAR, 1, 1).toordinal() + day_of_year)
        part = write_part(day_of_year / 365)
        month = MONTHS[day.month - 1]
        for text in (f"{day.day} de {month}", f"{spell_number(day.day)} de {month}",
                     f"{month}, día {day.day}"):  # fmt: skip
            pairs.append((text, part))
    return pairs


def write_part(value: float) -> str:
    """Un número entre 0 y 1 como texto, con coma y redondeado a `STEP`."""
    return f"{round(value / STEP) * STEP:.2f}".replace(".", ",")


def read_number(text: str) -> float | None:
    """El número que dice un texto; `None` si no es un número, que a un modelo le puede pasar."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _spell_hundreds(number: int) -> str:
    if number == 100:
        return "cien"
    hundreds, rest = divmod(number, 100)
    words = [HUNDREDS[hundreds - 1]] if hundreds else []
    if rest or not hundreds:
        words.append(_spell_tens(rest))
    return " ".join(words)


def _spell_tens(number: int) -> str:
    if number < len(UNITS):
        return UNITS[number]
    tens, units = divmod(number, 10)
    return TENS[tens - 3] + (f" y {UNITS[units]}" if units else "")
