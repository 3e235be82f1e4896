"""La guía dice la verdad: los archivos de cada recorrido son los que de verdad se tocan.

Se toma uno de cada que ya esté hecho y se busca en el repositorio dónde se lo nombra. El capítulo
nuevo, que se hace entero, está en `test_new_chapter`.
"""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest

import benchmarks
from benchmarks.registry import table_modules
from tests.conftest import ROOT
from tests.workshop.guide import GUIDE, walk_files, walks
from workshop.new_chapter import NewChapter
from workshop.notebooks import book_notebooks
from workshop.rehearsal.registry import cells_of_runs, every_full_run

FOLDERS = ("benchmarks", "chapters", "data", "tests", "tfcourse")
READ = {".py", ".md", ".ipynb", ".json", ".txt", ".yml"}
WALKS = {
    "Una errata",
    "Una atención eficiente más",
    "Un conjunto de datos",
    "Un ejercicio",
    "Un paso de un proyecto",
    "Unos pesos que vienen con el curso",
    "Una familia de pesos publicados",
    "Una tabla medida",
    "Un experimento a escala real",
    "Un capítulo nuevo",
}


@cache
def texts() -> dict[str, str]:
    """Los textos del repositorio, por su ruta; los de esta carpeta nombran los ejemplos."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    named = ((path.relative_to(ROOT).as_posix(), path) for path in paths if path.suffix in READ)
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in named
        if not name.startswith(("tests/workshop/", "chapters/referencia/paquete/"))
    }


def naming(pattern: str, *within: str) -> set[str]:
    """Los archivos que nombran algo, de los que empiezan por alguna de esas rutas."""
    found = re.compile(pattern)
    return {
        name for name, text in texts().items() if name.startswith(within) and found.search(text)
    }


def test_every_walk_has_its_list():
    assert set(walks()) == WALKS and all(walks().values())


def test_a_typo_touches_one_page_in_three_lines():
    assert walk_files("Una errata", {"parte": "4_vision", "capitulo": "detr"}) <= set(texts())
    section = GUIDE.read_text(encoding="utf-8").partition("### Una errata\n")[2]
    assert re.findall(r"^(\d)\. ", section.partition("**Archivos**")[0], re.MULTILINE) == [*"123"]


@pytest.mark.parametrize(
    ("module", "kernel", "tests"),
    [
        ("low_rank", "LinformerAttention", "test_kernels_learned"),
        ("span", "AdaptiveSpanAttention", "test_kernels_learned"),
        ("windows", "BlockLocalAttention", "test_kernels_exact"),
    ],
)
def test_an_efficient_attention_touches_four_files(module, kernel, tests):
    """Donde se define, se registra y se prueba; el capítulo la encuentra en el registro."""
    listed = walk_files("Una atención eficiente más", {"nucleo": module})
    assert len(listed) == 4
    listed = {name.replace("test_kernels_learned", tests) for name in listed}
    code = {name for name in listed if name.endswith(".py")}
    assert naming(rf"\b{kernel}\b", "tfcourse/layers", "tfcourse/models", "tests/layers") == code
    assert listed - code == naming(r"\bKERNELS\b", "chapters/2_transformer/atencion_eficiente.i")


def test_a_dataset_touches_four_files():
    names = {"estante": "puzzles", "conjunto": "adding"}
    listed = walk_files("Un conjunto de datos", names)
    mentions = naming(r"datasets\.puzzles\.adding\b", "data/", "tests/datasets/", "tfcourse/")
    module = "tfcourse/datasets/puzzles/adding.py"
    # Lo usa además el experimento a escala real del cuarto, que no es del conjunto.
    old_names = {name for name in mentions if name.endswith(("moved/names.json", "/full.py"))}
    assert mentions - old_names | {module} == listed


def test_the_shelves_of_the_guide_are_those_of_the_package():
    section = GUIDE.read_text(encoding="utf-8").partition("### Un conjunto de datos\n")[2]
    told = set(re.findall(r"`(\w+)`", section.partition("Con la misma semilla")[0])) - {"completo"}
    folders = {path.parent.name for path in (ROOT / "tfcourse/datasets").glob("*/__init__.py")}
    assert told == folders


@pytest.mark.parametrize(
    ("exercise", "names", "only_code"),
    [
        (
            "posiciones-a-otro-tamano",
            {
                "cuarto": "classification", "ejercicio": "positions", "parte": "4_vision",
                "capitulo": "vision_transformer",
            },
            True,
        ),
        (
            "trozos-y-parejas",
            {
                "cuarto": "separation", "ejercicio": "path_pairs", "parte": "5_audio",
                "capitulo": "sepformer",
            },
            False,
        ),
    ],
)  # fmt: skip
def test_an_exercise_touches_its_topic_and_its_notebooks(exercise, names, only_code):
    listed = walk_files("Un ejercicio", names)
    reader = f"tests/exercises/statement_readers/{names['cuarto']}.py"
    assert reader in listed
    index = naming(rf"import .*|{names['ejercicio']}", f"tfcourse/bank/{names['cuarto']}/__init__")
    found = naming(rf"\b{exercise}\b", *FOLDERS) | index
    assert found == listed - ({reader} if only_code else set())


def test_a_step_of_a_project_touches_its_project_and_its_notebooks():
    """Se busca la pieza o su identificador, que no se nombran en ningún otro sitio."""
    names = {"proyecto": "gpt", "tema": "searching", "parte": "3_lenguaje"}
    listed = walk_files("Un paso de un proyecto", names)
    found = naming(r"gpt-haz|\bBEAM\b", "tfcourse/projects", "chapters", "tests/projects/answers")
    assert found | {"tfcourse/projects/lent/gpt.py"} == listed


def test_shipped_weights_touch_their_room_and_their_files():
    names = {"ala": "sound", "cuarto": "separation", "pesos": "sepformer_cifras"}
    listed = walk_files("Unos pesos que vienen con el curso", names)
    assert all((ROOT / name).exists() for name in listed)
    assert {path.name for path in (ROOT / "tfcourse/weights").glob("sepformer_cifras.*")} == {
        Path(name).name for name in listed if name.startswith("tfcourse/weights/")
    }
    declared = naming(r"[\"']sepformer_cifras[\"']", "tfcourse/sound", "tfcourse/weights/")
    assert declared == {"tfcourse/sound/separation/recipe.py"} <= listed
    (tests,) = (name for name in listed if name.startswith("tests/"))
    assert "weights_card(" in texts()[tests]


def test_every_measured_table_touches_two_files():
    for name, module in table_modules().items():
        names = {"modulo": Path(module.__file__).stem, "tabla": name}
        listed = walk_files("Una tabla medida", names)
        assert len(listed) == 2 and listed <= set(texts()), name


@pytest.mark.parametrize("run", every_full_run().values(), ids=lambda run: run.name)
def test_a_real_scale_experiment_touches_its_room_and_its_page(run):
    """Los que usan un conjunto que ya estaba no tocan nada más."""
    room = run.measure.__module__.replace("tfcourse.", "").split(".")[:2]
    ((page, _),) = cells_of_runs(book_notebooks(ROOT))[run.name]
    names = {"ala": room[0], "cuarto": room[1], "parte": page.parent.name, "capitulo": page.stem}
    names |= {"conjunto": "cifar", "campo": "pictures"}
    listed = walk_files("Un experimento a escala real", names)
    assert {f"tfcourse/{'/'.join(room)}/full.py", page.relative_to(ROOT).as_posix()} <= listed
    assert listed <= set(texts()) | {"workshop/rehearsal/pictures.py"}


def test_a_new_table_is_found_on_its_own(tmp_path, monkeypatch):
    """No hay más lista que la carpeta: basta con escribir el módulo."""
    table = "NAME = 'gozne'\ndef settings(): return {}\ndef measure(seeds): yield from ()\n"
    (tmp_path / "hinge.py").write_text(table)
    monkeypatch.setattr(benchmarks, "__path__", [*benchmarks.__path__, str(tmp_path)])
    assert "gozne" in table_modules()


def test_the_order_that_begins_a_chapter_can_be_copied():
    """La de la guía vale tal cual: sus datos cuadran con el índice y con el mapa."""
    text = GUIDE.read_text(encoding="utf-8")
    order = re.search(r"make capitulo ((?:.*\\\n)*.*)", text)[1].replace("\\\n", " ")
    words = dict(word.split("=", 1) for word in shlex.split(order))
    chapter = NewChapter(
        words["NOMBRE"], words["TITULO"], words["CORTO"], words["PREGUNTA"], words["PARTE"],
        words["ALA"], words["CUARTO"], tuple(words["REQUIERE"].split(",")), words.get("TRAS", ""),
    )  # fmt: skip
    assert chapter.place(ROOT).part.startswith(words["PARTE"])


@pytest.mark.parametrize("document", ["CONTRIBUIR.md", "README.md"])
def test_the_orders_of_the_documents_exist(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    used = set(re.findall(r"[`\n ]make ([a-z][\w-]+)", text))
    assert len(used) > 4 and used <= set(targets)


def test_every_path_of_the_guide_exists():
    """También los que están fuera de las listas, si no llevan huecos."""
    text = GUIDE.read_text(encoding="utf-8")
    named = set(
        re.findall(r"`((?:chapters|tests|tfcourse|workshop|data|benchmarks|\.ci)/[\w./-]*)`", text)
    )
    missing = [name for name in named if not (ROOT / name).exists()]
    assert len(named) > 15 and not missing


def test_a_published_family_touches_what_the_guide_says():
    every = naming(
        r'facebook/detr-resnet-50|DETR_FAMILY|"detr": Reference',
        "tfcourse/official/", "tests/official/", "chapters/referencia/",
    )  # fmt: skip
    assert walk_files("Una familia de pesos publicados", {"familia": "detr"}) == every
