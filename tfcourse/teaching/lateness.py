"""Los retrasos: si una entrega llegó tarde, cuántos días y cuánto se le descuenta por ello."""

import math
from datetime import datetime, timedelta

from tfcourse.teaching.assignment import Assignment


def is_past(assignment: Assignment, submitted: datetime, extension: datetime | None) -> bool:
    """Si llegó después del plazo, que es el propio si se le concedió una prórroga.

    Moodle no dice los segundos, así que el último minuto cuenta entero.
    """
    return days_late(assignment, submitted, extension) > 0


def days_late(assignment: Assignment, submitted: datetime, extension: datetime | None) -> int:
    """Días de retraso, empezados; cero si llegó a tiempo o si no hay plazo."""
    if assignment.due is None:
        return 0
    due = max(assignment.due, extension) if extension else assignment.due
    end = due.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return 0 if submitted < end else math.floor((submitted - end) / timedelta(days=1)) + 1


def late_note(card: dict) -> str | None:
    """Lo que se dice de una entrega que llegó tarde."""
    if not card.get("late"):
        return None
    if not card.get("submitted"):
        return "entregada fuera de plazo, según la plataforma, que no dice cuándo"
    moment = local(card["submitted"])
    return f"entregada fuera de plazo, el {moment:%d/%m/%Y a las %H:%M}"


def local(stamp: str) -> datetime:
    """Una fecha guardada, en la hora de este equipo."""
    moment = datetime.fromisoformat(stamp)
    return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment


def penalty(assignment: Assignment, result: dict, score: float) -> float:
    """Los puntos que se pierden por el retraso; si no se sabe cuándo llegó, ninguno."""
    if assignment.late is None or not result.get("submitted"):
        return 0.0
    extension = result.get("extension")
    days = days_late(
        assignment, local(result["submitted"]), local(extension) if extension else None
    )
    return round(score * assignment.late.discount(days), 2)


def undated(assignment: Assignment, results: list[dict]) -> list[str]:
    """El aviso de quién llegó tarde sin que se sepa cuándo: no se le descuenta."""
    who = [r["full_name"] for r in results if r.get("late") and not r.get("submitted")]
    if assignment.late is None or not who:
        return []
    return [
        f"llegaron tarde y no se sabe cuándo, así que no se les descuenta: {', '.join(who)}; di "
        "las fechas con «docente recoger … --hoja»"
    ]
