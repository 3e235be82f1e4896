"""Las reglas de la casa, sobre el paquete de verdad y, una a una, rotas en uno de mentira."""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from workshop.house import plan
from workshop.house.circles import circles
from workshop.house.reading import read_house, read_modules
from workshop.house.rules import package_problems, problems, reachable_topics


def test_package_keeps_the_rules():
    found = package_problems(ROOT)
    assert not found, "\n".join(found)


def test_rules_see_the_whole_package():
    """Si la ruta estuviera mal, no habría módulos y la prueba anterior pasaría sin mirar nada."""
    modules = read_modules(ROOT / plan.PACKAGE)
    files = list((ROOT / plan.PACKAGE).rglob("*.py"))
    assert {module.path for module in modules.values()} == set(files)
    assert {"layers.attention", "models.seq2seq", "training.loop"} <= set(modules)
    assert sum(len(module.imports) for module in modules.values()) > len(modules)


def test_plan_names_only_what_exists():
    existing = {path.stem for path in (ROOT / plan.PACKAGE).iterdir()}
    named = {name for names in plan.FLOORS.values() for name in names}
    named |= {*plan.APART, *plan.LOOSE, *plan.ONLY, *(n for pair in plan.NEIGHBOURS for n in pair)}
    assert not named - existing
    assert all((ROOT / plan.PACKAGE / file).exists() for file in plan.SMALL)


DOCUMENTED = '"""Módulo."""\n'
LINES = "\n" * plan.MIN_FILE
LONG_FUNCTION = '"""M."""\ndef f():\n    """F."""\n' + "    x = 1\n" * plan.MAX_FUNCTION
CHAPTERS = """
partes:
  - capitulos:
      - {slug: bert, titulo: BERT, requiere: [], cuarto: [bert]}
      - {slug: vit, titulo: ViT, requiere: [bert], cuarto: [classification]}
      - {slug: detr, titulo: DETR, requiere: [vit], cuarto: [detection, pose, dates]}
"""


def imports(*targets: str) -> str:
    """Un módulo documentado que importa otros y no es diminuto."""
    return DOCUMENTED + "".join(f"from tfcourse.{target} import x\n" for target in targets) + LINES


