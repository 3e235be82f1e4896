"""Figuras interactivas en una página estática: ratón, teclado, dedo, tamaño y avisos."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site.static_page import ROOT, open_page, overflow, widget_state, write_page
from tests.widgets.examples import SOURCE, TARGET, date_example, word_example
from tfcourse.widgets import AlignmentWidget
from tfcourse.widgets.stored import stabilize_widgets


@pytest.fixture
def show(browser, tmp_path):
    """Abre una página con una figura; al acabar, exige que no haya errores ni red."""
    pages = []

    def show_widgets(*widgets, **options):
        models = {f"m{i}": widget_state(widget) for i, widget in enumerate(widgets)}
        pages.append(
            open_page(browser, write_page(tmp_path, models=models, views=models), **options)
        )
        pages[-1].wait_for_selector(".tfc-token")
        return pages[-1]

    yield show_widgets
    for page in pages:
        assert page.problems == []
        page.close()


def weights_shown(page) -> list[str]:
    """El peso escrito bajo cada símbolo de la fila que no se elige."""
    return page.locator(".tfc-weight").all_inner_texts()


def fill_of(page, index: int) -> str:
    return (
        page.locator("[role=listitem]").nth(index).evaluate("e => e.style.getPropertyValue('--w')")
    )


def test_hover_shades_the_source_and_says_the_weight(show):
    page = show(AlignmentWidget([date_example()]))
    page.locator("[role=option]").nth(2).hover()
    assert fill_of(page, 24) == "0.95"
    assert fill_of(page, 22) == "0.002"
    assert weights_shown(page)[24] == "0,95"
    assert page.get_by_role("status").inner_text() == (
        "«8» (salida 3 de 10) mira sobre todo a «8» (entrada 25 de 26): 0,95."
    )
    opacity = "e => Number(getComputedStyle(e, '::before').opacity)"
    page.wait_for_timeout(250)
    tokens = page.locator("[role=listitem]")
    assert tokens.nth(24).evaluate(opacity) > 50 * tokens.nth(22).evaluate(opacity) > 0


def test_keyboard_moves_along_the_output(show):
    page = show(AlignmentWidget([date_example()]))
    page.get_by_label("la salida", exact=True).focus()
    page.keyboard.press("Tab")
    selected = page.locator("[aria-selected=true]")
    assert page.locator(":focus").inner_text() == selected.inner_text() != ""
    for key, expected in [
        ("ArrowRight", "«9» (salida 2 de 10)"),
        ("End", "«5» (salida 10 de 10)"),
        ("ArrowRight", "«5» (salida 10 de 10)"),
        ("ArrowLeft", "«0» (salida 9 de 10)"),
        ("Home", "«1» (salida 1 de 10)"),
    ]:
        page.keyboard.press(key)
        assert page.get_by_role("status").inner_text().startswith(expected), key
        assert page.locator("[role=option]:focus").get_attribute("aria-selected") == "true"
    assert page.locator("[role=option][tabindex='0']").count() == 1
    # La marca con la que JupyterLab deja las flechas a la figura.
    assert page.locator(":focus[data-lm-suppress-shortcuts]").count() == 1


def test_touch_selects(show):
    page = show(AlignmentWidget([date_example()]), width=360, has_touch=True)
    page.locator("[role=option]").nth(3).tap()
    assert page.get_by_role("status").inner_text().startswith("«7» (salida 4 de 10)")
    # Un lector de pantalla activa sin puntero ni foco.
    page.locator("[role=option]").nth(1).dispatch_event("click")
    assert page.get_by_role("status").inner_text().startswith("«9» (salida 2 de 10)")


def test_example_can_be_changed(show):
    page = show(AlignmentWidget([date_example(), word_example()]))
    page.get_by_label("Ejemplo").select_option(label="Palabras")
    assert page.get_by_role("option", name="casa").is_visible()
    assert weights_shown(page)[:2] == ["0,70", "0,30"]
    assert page.get_by_role("status").inner_text() == (
        "«la» (salida 1 de 3) mira sobre todo a «the» (entrada 1 de 3): 0,70. Después, «red», 0,30."
    )


def test_toggle_looks_from_the_source(show):
    page = show(AlignmentWidget([word_example()]))
    page.get_by_role("option", name="casa").click()
    page.get_by_label("la entrada", exact=True).check()
    # Se salta a la entrada a la que más miraba la salida elegida.
    assert page.get_by_role("status").inner_text() == (
        "A «house» (entrada 3 de 3) la mira sobre todo «casa» (salida 2 de 3): 0,80."
    )
    page.get_by_role("option", name="the").click()
    assert weights_shown(page)[:2] == ["0,70", "0,20"]


def test_row_without_weights_is_said(show):
    page = show(AlignmentWidget([word_example()]))
    page.get_by_role("option", name="azul").click()
    assert (
        page.get_by_role("status").inner_text()
        == "«azul» (salida 3 de 3) no mira a ninguna entrada."
    )


def test_reference_marks_mistakes_with_words(show):
    page = show(AlignmentWidget([word_example(), date_example(reference=TARGET)]))
    assert "✗ la salida difiere en 1 símbolo" in page.locator(".tfc-reference").inner_text()
    assert page.get_by_role("option", name="azul, equivocado").count() == 1
    page.get_by_label("Ejemplo").select_option("1")
    assert "✓ la salida coincide" in page.locator(".tfc-reference").inner_text()


def test_spaces_are_visible(show):
    page = show(AlignmentWidget([date_example()]))
    spaces = page.locator("[role=listitem]").filter(has_text="espacio")
    assert spaces.count() == SOURCE.count(" ")
    assert spaces.first.locator(".tfc-glyph").inner_text() == "␣"


def test_fits_a_phone_without_splitting_words(show):
    page = show(AlignmentWidget([date_example(), word_example()]), width=360)
    assert overflow(page) <= 0
    tokens = page.locator("[role=listitem]").all()[: SOURCE.index(" ")]
    assert len({token.bounding_box()["y"] for token in tokens}) == 1
    page.get_by_label("Ejemplo").select_option("1")
    assert overflow(page) <= 0


def test_figure_keeps_its_height_while_exploring(show):
    page = show(AlignmentWidget([word_example()]), width=360)
    heights = set()
    for token in page.locator("[role=option]").all():
        token.click()
        heights.add(page.locator(".tfc-alignment").bounding_box()["height"])
    assert len(heights) == 1


def test_two_figures_do_not_interfere(show):
    page = show(AlignmentWidget([word_example()]), AlignmentWidget([word_example()]))
    first, second = page.locator(".tfc-alignment").all()
    first.get_by_label("la entrada", exact=True).check()
    assert second.get_by_label("la salida", exact=True).is_checked()
    assert page.locator("head style").count() == 1


def test_new_examples_redraw_the_figure(show):
    widget = AlignmentWidget([word_example()])
    widget._esm = widget._esm.replace(
        "export default { render };",
        "export default { initialize: ({ model }) => (window.model = model), render };",
    )
    page = show(widget)
    page.evaluate(
        "window.model.set('examples', [{...window.model.get('examples')[0], title: 'Otro'}])"
    )
    assert page.get_by_label("Ejemplo").inner_text() == "Otro"


@pytest.mark.parametrize(
    ("state", "notice"),
    [
        (None, "La página no guarda los datos de este control"),
        ({"value": 1}, "Este control necesita un cuaderno en marcha: ábrelo en Colab."),
        ({"_esm": "throw new Error('rota')"}, "No se ha podido mostrar este control (rota)"),
        ({"_esm": "export default {"}, "No se ha podido mostrar este control"),
    ],
)
def test_host_explains_what_it_cannot_show(browser, tmp_path, state, notice):
    models = {} if state is None else {"m": {"state": state}}
    page = open_page(browser, write_page(tmp_path, models=models, views=["m"]))
    page.get_by_text(notice).wait_for()
    assert page.problems == []
    page.close()


def test_figure_works_in_a_built_book(browser, tmp_path):
    """De punta a punta: cuaderno ejecutado, libro construido y figura movida en la página."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("jupyter_book", reason="falta jupyter-book")
    build_book(tmp_path, executed_notebook(nbformat.v4, nbclient))

    page = open_page(browser, tmp_path / "_build/html/figura.html")
    page.get_by_role("option", name="y").click()
    assert "«y» (salida 2 de 2) mira sobre todo a «b»" in page.get_by_role("status").inner_text()
    script = "script[src*='widgets.js']"
    assert page.locator(script).count() == 1
    assert "jsdelivr" not in page.content()
    page.goto((tmp_path / "_build/html/inicio.html").as_uri())
    assert page.locator(script).count() == 0
    page.close()


