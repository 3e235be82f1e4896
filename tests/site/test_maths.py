"""Las fórmulas del sitio: compuestas al construir, legibles en voz alta y sin guiones."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from docutils import nodes

from tests.conftest import ROOT
from tests.site.pages import page_paths, parse

maths = pytest.importorskip("course_site.maths", reason="falta sphinx (extra «libro»)")
node = pytest.importorskip("course_site.node")

pytestmark = pytest.mark.lento
CODE = ("pre", "code", "script", "style", "annotation")
ONE_WITH_FORMULAS = "chapters/1_recurrencia/secuencia_a_secuencia.html"

# Con índices solos, dobles y anidados, operadores, raíces, acentos, texto y delimitadores.
COMPOSED = [
    "x",
    r"h_{t-1}",
    r"x_i^2 + W_{xh}^\top e^{-x_k^2}",
    r"\sum_{i=1}^{n} a_i \le \sqrt{d_k}, \quad \tilde x_{\text{máx}} \in \mathbb{R}^{d \times m}",
    r"\operatorname{softmax}\!\left(\frac{q^\top k_j}{\sqrt{d}}\right)_{\!j} \mathbf{V}_{:, 1}",
    r"\mathcal{L}_{\text{et}} = \underbrace{\lVert a_n - b^{\frac12} \rVert^2}_{\text{uno}}",
]
PLAIN_KATEX = """
const formulas = JSON.parse(process.argv[1]);
console.log(JSON.stringify(formulas.map((tex) => katex.renderToString(tex, { strict: false }))));
"""
# Cada signo que se ve de cada fórmula y su sitio en el renglón.
SIGNS = """async (formulas) => {
  const box = document.createElement("div");
  const line = (html) => `<p class="puesta">Antes <span class="math">${html}</span></p>`;
  box.innerHTML = formulas.map(line).join("");
  document.querySelector(".bd-article section").prepend(box);
  box.getBoundingClientRect();
  await document.fonts.ready;
  const found = [...box.querySelectorAll(".puesta")].map((line) => {
    const start = line.getBoundingClientRect();
    const shown = line.querySelector(".katex-html");
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    const signs = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      for (let place = 0; place < text.length; place++) {
        if (!text.data[place].trim() || text.data[place] === "\u200b") continue;
        const range = document.createRange();
        range.setStart(text, place);
        range.setEnd(text, place + 1);
        const { left, top, width, height } = range.getBoundingClientRect();
        signs.push([text.data[place], left - start.left, top - start.top, width, height]);
      }
    }
    return signs;
  });
  box.remove();
  return found;
}"""


@pytest.fixture
def needs_node(site):
    """KaTeX está instalado: sin él no habría sitio."""


def test_every_formula_is_typeset_and_carries_mathml(site):
    counted = 0
    raw = re.compile(r"\\[(\[]|\$\$")
    for page in page_paths(site):
        for formula in parse(page).select("article .math"):
            counted += 1
            assert formula.select_one(".katex-mathml math annotation"), (page, formula.get_text())
            assert formula.select_one(".katex-html[aria-hidden=true]"), page
            assert not formula.select_one(".katex-error"), page
        loose = [text for text in parse(page).find_all(string=raw) if not text.find_parent(CODE)]
        assert not loose, (page, loose[:3])
    assert counted > 500


def test_style_of_formulas_is_local_and_only_where_needed(site):
    for page in page_paths(site):
        has_formulas = parse(page).select_one(".katex") is not None
        assert bool(parse(page).select('link[href*="katex"]')) == has_formulas, page
    style = (site / maths.STYLE).read_text(encoding="utf-8")
    assert "url(http" not in style and ".ttf" not in style
    assert len(list((site / maths.FOLDER / "fonts").glob("*.woff2"))) == style.count("url(")


def test_screen_reader_finds_the_formulas(site, browser):
    """El navegador ofrece cada fórmula como matemáticas, aunque la página no ejecute guiones."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / ONE_WITH_FORMULAS).as_uri())
    tree = context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    context.close()
    roles = [item["role"]["value"] for item in tree if not item["ignored"] and "role" in item]
    formulas = parse(site / ONE_WITH_FORMULAS).select("math:not(.por-renglones *)")
    shown = [one for one in formulas if not one.find_parent("details", open=False)]
    assert roles.count("MathMLMath") == len(shown) > 50


