"""Cuestionario: lo que acepta, lo que guarda y cómo se responde en una página."""

import re

import pytest

from tests.site.static_page import open_page, overflow, write_page
from tfcourse.quiz import Option, Question, Quiz


def bottleneck() -> Question:
    return Question(
        "¿Qué limita a `Seq2Seq`?",
        [
            Option("La GRU", False, "Es lenta, pero recuerda."),
            Option("El vector \\(c < n\\)", True, "No crece con la entrada."),
            Option("El <fin>", False, "Solo dice dónde parar."),
        ],
    )


def rows() -> Question:
    return Question(
        "¿Qué suma 1?",
        [
            Option("Cada columna", False, "Una entrada puede no interesar a nadie."),
            Option("Cada fila", True, "Cada salida reparte una unidad."),
        ],
    )


def quiz(key: str = "atencion") -> Quiz:
    return Quiz(key, [bottleneck(), rows()])


# --- Datos -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: Option("", True, "x"), ValueError, "text='': se esperaba un texto"),
        (lambda: Option("a", 1, "x"), TypeError, "correct=1 en «a»: usa True o False"),
        (lambda: Option("a", True, " "), ValueError, "la opción «a» no tiene explicación"),
        (lambda: Question("¿?", [Option("a", True, "x")]), ValueError, "tiene 1 opciones"),
        (lambda: two_options(True, True), ValueError, "tiene 2 opciones correctas y se esperaba 1"),
        (lambda: two_options(False, False), ValueError, "tiene 0 opciones correctas"),
        (lambda: two_options(True, False, text="a"), ValueError, "repite opciones"),
        (
            lambda: Question("¿?", ["a", "b"]),
            TypeError,
            r"options\[0\] es str y se esperaba Option",
        ),
        (lambda: Quiz("Atención", [rows()]), ValueError, "key='Atención' no sirve"),
        (lambda: Quiz("vacio", []), ValueError, "«vacio» no tiene preguntas"),
        (lambda: Quiz("malo", [1]), TypeError, r"questions\[0\] es int"),
    ],
)
@pytest.mark.usefixtures("sin_tipos")
def test_bad_quizzes_are_rejected(build, error, message):
    with pytest.raises(error, match=message):
        build()


def two_options(first: bool, second: bool, text: str = "b") -> Question:
    return Question("¿?", [Option("a", first, "x"), Option(text, second, "y")])


def test_plain_text_asks_without_answering():
    text = repr(quiz())
    assert text == (
        "Cuestionario «atencion»\n\n1. ¿Qué limita a `Seq2Seq`?\n   a) La GRU\n"
        "   b) El vector \\(c < n\\)\n   c) El <fin>\n\n"
        "2. ¿Qué suma 1?\n   a) Cada columna\n   b) Cada fila"
    )


def test_html_is_the_same_in_every_run():
    assert quiz()._repr_html_() == quiz()._repr_html_()
    assert 'id="cuestionario-atencion"' in quiz()._repr_html_()


def test_html_escapes_and_marks_code():
    html = quiz()._repr_html_()
    assert "<code>Seq2Seq</code>" in html
    assert "El &lt;fin&gt;" in html and "<fin>" not in html
    assert "\\(c &lt; n\\)" in html and "tex2jax_process" in html


def test_html_is_self_contained():
    html = quiz()._repr_html_()
    assert not re.search(r"https?:|@import|url\(|src=", html)
    assert len(html) < 15_000


def test_script_is_the_same_for_every_quiz():
    scripts = {
        re.search("<script>(.*)</script>", quiz(key)._repr_html_(), re.DOTALL).group(1)
        for key in ("uno", "dos")
    }
    assert len(scripts) == 1


# --- En una página -----------------------------------------------------------------------------


@pytest.fixture
def show(browser, tmp_path):
    """Abre una página con cuestionarios; al acabar, exige que no haya errores ni red."""
    pages = []

    def show_quizzes(*quizzes, **options):
        body = "".join(item._repr_html_() for item in quizzes)
        pages.append(open_page(browser, write_page(tmp_path, body=body), **options))
        return pages[-1]

    yield show_quizzes
    for page in pages:
        assert page.problems == []
        page.close()


def question(page, number: int):
    return page.locator("form").nth(number - 1)


def answer(page, number: int, text: str):
    """Responde con el ratón y devuelve lo que la página contesta."""
    form = question(page, number)
    form.get_by_label(text).check()
    form.get_by_role("button", name="Comprobar").click()
    return form.get_by_role("status").inner_text()


