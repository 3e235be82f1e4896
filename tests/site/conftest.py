"""Lo común a las pruebas del sitio."""

import pytest

from tests.site.static_page import open_browser


@pytest.fixture(scope="module")
def browser():
    """Un navegador para las pruebas de un archivo."""
    with open_browser() as opened:
        yield opened