def test_fewer_boxes_leave_every_sign_in_its_place(site, browser, needs_node):
    """La misma fórmula, como la compone KaTeX y como queda: cada signo, en el mismo punto."""
    code = (
        f"import katex from {(node.package('katex') / 'dist/katex.mjs').as_uri()!r};{PLAIN_KATEX}"
    )
    command = [node.program("node"), "--input-type=module", "-e", code, json.dumps(COMPOSED)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    plain = json.loads(done.stdout)
    ours = [maths.typeset(tex, False)["html"] for tex in COMPOSED]
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    page.goto((site / ONE_WITH_FORMULAS).as_uri())
    places = [page.evaluate(SIGNS, formulas) for formulas in (plain, ours)]
    page.close()
    for tex, before, after in zip(COMPOSED, *places, strict=True):
        assert [sign for sign, *_ in before] == [sign for sign, *_ in after], tex
        far = max(abs(a - b) for one, other in zip(before, after, strict=True)
                  for a, b in zip(one[1:], other[1:], strict=True))  # fmt: skip
        assert far < 0.5, (tex, far)
    boxes = [sum(html.count("<span") for html in formulas) for formulas in (plain, ours)]
    assert boxes[1] < 0.75 * boxes[0]
    assert "vlist" not in ours[0] and "vlist" in ours[2]


def test_wrong_formula_is_explained(needs_node):
    assert "html" in maths.typeset(r"\frac{1}{2}", False)
    assert "html" in maths.typeset(r"x_\text{posición}", True)
    assert "expected '}'" in maths.typeset(r"\frac{1}{", True)["error"]
    assert "Undefined" in maths.typeset(r"\desconocida", False)["error"]


def test_formulas_of_a_quiz_are_typeset_and_the_rest_is_left(needs_node):
    quiz = r'<form class="tfc-question"><p>\(a &lt; b\)</p></form><pre>\(x\)</pre>'
    context = {"body": quiz}
    maths.typeset_quizzes(None, "", "", context, None)
    assert context["body"].count("<math") == 1 and r"<pre>\(x\)</pre>" in context["body"]
    with pytest.raises(maths.ExtensionError, match="mal escrita en un cuestionario"):
        maths.typeset_raw(r"\desconocida")


def test_wrong_formula_is_a_warning_of_the_build(needs_node, caplog, monkeypatch):
    warnings = []
    spy = SimpleNamespace(warning=lambda text, *values, location: warnings.append(text % values))
    monkeypatch.setattr(maths, "logger", spy)
    assert maths.formula(None, r"\desconocida", display=False) == ""
    assert warnings and "fórmula mal escrita" in warnings[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b", "a = b"),
        (r"a &= b \\ c &= d", r"\begin{split}a &= b \\ c &= d\end{split}"),
        ("a\n\nb", r"\begin{aligned}a\\b\end{aligned}"),
    ],
)
def test_blank_lines_of_a_formula(text, expected):
    assert maths.aligned(text) == expected


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("a = b", []),
        (r"\begin{split}\begin{aligned}a &= b, \\[2pt] & c\end{aligned}\end{split}",
         ["a = b,", "c"]),
        (r"\begin{aligned}a &= b && \text{uno} \\ c\end{aligned}",
         [r"a = b \quad  \text{uno}", "c"]),
        (r"\begin{split}\begin{cases}a & b\\c\end{cases}\end{split}",
         [r"\begin{cases}a & b\\c\end{cases}"]),
        (r"\begin{aligned}a &= \text{x & y} \\ b\end{aligned}", [r"a = \text{x & y}", "b"]),
    ],
)  # fmt: skip
def test_rows_of_an_aligned_formula(tex, expected):
    assert maths.rows(tex) == expected


def test_a_formula_breaks_first_at_its_wide_spaces(needs_node):
    tex = r"a = b, \qquad c = \text{x\quad y}"
    assert maths.breakable(tex) == r"a = b, \qquad\allowbreak  c = \text{x\quad y}"
    html = maths.block(None, tex)
    assert html.count('class="tramo"') == 2 and "allowbreak " not in html
    assert 'class="tramo"' not in maths.block(None, "a = b")


def test_long_rows_go_one_by_one_on_a_phone(needs_node):
    row = r"h_t &= \sigma(W_{xh} x_t + W_{hh} h_{t-1} + b_h)"
    html = maths.block(None, rf"\begin{{aligned}}{row} \\ {row}\end{{aligned}}")
    lines = html.partition('class="por-renglones"')[2]
    assert lines.count("<math") == 2 and html.count("<math") == 3
    assert "por-renglones" not in maths.block(None, r"\begin{aligned}a &= b \\ c\end{aligned}")


def test_a_sign_stays_with_its_formula():
    paragraph = nodes.paragraph()
    x, y = (nodes.math(name, name) for name in "xy")
    paragraph += [nodes.Text("Con ("), x, nodes.Text("), dos; "), y]
    maths.keep_together(None, paragraph, "")
    (joined,) = paragraph.findall(nodes.inline)
    assert joined.astext() == "(x)," and joined["classes"] == ["junto"]
    assert paragraph.astext() == "Con (x), dos; y"


def test_missing_node_is_explained_in_spanish(monkeypatch, tmp_path):
    monkeypatch.setattr(node.shutil, "which", lambda *_, **__: None)
    with pytest.raises(node.NodeError, match="no se encuentra «node».*make preparar"):
        node.install()
    monkeypatch.setattr(node, "FOLDER", tmp_path)
    with pytest.raises(node.NodeError, match="falta la herramienta «katex».*make libro"):
        node.package("katex")


def test_old_node_is_refused(monkeypatch, tmp_path):
    fake = tmp_path / "node"
    fake.write_text("#!/bin/sh\necho v16.3.0\n")
    fake.chmod(0o755)
    monkeypatch.setattr(node, "program", lambda _: str(fake))
    with pytest.raises(node.NodeError, match="es el v16.3.0: hace falta Node 20"):
        node.install()


def test_installing_without_node_ends_with_one_spanish_line():
    script = ROOT / "chapters/_sitio/course_site/node.py"
    code = (
        "import shutil, runpy; shutil.which = lambda *_, **__: None; "
        f"import sys; sys.argv = ['', '.ci']; runpy.run_path({str(script)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: no se encuentra") and "Traceback" not in done.stderr