def test_wrong_answer_shows_its_own_explanation(show):
    page = show(quiz())
    assert answer(page, 1, "El <fin>") == "✗ No es esa. Solo dice dónde parar."
    assert answer(page, 1, "La GRU") == "✗ No es esa. Es lenta, pero recuerda."
    assert answer(page, 1, "El vector") == "✓ ¡Correcto! No crece con la entrada."


def test_score_counts_the_first_try(show):
    page = show(quiz())
    score = page.locator(".tfc-score")
    again = page.get_by_role("button", name="Volver a intentarlo")
    answer(page, 1, "La GRU")
    assert score.inner_text() == "Respondidas: 1 de 2." and not again.is_visible()
    answer(page, 1, "El vector")
    answer(page, 2, "Cada fila")
    assert score.inner_text() == "Aciertos a la primera: 1 de 2."
    again.click()
    assert score.inner_text() == "" and not again.is_visible()
    assert page.locator("input:checked").count() == 0
    assert page.locator(".tfc-feedback").all_inner_texts() == ["", ""]
    answer(page, 1, "El vector")
    answer(page, 2, "Cada fila")
    assert score.inner_text() == "Aciertos a la primera: 2 de 2."


def test_solved_by_keyboard_only(show):
    page = show(quiz())
    page.keyboard.press("Tab")
    # La marca con la que JupyterLab deja las flechas al cuestionario.
    assert page.locator(":focus[data-lm-suppress-shortcuts]").count() == 1
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert question(page, 1).get_by_role("status").inner_text().startswith("✓ ¡Correcto!")
    page.keyboard.press("Tab")  # «Ver la respuesta»
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # desde la propia opción
    assert page.locator(".tfc-score").inner_text() == "Aciertos a la primera: 2 de 2."
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(":focus").get_attribute("value") == "a"


def test_checking_without_choosing_asks_to_choose(show):
    page = show(quiz())
    question(page, 1).get_by_role("button", name="Comprobar").click()
    assert question(page, 1).get_by_role("status").inner_text() == "Elige antes una opción."
    assert page.locator(".tfc-score").inner_text() == ""


def test_quizzes_on_one_page_do_not_interfere(show):
    page = show(quiz("uno"), quiz("dos"), quiz("dos"))
    answer(page, 1, "La GRU")
    answer(page, 4, "Cada fila")
    scores = page.locator(".tfc-score").all_inner_texts()
    assert scores == ["Respondidas: 1 de 2.", "Respondidas: 1 de 2.", ""]
    answer(page, 5, "El vector")  # misma clave, como al repetir una celda
    assert question(page, 3).locator("input:checked").count() == 0
    answer(page, 2, "Cada fila")
    assert page.locator(".tfc-score").nth(0).inner_text() == "Aciertos a la primera: 1 de 2."


def test_feedback_is_announced_once(show):
    page = show(quiz("uno"), quiz("dos"), quiz("tres"))
    page.evaluate(
        """() => {
          window.announced = 0;
          new MutationObserver((changes) => {
            const added = changes.flatMap((change) => [...change.addedNodes]);
            window.announced += added.filter((node) => node.tagName === "STRONG").length;
          }).observe(document.querySelector(".tfc-feedback"), { childList: true });
        }"""
    )
    answer(page, 1, "La GRU")
    assert page.evaluate("window.announced") == 1


def test_script_leaves_nothing_global(show):
    names = "Object.getOwnPropertyNames(window).sort()"
    assert show(quiz()).evaluate(names) == show().evaluate(names)


def test_useful_without_javascript(show):
    page = show(quiz(), java_script_enabled=False)
    form = question(page, 2)
    assert not form.get_by_role("button", name="Comprobar").is_visible()
    form.get_by_text("Ver la respuesta").click()
    assert form.get_by_text("b) ✓ Correcta. Cada salida reparte una unidad.").is_visible()


def test_printed_answers_only_on_paper(show):
    page = show(quiz())
    printed = page.get_by_text("Soluciones: 1 b · 2 b.")
    assert not printed.is_visible()
    page.emulate_media(media="print")
    assert printed.is_visible()
    assert not page.get_by_role("button", name="Comprobar").first.is_visible()


def test_fits_a_phone(show):
    page = show(quiz(), width=360)
    answer(page, 1, "La GRU")
    assert overflow(page) <= 0
