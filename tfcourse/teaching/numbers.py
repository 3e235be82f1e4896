"""Números como se escriben en cada sitio: con coma en español, con punto en una hoja en inglés."""


def number(value: float, decimal: str = ",") -> str:
    """Un número con dos decimales como mucho y sin ceros de más."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace(".", decimal)
