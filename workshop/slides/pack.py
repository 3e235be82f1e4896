"""Las figuras de un capítulo, sueltas: sus PNG y una lista con el pie de cada una."""

import csv
import io
import zipfile

from workshop.slides.reading import Talk

COLUMNS = ("archivo", "apartado", "pie", "texto alternativo")
LIST, CARD = "figuras.csv", "LEEME.txt"
_DATE = (2026, 1, 1, 0, 0, 0)  # fija: las mismas figuras dan siempre el mismo archivo


def pack_bytes(talk: Talk) -> bytes:
    """El zip, con un PNG por figura, la lista y de quién son."""
    files = {f"{figure.name}.png": figure.png for figure in talk.figures}
    files |= {LIST: _table(talk).encode("utf-8-sig"), CARD: _card(talk).encode("utf-8")}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in files.items():
            book.writestr(zipfile.ZipInfo(name, _DATE), content)
    return packed.getvalue()


def _table(talk: Talk) -> str:
    """La lista, como la abre una hoja de cálculo en español."""
    text = io.StringIO()
    table = csv.writer(text, delimiter=";", lineterminator="\n")
    table.writerow(COLUMNS)
    for figure in talk.figures:
        table.writerow((f"{figure.name}.png", figure.heading, figure.caption, figure.alt))
    return text.getvalue()


def _card(talk: Talk) -> str:
    return (
        f"Figuras de «{talk.title}», de {talk.repository}, página {talk.page}.\n"
        "Licencia: CC BY 4.0, salvo lo que diga el pie de una figura.\n"
        f"En {LIST}, el apartado, el pie y el texto alternativo de cada una: llévate también el "
        "texto alternativo, que es la figura de quien no la ve.\n"
    )
