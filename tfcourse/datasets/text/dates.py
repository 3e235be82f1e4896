"""Fechas escritas en español y su forma ISO 8601, generadas con semilla."""

import datetime
import random
from dataclasses import dataclass

MONTHS = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
WEEKDAYS = ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"]
FIRST_DAY, LAST_DAY = datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)
N_DAYS = (LAST_DAY - FIRST_DAY).days + 1

DATE_FORMATS = (
    "{weekday}, {day} de {month} de {year}",
    "{weekday} {day} de {month} de {year}",
    "{day} de {month} de {year}",
    "{day} de {month} del {year}",
    "{month} {day}, {year}",
    "{day} {abbreviation} {year}",
    "{day}/{number}/{year}",
    "{day:02d}/{number:02d}/{year}",
    "{day}-{number}-{year}",
    "{day}.{number}.{year}",
)


@dataclass(frozen=True)
class DatePair:
    """Fecha escrita en español, su forma ISO y dónde empiezan los dígitos del año en el texto."""

    text: str
    iso: str
    year_start: int


def write_date(date: datetime.date, layout: str) -> DatePair:
    """Escribe una fecha con una de las plantillas de `DATE_FORMATS`."""
    month = MONTHS[date.month - 1]
    text = layout.format(
        weekday=WEEKDAYS[date.weekday()],
        day=date.day,
        month=month,
        abbreviation=month[:3],
        number=date.month,
        year=date.year,
    )
    return DatePair(text, date.isoformat(), text.rindex(str(date.year)))


def date_pairs(n_train: int, n_test: int, seed: int = 0) -> tuple[list[DatePair], list[DatePair]]:
    """Parejas de fechas para entrenar y para evaluar, con días que no se repiten entre ambas.

    Ningún día de evaluación aparece en el entrenamiento, ni siquiera escrito de otra manera.
    Errores: `ValueError` si se piden más días de los que hay, o menos de uno.
    """
    if n_train < 1 or n_test < 1 or n_train + n_test > N_DAYS:
        raise ValueError(
            f"se pidieron {n_train} + {n_test} días y entre {FIRST_DAY.year} y {LAST_DAY.year} hay "
            f"{N_DAYS}: pide al menos uno para cada parte y no más de esos en total"
        )
    rng = random.Random(seed)
    days = rng.sample(range(N_DAYS), n_train + n_test)
    pairs = [
        write_date(FIRST_DAY + datetime.timedelta(days=day), rng.choice(DATE_FORMATS))
        for day in days
    ]
    return pairs[:n_train], pairs[n_train:]
