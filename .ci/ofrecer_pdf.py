"""Pone en el sitio los PDF de `make pdf`: cada página ofrece el suyo; la portada, el libro.

El enlace se añade a la página ya escrita: en un sitio sin PDF no puede haber enlaces que no llevan
a ninguna parte.
"""

import os
import re
import shutil
import sys
from pathlib import Path

SITE, PRINTED = Path("_build/html"), Path("_build/pdf")
FOLDER, BOOK, HOME = "pdf", "tfcourse.pdf", "chapters/intro.html"
# La última entrada del menú de una página es la de imprimir: la del PDF va delante.
ENTRY = '<li class="pst-js-only"><button type="button" data-imprimir>'
LINK = '<li class="ofrecido"><a href="{address}" download>{icon}{text} ({size})</a></li>\n      '
ICON = '<i class="fa-solid fa-file-pdf"></i>'
OFFERED = re.compile(r'<li class="ofrecido">.*?</li>\s*', re.DOTALL)


def megabytes(path: Path) -> str:
    """Lo que pesa un archivo, como se escribe en español."""
    return f"{path.stat().st_size / 1e6:.1f} MB".replace(".", ",")


def offer(site: Path, printed: Path) -> int:
    """Copia los PDF al sitio y los enlaza; devuelve cuántas páginas ofrecen uno."""
    shutil.rmtree(site / FOLDER, ignore_errors=True)
    shutil.copytree(printed, site / FOLDER)
    offered = 0
    for page in sorted((site / "chapters").rglob("*.html")):
        own = site / FOLDER / f"{page.stem}.pdf"
        links = [("Descargar en PDF", own)] if own.exists() else []
        if page == site / HOME:
            links = [("El libro entero en PDF", site / FOLDER / BOOK)]
        text = OFFERED.sub("", page.read_text(encoding="utf-8"))
        entries = "".join(entry(page, *link) for link in links)
        page.write_text(text.replace(ENTRY, entries + ENTRY, 1), encoding="utf-8")
        offered += bool(links)
    return offered


def entry(page: Path, text: str, pdf: Path) -> str:
    """La entrada del menú que baja un PDF."""
    address = Path(os.path.relpath(pdf, page.parent)).as_posix()
    return LINK.format(address=address, icon=ICON, text=text, size=megabytes(pdf))


if __name__ == "__main__":
    if not (PRINTED / BOOK).exists():
        sys.exit(f"Error: falta {PRINTED / BOOK}: ejecuta antes «make pdf»")
    print(f"» {offer(SITE, PRINTED)} páginas ofrecen su PDF")
