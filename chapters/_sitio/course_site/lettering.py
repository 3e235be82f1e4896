"""La letra de los títulos, que viaja con el sitio y no se pide a nadie.

Es Atkinson Hyperlegible Next, dibujada para que no se confundan los signos que se parecen. El
paquete de npm la trae ya recortada al alfabeto latino, un archivo por grueso: basta el de negrita.
"""

import shutil
from pathlib import Path

from course_site.node import package

PACKAGE = "@fontsource/atkinson-hyperlegible-next"
FOLDER = "_static/letra"
FILE = "atkinson-hyperlegible-next-latin-700-normal.woff2"


def copy_letters(app, failure) -> None:
    """Lleva al sitio la letra y su licencia, que hay que dar con ella."""
    if failure or app.builder.format != "html":
        return
    source, target = package(PACKAGE), Path(app.outdir) / FOLDER
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "files" / FILE, target / "titulos.woff2")
    shutil.copy(source / "LICENSE", target / "LICENCIA.txt")


def setup_lettering(app) -> None:
    """Conecta la copia con el final de la construcción."""
    app.connect("build-finished", copy_letters)