# Nombre → archivos y lo que debe decir el único problema que hay.
VIOLATIONS = {
    "módulo suelto": (
        {"training_extra.py": DOCUMENTED},
        "tfcourse/training_extra.py: «training_extra» está suelto en la raíz",
    ),
    "carpeta sin piso": (
        {"extras/__init__.py": DOCUMENTED},
        "tfcourse/extras/__init__.py: la carpeta «extras» no está en el plano",
    ),
    "módulo suelto en un ala": (
        {"vision/boxes.py": DOCUMENTED},
        "tfcourse/vision/boxes.py: «boxes» está suelto en el ala «vision»",
    ),
    "hacia arriba": (
        {"layers/a.py": imports("models.seq2seq")},
        "tfcourse/layers/a.py: línea 2: «layers» (piso 2) no puede importar «models» (piso 3)",
    ),
    "hacia arriba dentro de una función": (
        {"layers/a.py": DOCUMENTED + 'def f():\n    """F."""\n    import tfcourse.models' + LINES},
        "línea 4: «layers» (piso 2) no puede importar «models» (piso 3)",
    ),
    "hacia arriba con puntos": (
        {"layers/a.py": DOCUMENTED + "from ..models import seq2seq" + LINES},
        "«layers» (piso 2) no puede importar «models» (piso 3)",
    ),
    "hacia arriba con puntos, desde una carpeta": (
        {"losses/__init__.py": DOCUMENTED + "from ..metrics.intervals import x"},
        "tfcourse/losses/__init__.py: línea 2: «losses» (piso 3) no puede importar «metrics»",
    ),
    "hacia arriba desde la raíz": (
        {"profile.py": DOCUMENTED + "from tfcourse import training"},
        "«profile» (piso 1) no puede importar «training» (piso 3)",
    ),
    "una estantería importa un cuarto": (
        {"metrics/a.py": imports("vision.detection.losses")},
        "«metrics» (piso 4) no puede importar «vision» (piso 5)",
    ),
    "alguien importa el tejado": (
        {"text/bert/a.py": imports("course_map.page")},
        "«text» (piso 5) no puede importar «course_map» (piso 7)",
    ),
    "al vecino de piso": (
        {"training/a.py": imports("models.bert")},
        "«training» no puede importar «models»: son vecinos del piso 3",
    ),
    "los modelos no miran los datos": (
        {"models/a.py": DOCUMENTED + "import tfcourse.datasets.sequences as s"},
        "«models» no puede importar «datasets.sequences»: solo importa",
    ),
    "los datos no miran los modelos": (
        {"datasets/a.py": imports("models")},
        "«datasets» no puede importar «models.x»: solo importa tokenizers",
    ),
    "los modelos no dibujan": (
        {"models/__init__.py": DOCUMENTED + "from tfcourse.plots import COLORS"},
        "«models» no puede importar «plots.COLORS»",
    ),
    "la raíz carga de más": (
        {"__init__.py": DOCUMENTED + "from tfcourse.training import fit"},
        "tfcourse/__init__.py: línea 2: «__init__» no puede importar «training.fit»",
    ),
    "alguien importa los ejercicios": (
        {"training/a.py": DOCUMENTED + "from ..exercises import comprobar"},
        "«training» no puede importar «exercises», que solo usan",
    ),
    "alguien importa el banco": (
        {"exercises/a.py": imports("bank.registry")},
        "«exercises» no puede importar «bank», que solo usan «teaching»",
    ),
    "el docente elige ejercicios del banco": (
        {"teaching/a.py": imports("bank.registry", "bank.dates")},
        "línea 3: «teaching» no puede importar «bank.dates»",
    ),
    "alguien importa al docente": (
        {"exercises/a.py": imports("teaching.create")},
        "«exercises» no puede importar «teaching», que solo usan «__main__»",
    ),
    "el banco mira el curso": (
        {"bank/a.py": imports("exercises.engine", "datasets.tasks.numbers", "datasets.sequences")},
        "línea 4: «bank» no puede importar «datasets.sequences.x»",
    ),
    "los ejercicios se cargan al arrancar": (
        {"__main__.py": DOCUMENTED + "from tfcourse.exercises import comprobar"},
        "importa «exercises» al arrancar: hazlo dentro de la orden",
    ),
    "el taller no viaja": (
        {"weights/a.py": DOCUMENTED + "from workshop.mirror import write"},
        "línea 2: importa «workshop», que no viaja con el paquete",
    ),
    "las medidas no viajan": (
        {"weights/a.py": DOCUMENTED + "import benchmarks.page"},
        "importa «benchmarks»",
    ),
    "las pruebas no viajan": (
        {"weights/a.py": DOCUMENTED + "from tests import conftest"},
        "importa «tests»",
    ),
    "cuarto que no está en lo que requiere": (
        {
            "vision/classification/a.py": imports("vision.detection.b"),
            "vision/detection/b.py": imports(),
        },
        "tfcourse/vision/classification/a.py: línea 2: el cuarto «vision/classification» no puede "
        "importar «vision/detection», que no está en el «requiere»",
    ),
    "cuarto de otra ala que no está en lo que requiere": (
        {"text/bert/a.py": imports("vision.detection")},
        "el cuarto «text/bert» no puede importar «vision/detection»",
    ),
    "cuarto sin capítulo": (
        {"sound/voices/__init__.py": DOCUMENTED},
        "tfcourse/sound/voices: ningún capítulo lo nombra en «cuarto»",
    ),
    "dos cuartos con un nombre": (
        {"sound/pose/__init__.py": DOCUMENTED},
        "sound/pose y vision/pose se llaman igual",
    ),
    "ejercicios sin capítulo": (
        {"bank/recipes/a.py": imports()},
        "tfcourse/bank/recipes: ningún capítulo lo nombra",
    ),
    "círculo de módulos": (
        {"metrics/a.py": imports("metrics.b"), "metrics/b.py": imports("metrics.a")},
        "círculo de módulos: metrics.a → metrics.b → metrics.a",
    ),
    "dos archivos del mismo nombre": (
        {"layers/image/windows.py": imports(), "layers/kernels/windows.py": imports()},
        "tfcourse/layers/image/windows.py y tfcourse/layers/kernels/windows.py se llaman igual",
    ),
    "archivo diminuto": (
        {"datasets/a.py": DOCUMENTED},
        "tfcourse/datasets/a.py: tiene 1 líneas: júntalo con lo que lo usa",
    ),
    "módulo con número de capítulo": ({"plots/ch03.py": DOCUMENTED}, "«ch03» parece un número"),
    "módulo que empieza por número": ({"plots/03_a.py": DOCUMENTED}, "«03_a» parece"),
    "carpeta con número de capítulo": (
        {"plots/capitulo_3/a.py": DOCUMENTED},
        "«capitulo_3» parece",
    ),
    "módulo sin docstring": ({"plots/a.py": "x = 1"}, "el módulo no tiene docstring"),
    "función sin docstring": (
        {"plots/a.py": DOCUMENTED + "def f(): ..."},
        "«f» no tiene docstring",
    ),
    "clase sin docstring": (
        {"plots/a.py": DOCUMENTED + "class C: ..."},
        "«C» no tiene docstring",
    ),
    "método sin docstring": (
        {"plots/a.py": DOCUMENTED + 'class C:\n    """C."""\n    def m(self): ...'},
        "«C.m» no tiene docstring",
    ),
    "archivo largo": (
        {"plots/a.py": DOCUMENTED + "\n" * plan.MAX_FILE},
        f"máximo es {plan.MAX_FILE}",
    ),
    "función larga": ({"plots/a.py": LONG_FUNCTION}, f"máximo es {plan.MAX_FUNCTION}"),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_each_rule_catches_its_violation(tmp_path, name):
    files, message = VIOLATIONS[name]
    found = house_problems(tmp_path, files)
    assert len(found) == 1, found
    assert message in found[0]


# Un círculo entre carpetas sube por fuerza en algún sitio: lo dicen las dos reglas.
CIRCLES = {
    "de carpetas": (
        {"layers/a.py": imports("models.b"), "models/b.py": imports("layers.c")},
        "círculo de carpetas: layers → models → layers",
    ),
    "de subcarpetas": (
        {
            "datasets/folders/a.py": imports("datasets.scenes.b"),
            "datasets/scenes/b.py": imports("datasets.folders.c"),
            "datasets/folders/c.py": imports(),
        },
        "círculo de subcarpetas: datasets.folders → datasets.scenes → datasets.folders",
    ),
    "de cuartos": (
        {
            "vision/detection/a.py": imports("vision.pose.b"),
            "vision/pose/b.py": imports("vision.detection.c"),
        },
        "círculo de cuartos: vision/detection → vision/pose → vision/detection",
    ),
}


@pytest.mark.parametrize("name", CIRCLES)
def test_circles_are_told_with_their_path(tmp_path, name):
    files, message = CIRCLES[name]
    assert any(message in problem for problem in house_problems(tmp_path, files))


def test_the_shortest_circle_is_told():
    arrows = {"a": {"b": 1}, "b": {"c": 1}, "c": {"a": 1, "d": 1}, "d": {"c": 1}, "e": {"a": 1}}
    assert circles(arrows) == [["a", "b", "c", "a"], ["d", "c", "d"]]
    assert circles({"a": {"b": 1}, "b": {"c": 1}, "e": {"a": 1}}) == []


def test_a_topic_of_the_map_that_does_not_exist_is_noticed(tmp_path):
    house = read_house(write_package(tmp_path, {}), write_map(tmp_path))
    assert any("mapa.yml: el cuarto «pose» no está" in problem for problem in problems(house))


def test_topics_reach_those_of_their_chapter_and_of_the_ones_before():
    chapters = [
        {"slug": "a", "requiere": [], "cuarto": ["uno"]},
        {"slug": "b", "requiere": ["a"]},
        {"slug": "c", "requiere": ["b"], "cuarto": ["dos", "tres"]},
    ]
    every = {"uno", "dos", "tres"}
    assert reachable_topics(chapters) == {"uno": {"uno"}, "dos": every, "tres": every}


def test_a_pair_with_its_reason_and_a_small_file_with_its_own_are_accepted(tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "NEIGHBOURS", {("decoding", "training"): "motivo"})
    monkeypatch.setattr(plan, "SMALL", {"layers/a.py": "motivo"})
    files = {"decoding/a.py": imports("training.loop"), "layers/a.py": DOCUMENTED}
    assert house_problems(tmp_path, files) == []


def test_a_correct_package_has_no_problems(tmp_path):
    files = {
        "__init__.py": DOCUMENTED + "from tfcourse.notebook import start_notebook",
        "__main__.py": DOCUMENTED
        + "from tfcourse import __version__\nfrom tfcourse.teaching import app\n"
        + "def _o():\n    from tfcourse.exercises import build",
        "exercises/a.py": imports("exercises.b"),
        "bank/dates/a.py": imports("exercises.engine", "datasets.tasks.numbers"),
        "teaching/a.py": imports("exercises.engine", "bank.registry", "files"),
        "layers/__init__.py": DOCUMENTED,
        "layers/kernels/__init__.py": DOCUMENTED + "from .windows import x",
        "layers/kernels/windows.py": imports("layers.attention", "geometry.boxes"),
        "models/seq2seq.py": imports("layers.masks") + "def _f(): ...",
        "models/t5.py": DOCUMENTED + "import torch\nfrom .seq2seq import _f",
        "models/wav2vec2.py": DOCUMENTED + "class _C:\n    def m(self): ...",
        "metrics/a.py": imports("models.seq2seq", "datasets"),
        "vision/detection/a.py": imports("vision.pose.b", "vision.classification", "text.bert"),
        "course_map/a.py": imports("multimodal", "vision.detection"),
    }
    assert house_problems(tmp_path, files) == []


ROOMS = ("text/bert", "vision/classification", "vision/detection", "vision/pose")


def house_problems(folder: Path, files: dict[str, str]) -> list[str]:
    """Los problemas de un paquete de mentira, que tiene además los temas de su mapa."""
    rooms = {f"{room}/__init__.py": DOCUMENTED for room in (*ROOMS, "bank/dates")}
    return problems(read_house(write_package(folder, rooms | files), write_map(folder)))


def write_map(folder: Path) -> Path:
    """Escribe un mapa del curso con tres capítulos y devuelve su ruta."""
    path = folder / "mapa.yml"
    path.write_text(CHAPTERS, encoding="utf-8")
    return path


def write_package(folder: Path, files: dict[str, str]) -> Path:
    """Escribe un paquete de mentira y devuelve su carpeta."""
    package = folder / plan.PACKAGE
    package.mkdir(parents=True, exist_ok=True)
    for name, source in files.items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return package
