"""Las tablas con la esquina vacía: su primera columna dice de qué es cada fila.

Quien mira lo ve; un lector de pantalla, que lee casilla a casilla, solo si es un encabezado.
"""

from docutils import nodes


def mark(_app, doctree) -> None:
    """Hace encabezado de cada fila su primera casilla, si la de la cabecera está vacía.

    Y quita la cabecera que está vacía entera: Markdown obliga a escribirla.
    """
    for group in doctree.findall(nodes.tgroup):
        head = next(group.findall(nodes.thead), None)
        if head is None or next(head.findall(nodes.entry)).astext().strip():
            continue
        next(group.findall(nodes.colspec))["stub"] = 1
        if not head.astext().strip():
            group.remove(head)


def setup_row_heads(app) -> None:
    """Conecta el repaso de las tablas con la lectura de cada página."""
    app.connect("doctree-read", mark)
