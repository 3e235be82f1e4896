"""Lo que piden las pruebas de `tests/claims` lo definen las recetas de su página.

Aquellas van por turnos; quitar una función de una receta ha de notarse en cada cambio.
"""

import ast
import re

import pytest

from tests.conftest import ROOT
from tests.recipes import recipe_sources

ASKS = re.compile(r'\b(?:chapter|page)\["(\w+)"\]')
CLAIMS = sorted(
    path
    for path in (ROOT / "tests/claims").glob("test_*.py")
    if ASKS.search(path.read_text(encoding="utf-8"))
)


def defined(page: str) -> set[str]:
    """Los nombres que dejan las celdas «receta» de un cuaderno."""
    names = set()
    for node in (node for source in recipe_sources(page) for node in ast.walk(ast.parse(source))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.stem)
def test_what_a_claim_asks_for_is_in_a_recipe(path):
    source = path.read_text(encoding="utf-8")
    pages = re.findall(r'recipe\("([^"]+)"', source)
    assert set(ASKS.findall(source)) <= set().union(*map(defined, pages))
