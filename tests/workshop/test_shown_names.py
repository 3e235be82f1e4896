"""El código que enseña un capítulo funciona también si se cambia: nada le falta por importar."""

import builtins
import symtable

import nbformat
import pytest

from tests.conftest import ROOT
from workshop.clocks.reading import MAGIC
from workshop.mirror import MARKER
from workshop.notebooks import book_notebooks

# Lo de esta sección tarda horas en una GPU, y se llama desde el paquete.
APART = "A escala real"


def used(table) -> set[str]:
    """Los nombres que se buscan fuera de cada función."""
    outside = table.get_type() == "module"
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (outside or symbol.is_global())
    }
    return names.union(*map(used, table.get_children()))


def defined(table) -> set[str]:
    """Los nombres que una celda deja en el cuaderno."""
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }


def missing(cells) -> dict[int, set[str]]:
    """Por celda que enseña código del paquete, los nombres que nadie da."""
    section, tables = "", {}
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            titles = [line[3:] for line in cell.source.splitlines() if line.startswith("## ")]
            section = titles[-1] if titles else section
        else:
            table = symtable.symtable(MAGIC.sub(r"\1pass", cell.source), f"celda {place}", "exec")
            shown = MARKER.match(cell.source) and section != APART
            tables[place] = table, shown
    known = set(dir(builtins)).union(*(defined(table) for table, _ in tables.values()))
    lost = {place: used(table) - known for place, (table, shown) in tables.items() if shown}
    return {place: names for place, names in lost.items() if names}


@pytest.mark.parametrize("path", book_notebooks(ROOT), ids=lambda path: path.stem)
def test_what_is_shown_has_all_that_it_uses(path):
    assert missing(nbformat.read(path, as_version=4).cells) == {}


def test_a_lost_name_is_found():
    code, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    shown = code("# espejo: tfcourse.x.f\ndef f(x):\n    return [g(len(x)) for y in x if K]")
    assert missing([shown]) == {0: {"g", "K"}}
    assert missing([code("from m import g\nK = 1"), shown]) == {}
    assert missing([text(f"## {APART}"), shown, text("## Otra"), shown]) == {3: {"g", "K"}}
