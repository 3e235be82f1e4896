"""Los iconos del sitio: ninguno es una letra de una tipografía de iconos, que aquí no se carga."""

import pytest

pytestmark = pytest.mark.lento

# Lo que CSS escribe delante y detrás de cada elemento, si trae letras de uso privado. Donde hay una
# máscara, el icono es el dibujo, y la letra solo le da el color.
PRIVATE = """() => [...document.querySelectorAll("body *")].filter(
  (element) => getComputedStyle(element).maskImage === "none").flatMap((element) =>
  ["::before", "::after"].filter((part) => {
    const style = getComputedStyle(element, part);
    return style.display !== "none" && /[\\uE000-\\uF8FF]/.test(style.content);
  }).map((part) => `${element.tagName}.${element.className}${part}`))"""
PAGES = (
    "chapters/intro",
    "chapters/glosario",
    "chapters/1_recurrencia/redes_recurrentes",
    "chapters/1_recurrencia/redes_recurrentes_ejercicios",
    "chapters/6_multimodal/gato",
)


def private_letters(browser, address: str) -> list[str]:
    """Los elementos que muestran un icono que saldría como un rectángulo vacío."""
    page = browser.new_page()
    page.goto(address, wait_until="load")
    found = page.evaluate(PRIVATE)
    page.close()
    return sorted(set(found))


@pytest.mark.parametrize("name", PAGES)
def test_every_icon_is_a_letter_that_everyone_has(site, browser, name):
    assert private_letters(browser, (site / f"{name}.html").as_uri()) == []


def test_a_missing_icon_is_noticed(browser, tmp_path):
    (tmp_path / "p.html").write_text(
        '<meta charset="utf-8"><style>p::after{content:"\\f303"}</style><p class="a">Ejercicio</p>'
    )
    assert private_letters(browser, (tmp_path / "p.html").as_uri()) == ["P.a::after"]
