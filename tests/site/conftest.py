"""Lo común a las pruebas del sitio."""

import pytest

from tests.site.static_page import open_browser


@pytest.fixture(scope="session")
def browser():
    """Un navegador para todas: abrirlo cuesta más que muchas de ellas."""
    with open_browser() as opened:
        yield opened
