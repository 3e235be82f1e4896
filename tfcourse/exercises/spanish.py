"""Números y listas de los enunciados, las pistas y los mensajes, como se escriben en español."""

from collections.abc import Sequence


def comma(number: float, decimals: int | None = None) -> str:
    """Con coma decimal y el signo menos de verdad; sin ceros de sobra si no se dice cuántos."""
    text = f"{number:g}" if decimals is None else f"{number:.{decimals}f}"
    return text.replace(".", ",").replace("-", "−")


def tex_comma(number: float) -> str:
    """Como se escribe dentro de una fórmula: `0{,}5`."""
    return f"{number:g}".replace(".", "{,}")


def spaced(number: int) -> str:
    """Con las cifras de tres en tres, si son más de cuatro."""
    return f"{number:,}".replace(",", " ") if number >= 10_000 else str(number)


def listed(names: Sequence[str], separator: str = ", ") -> str:
    """Los nombres separados, con «y» antes del último; los decimales piden punto y coma."""
    return f"{separator.join(names[:-1])} y {names[-1]}"
