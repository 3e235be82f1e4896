"""Construye el sitio desde cero con las salidas guardadas: un aviso es un error.

Desde cero porque Sphinx no repite los avisos de una página que ya construyó, y porque los restos de
una construcción que falló estropean la siguiente.
"""

import gc
import shutil
import sys

from jupyter_book.cli.main import main

# Los árboles de las páginas son millones de objetos que viven hasta el final: repasarlos tan a
# menudo como por defecto cuesta la quinta parte del tiempo y apenas ahorra memoria.
gc.set_threshold(200_000, 20, 100)

for leftover in ("_build/html", "_build/.doctrees", "_build/jupyter_execute"):
    shutil.rmtree(leftover, ignore_errors=True)
try:
    main(["build", ".", "--all", "-W", "--keep-going", "-q"], standalone_mode=False)
except RuntimeError:
    sys.exit("Error: el sitio no se construye sin avisos: mira las líneas de arriba")
