"""El espejo caza lo que cambia el significado y perdona lo que no."""

import ast

import nbformat
import pytest

from workshop import mirror

NAME = "tfcourse.layers.attention.attention_weights"


def notebook(tmp_path, *sources, name="cuaderno.ipynb"):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    path = tmp_path / name
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def faithful(name=NAME):
    return f"# espejo: {name}\n{mirror.without_annotations(mirror.package_source(name))}"


def test_faithful_copy_passes(tmp_path):
    assert mirror.check([notebook(tmp_path, "x = 1", faithful())]) == []


@pytest.mark.parametrize(
    ("planted", "into"),
    [
        ("/ math.sqrt", "* math.sqrt"),
        ("+ bias", "- bias"),
        ("mask=None", "mask=1"),
        ("-2, -1", "-1, -2"),
    ],
)
def test_changed_operator_or_default_is_caught(tmp_path, planted, into):
    source = faithful()
    assert planted in source
    path = notebook(tmp_path, "x = 1", source.replace(planted, into))
    (difference,) = mirror.check([path])
    assert difference.cell == 2 and NAME in str(difference)
    assert "no dice lo mismo que el paquete" in difference.reason


def test_renamed_variable_is_caught(tmp_path):
    assert mirror.check([notebook(tmp_path, faithful().replace("scores", "puntajes"))])


def test_comments_docstrings_and_annotations_do_not_count(tmp_path):
    source = faithful().replace("def attention_weights(", "# un comentario\ndef attention_weights(")
    source = source.replace("softmax(QKᵀ/√d_k + sesgo)", "otra explicación").replace(
        "mask=None", "mask: object = None"
    )
    assert mirror.check([notebook(tmp_path, source)]) == []


def test_missing_object_and_broken_cell(tmp_path):
    path = notebook(
        tmp_path, "# espejo: tfcourse.layers.no_existe\npass", f"# espejo: {NAME}\ndef ("
    )
    reasons = [difference.reason for difference in mirror.check([path])]
    assert "no existe en el paquete" in reasons[0] and "no es Python válido" in reasons[1]


def test_one_home_for_each_object(tmp_path):
    first = notebook(tmp_path, faithful(), name="a.ipynb")
    second = notebook(tmp_path, faithful(), name="b.ipynb")
    (difference,) = mirror.check([first, second])
    assert "una sola casa" in difference.reason


def test_exercises_may_repeat_what_a_chapter_teaches(tmp_path):
    chapter = notebook(tmp_path, faithful(), name="a.ipynb")
    exercises = notebook(tmp_path, faithful(), name="a_ejercicios.ipynb")
    assert mirror.check([chapter, exercises]) == []


def test_write_fills_and_repairs(tmp_path):
    path = notebook(tmp_path, f"# espejo: {NAME}", faithful().replace("+ bias", "- bias"))
    assert mirror.write([path]) == [path]
    for cell in nbformat.read(path, as_version=4).cells:
        assert mirror._difference(NAME, cell.source) is None
    assert mirror.write([path]) == []


def test_several_objects_share_a_cell_and_each_is_held(tmp_path):
    other = "tfcourse.layers.attention.attention"
    both = f"{faithful()}\n\n\n{faithful(other)}"
    assert mirror.check([notebook(tmp_path, both)]) == []
    path = notebook(tmp_path, both.replace("+ bias", "- bias"))
    (difference,) = mirror.check([path])
    assert difference.name == NAME
    path = notebook(tmp_path, f"{faithful()}\n# espejo: {other}")  # la segunda, sin escribir
    (difference,) = mirror.check([path])
    assert difference.name == other
    assert mirror.write([path]) == [path]
    assert nbformat.read(path, as_version=4).cells[0].source == both
    repeated = notebook(tmp_path, both, faithful(other), name="otro.ipynb")
    assert "una sola casa" in str(mirror.check([repeated])[0])


ANNOTATED = """\
def f(
    x: int = 3,  # nota
    *rest: str,
    key: dict[str, int] | None = None,
) -> tuple[int, int]:
    y: int = x
    return y, y"""

PLAIN = """\
def f(
    x=3,  # nota
    *rest,
    key=None,
):
    y: int = x
    return y, y"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (ANNOTATED, PLAIN),
        ('def f(a: str = "ñé", b: int = 1) -> str: ...', 'def f(a="ñé", b=1): ...'),
        (
            "def f(a: (int | None)=None) -> (\n  int\n):  # ->\n  pass",
            "def f(a=None):  # ->\n  pass",
        ),
        ("def f(a=1, /, *, b: int): ...", "def f(a=1, /, *, b): ..."),
    ],
)
def test_annotations_are_removed_from_the_text(source, expected):
    assert mirror.without_annotations(source) == expected


FUNCTION = """
def f():
    total = 0
    for x in y:
        z = x
"""


def test_annotated_variables_of_a_function_do_not_count_and_fields_do():
    annotated = FUNCTION.replace("total", "other: list\n    total: int").replace("z =", "z: int =")
    assert mirror._essence(annotated) == mirror._essence(FUNCTION)
    assert mirror._essence("class C:\n    x: int = 3") != mirror._essence("class C:\n    x = 3")


@pytest.mark.parametrize(
    "name",
    [
        "tfcourse.layers.attention.MultiHeadAttention",
        "tfcourse.models.seq2seq.BahdanauDecoder",
        "tfcourse.decoding.greedy_decode",
        "tfcourse.layers.recurrent.cells.LSTMCell",
    ],
)
def test_removing_annotations_keeps_the_meaning(name):
    original = mirror.package_source(name)
    stripped = mirror.without_annotations(original)
    assert mirror._essence(stripped) == mirror._essence(original)
    for node in ast.walk(ast.parse(stripped)):
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None and not any(a.annotation for a in mirror._arguments(node))


def test_signature_split_only_by_its_annotations_is_joined():
    head = "class A:\n    def f("
    source = head + "\n        self, x: int, *, y: str = 'a'\n    ) -> int:\n        return x"
    expected = "class A:\n    def f(self, x, *, y='a'):\n        return x"
    assert mirror.without_annotations(source) == expected
    commented = "def f(\n    x: int,  # nota\n    y: int,\n) -> int:\n    return x"
    assert "# nota\n" in mirror.without_annotations(commented)
