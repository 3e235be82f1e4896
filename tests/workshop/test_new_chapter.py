"""`make capitulo`: lo que crea corre y cumple las reglas; lo que no cuadra se dice sin escribir."""

import importlib.util
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
import yaml

from tests.conftest import ROOT
from tests.workshop.guide import walk_files
from tfcourse.training.budget import Steps
from tfcourse.weights import WINGS
from workshop import mirror
from workshop.house.rules import package_problems
from workshop.new_chapter import NewChapter, add_chapter
from workshop.new_chapter.chapter import MAX_TITLE
from workshop.new_chapter.skeleton import TO_WRITE, chapter_files
from workshop.notebooks import book_chapters, book_notebooks, find_chapter
from workshop.student_notebooks import check_student_notebooks

CHAPTER = NewChapter(
    slug="bisagra",
    title="Bisagra: una pieza que no existe",
    short="de la bisagra",
    question="¿Cómo se abre una puerta que no se ha construido?",
    part="2",
    wing="text",
    room="hinge",
    requires=("lstm_gru", "transformer_completo"),
    after="entrenar",
)
RECIPE = "tfcourse.text.hinge.recipe"


def copy_of_the_course(folder: Path) -> Path:
    """Lo que hace falta para empezar un capítulo: los índices y el código, sin los pesos."""
    for name in ("_toc.yml", "README.md", "pyproject.toml", "chapters/mapa.yml"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for path in (ROOT / "tfcourse").rglob("*.py"):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Un curso con el capítulo empezado, y lo que se creó y se cambió."""
    root = copy_of_the_course(tmp_path_factory.mktemp("curso"))
    return root, *add_chapter(root, CHAPTER)


def load(path: Path, name: str):
    """Un módulo, leído de un archivo que no está en el paquete."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def recipe(begun):
    """La receta recién creada, importable con su nombre mientras dura la prueba."""
    yield load(begun[0] / "tfcourse/text/hinge/recipe.py", RECIPE)
    del sys.modules[RECIPE]


def page(begun):
    return nbformat.read(begun[0] / "chapters/2_transformer/bisagra.ipynb", as_version=4)


def test_it_creates_the_files_of_the_guide(begun):
    """La lista de la guía es la de verdad: ni falta ni sobra ninguno."""
    root, created, changed = begun
    names = {"parte": "2_transformer", "capitulo": "bisagra", "ala": "text", "cuarto": "hinge"}
    assert {str(path) for path in (*created, *changed)} == walk_files("Un capítulo nuevo", names)
    assert all((root / path).exists() for path in created)


def test_the_numbers_of_the_next_chapters_shift(begun):
    before = {c.slug: c.number for c in book_chapters(ROOT)}
    after = {c.slug: c.number for c in book_chapters(begun[0])}
    own = after.pop("bisagra")
    assert own == before["entrenar"] + 1
    assert after == {slug: n + (n >= own) for slug, n in before.items()}
    assert find_chapter("bisagra", book_chapters(begun[0])).part == "2_transformer"
    assert [path.stem for path in book_notebooks(begun[0])] == ["bisagra", "bisagra_ejercicios"]


def test_the_indexes_keep_the_rest_as_it_was(begun):
    """Solo se añaden líneas, y el mapa dice del capítulo lo que dijo su autor."""
    for name in ("_toc.yml", "chapters/mapa.yml", "README.md"):
        new = (begun[0] / name).read_text(encoding="utf-8").splitlines()
        kept = [line for line in new if "bisagra" not in line.lower()]
        old = (ROOT / name).read_text(encoding="utf-8").splitlines()
        assert set(old) <= set(new) and len(kept) <= len(old) + 4
    parts = yaml.safe_load((begun[0] / "chapters/mapa.yml").read_text("utf-8"))["partes"]
    entries = [c for part in parts for c in part["capitulos"]]
    assert next(c for c in entries if c["slug"] == "bisagra") == {
        "slug": "bisagra", "titulo": CHAPTER.title, "corto": CHAPTER.short,
        "pregunta": CHAPTER.question, "requiere": list(CHAPTER.requires), "cuarto": ["hinge"],
    }  # fmt: skip


def test_the_rules_of_the_house_are_kept(begun):
    assert package_problems(begun[0]) == package_problems(ROOT)


@pytest.mark.parametrize("wing", WINGS)
def test_the_code_has_the_style_of_the_course(tmp_path, wing):
    """Con cualquier ala y con el título más largo que se admite."""
    for name in ("pyproject.toml", "_toc.yml", "chapters/mapa.yml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    chapter = replace(CHAPTER, wing=wing, title="a" * MAX_TITLE)
    files = chapter_files(tmp_path, chapter, chapter.place(tmp_path))
    code = {tmp_path / path: text for path, text in files.items() if path.suffix == ".py"}
    for path, text in code.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for order in (["check"], ["format", "--check"]):
        command = [sys.executable, "-m", "ruff", *order, "--no-cache", *map(str, code)]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.usefixtures("recipe")
def test_the_page_says_the_same_as_the_room(begun):
    assert mirror.check([begun[0] / "chapters/2_transformer/bisagra.ipynb"]) == []
    told = [p for p in check_student_notebooks(begun[0]) if "bisagra" in p]
    assert told == []


@pytest.mark.usefixtures("recipe")
def test_the_page_runs(begun, capsys):
    cells = [c for c in page(begun).cells if c.cell_type == "code"]
    assert "preparacion" in cells[0].metadata.tags and not any(c.outputs for c in cells)
    names = {}
    for cell in cells[1:]:
        exec(compile(cell.source, "página", "exec"), names)
    assert "pérdida: " in capsys.readouterr().out


def test_the_recipe_trains_a_step(recipe):
    done = recipe.train(recipe.Recipe(), 0, Steps(1))
    assert len(done.history.loss) == 1 and recipe.WEIGHTS == {}


def room_tests(begun):
    return load(begun[0] / "tests/text/hinge/test_recipe.py", "prueba_de_bisagra")


def test_the_tests_of_the_room_pass_and_can_fail(begun, recipe):
    tests = {name: f for name, f in vars(room_tests(begun)).items() if name.startswith("test_")}
    assert len(tests) == 4
    for test in tests.values():
        test()
    broken = room_tests(begun)
    broken.train = lambda r, seed, budget=None: recipe.train(r, 0, Steps(2))
    for name in ("test_it_learns", "test_the_same_seed_gives_the_same_and_another_does_not"):
        with pytest.raises(AssertionError):
            getattr(broken, name)()


def test_what_is_left_to_write_is_said_where_it_is_read(begun):
    root, created, _ = begun
    said = {path.name for path in created if TO_WRITE in (root / path).read_text(encoding="utf-8")}
    assert {"bisagra.ipynb", "bisagra_ejercicios.ipynb", "recipe.py", "test_bisagra.py"} <= said
    headings = [line for c in page(begun).cells for line in c.source.splitlines()]
    assert sum(line.startswith("## ") for line in headings) == 8


@pytest.mark.lento
def test_no_chapter_of_the_book_is_half_written():
    """Un capítulo se publica cuando no le queda nada por escribir; mientras, se trabaja en él."""
    left = [p.stem for p in book_notebooks(ROOT) if TO_WRITE in p.read_text(encoding="utf-8")]
    assert not left, f"todavía dicen «{TO_WRITE}»: {', '.join(left)}"


def snapshot(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "ya hay un capítulo «bisagra» en chapters/mapa.yml: elige otro NOMBRE"),
        ({"slug": "gozne"}, "el cuarto «hinge» es del capítulo «bisagra»: elige otro"),
        ({"slug": "gozne", "room": "layers"}, "tfcourse/layers ya existe: elige otro CUARTO"),
        ({"slug": "Gozne"}, "NOMBRE=Gozne no vale: empieza por minúscula"),
        ({"slug": "../gozne"}, "NOMBRE=../gozne no vale"),
        ({"slug": "cap_3"}, "NOMBRE=cap_3 parece un número de capítulo"),
        ({"slug": "gozne_ejercicios"}, "es como se llama un cuaderno de ejercicios"),
        ({"room": "class"}, "CUARTO=class no vale"),
        ({"title": "", "part": " "}, "falta TITULO: .*; falta PARTE: su número o su carpeta"),
        ({"title": "a" * 61}, "TITULO va en una línea, sin comillas rectas y con 60 letras"),
        (
            {"question": "Cómo se abre"},
            "PREGUNTA=Cómo se abre no vale: una sola, entre «¿» y «\\?»",
        ),
        ({"slug": "gozne", "room": "gozne", "part": "9"}, "no hay ninguna parte «9»: usa 1_rec"),
        ({"slug": "gozne", "room": "gozne", "wing": "video"}, "no hay ninguna ala «video»: usa te"),
        ({"slug": "gozne", "room": "gozne", "after": "gtp"}, "ningún capítulo se llama «gtp»"),
        ({"slug": "gozne", "room": "gozne", "after": "bert"}, "«bert» no está en la parte «2»"),
        (
            {"slug": "gozne", "room": "gozne", "requires": ("bert",)},
            "se apoya en «bert», que va después: cambia PARTE, TRAS o REQUIERE",
        ),
    ],
)
def test_what_does_not_fit_is_told_and_nothing_is_written(begun, change, message):
    root = begun[0]
    before = snapshot(root)
    with pytest.raises(ValueError, match=message):
        add_chapter(root, replace(CHAPTER, **change))
    assert snapshot(root) == before


def test_a_file_that_was_already_there_is_not_overwritten(tmp_path):
    root = copy_of_the_course(tmp_path)
    path = root / "tests/claims/test_bisagra.py"
    path.parent.mkdir(parents=True)
    path.write_text("mía")
    with pytest.raises(ValueError, match="ya existe tests/claims/test_bisagra.py: bórralo o elige"):
        add_chapter(root, CHAPTER)
    assert path.read_text() == "mía" and "bisagra" not in (root / "_toc.yml").read_text("utf-8")
