"""Del código de un artículo a lo que se lee de él."""

import pytest

from tfcourse.datasets.text.wikitext import prose


@pytest.mark.parametrize(
    ("code", "read"),
    [
        ("'''Lima''' es ''grande''.", "Lima es grande."),
        ("Nace en [[Lima]] y en [[Perú|el Perú]].", "Nace en Lima y en el Perú."),
        ("Uno<ref>Una nota.</ref> y<ref name=a /> dos<!-- no -->.", "Uno y dos."),
        ("{{Ficha|a={{b}}\n|c}}Texto.", "Texto."),
        ("{| class=x\n| una {| otra |}\n|}\nTexto.", "Texto."),
        ("[[Archivo:a.jpg|miniatura|Un [[río]].]]Texto.[[Categoría:Ríos]]", "Texto."),
        ("Mira [http://a.es esto] y [http://b.es].", "Mira esto y ."),
        ("== Título ==\nUno.\n* lista\n: sangría\n\nDos.", "Uno.\nDos."),
        ("Vale 3&nbsp;km<sup>2</sup>  justos.", "Vale 3 km2 justos."),
        ("Uno.\n== Referencias ==\nNo.\n== Notas ==\nTampoco.", "Uno."),
        ("Una llave {{ sin cerrar.", "Una llave {{ sin cerrar."),
    ],
)
def test_only_the_prose_is_left(code, read):
    assert prose(code) == read