def executed_notebook(v4, nbclient):
    code = (
        "from tfcourse.widgets import AlignmentExample, AlignmentWidget\n"
        "example = AlignmentExample(['a', 'b'], ['x', 'y'], [[1, 0], [0, 1]], 'Mínimo')\n"
        "AlignmentWidget([example])"
    )
    notebook = v4.new_notebook(
        cells=[v4.new_markdown_cell("# Figura"), v4.new_code_cell(code)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbclient.NotebookClient(
        notebook, store_widget_state=True, resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    stabilize_widgets(notebook)
    return notebook


def build_book(folder, notebook):
    (folder / "figura.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (folder / "inicio.md").write_text("# Inicio\n", encoding="utf-8")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: inicio\nchapters:\n- file: figura\n", encoding="utf-8"
    )
    static = ROOT / "chapters/_sitio/static"
    (folder / "_config.yml").write_text(
        "title: Prueba\nexecute:\n  execute_notebooks: 'off'\nsphinx:\n  config:\n"
        f"    language: es\n    html_static_path: ['{static}']\n"
        "    nb_ipywidgets_js: {widgets.js: {loading_method: defer}}\n",
        encoding="utf-8",
    )
    command = [Path(sys.executable).with_name("jupyter-book"), "build", "-q", folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
