"""La referencia escrita desde el código: sus páginas, el índice de ideas y «La casa»."""

from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.test_architecture import DOCUMENTED, imports, write_map, write_package
from workshop.house import plan as house_plan
from workshop.house.reading import House, read_house
from workshop.reference import house_page, plan, text

SOURCES = {
    **{f"{folder}/__init__.py": f'"""Carpeta {folder}: prueba."""' for folder in house_plan.APART},
    **{
        f"{wing}/__init__.py": f'"""Ala {wing}: un cuarto por tema."""' for wing in house_plan.WINGS
    },
    **{
        f"{folder}/__init__.py": f'"""Estantería {folder}."""'
        for floor in (1, 2, 3, 4, 7)
        for folder in house_plan.FLOORS[floor]
        if folder not in house_plan.LOOSE
    },
    **{
        f"{name}.py": f'"""Módulo suelto {name}."""\ndef f_{name}():\n    """Función {name}."""'
        for name in ("profile", "files", "notebook", "spanish_cli", "watch")
    },
    "vision/detection/__init__.py": '"""¿Qué se detecta?"""',
    "vision/detection/losses.py": imports("layers.masks", "vision.classification.recipe")
    + 'def set_loss():\n    """Pérdida de conjuntos."""',
    "vision/classification/__init__.py": '"""¿Qué se ve?"""',
    "vision/classification/recipe.py": DOCUMENTED + 'class Recipe:\n    """Una receta."""',
    "layers/masks.py": DOCUMENTED
    + 'def causal_mask(n: int):\n    """Máscara causal: solo el pasado."""\n'
    + 'def _secret():\n    """Nada."""\n',
    "training/__init__.py": '"""Entrenar."""\nfrom tfcourse.training.loop import fit\n'
    'from tfcourse.training.schedules import cycle\n__all__ = ["cycle", "fit"]',
    "training/loop.py": DOCUMENTED
    + 'def fit():\n    """El bucle de entrenamiento."""\ndef _other():\n    """Otra."""',
    "training/schedules.py": DOCUMENTED
    + 'def cycle():\n    """Un ciclo."""\ndef noam():\n    """El de Noam."""',
    "training/muon.py": DOCUMENTED + 'class Muon:\n    """Optimizador Muon."""',
    "bank/dates/a.py": DOCUMENTED + 'def solution():\n    """La solución."""',
    "plots/_private.py": DOCUMENTED + 'def f():\n    """Nada."""',
}


@pytest.fixture
def small(tmp_path) -> House:
    """Una casa de mentira con todas las carpetas del plano y muy poco dentro."""
    return read_house(write_package(tmp_path, SOURCES), write_map(tmp_path))


@pytest.fixture(scope="module")
def real() -> House:
    """El paquete de verdad."""
    return read_house(ROOT / "tfcourse", ROOT / "chapters/mapa.yml")


def pages(house: House) -> list[plan.Page]:
    return [page for group in plan.groups(house) for page in group.pages]


def test_every_public_module_has_exactly_one_page(real):
    counted = Counter(module.name for page in pages(real) for module in page.modules)
    assert set(counted.values()) == {1}
    assert set(counted) == {module.name for module in plan.public_modules(real)}
    hidden = ("bank", "projects")
    public = {n for n in real.modules if "._" not in n and not n.startswith(hidden)}
    behind = {name for m in real.modules.values() for name in plan.hidden_behind(m, real)}
    packages = {name for name in public if real.modules[name].is_package}
    assert public - packages - behind - {"__main__"} <= set(counted)


def test_every_public_name_is_in_the_index_once(real):
    names = [entry.name for page in plan.index_pages(real) for entry in page.entries]
    assert len(names) == len(set(names)) > 1000
    offered = {e.name for module in plan.public_modules(real) for e in plan.offered(module, real)}
    assert set(names) == offered


@pytest.mark.parametrize(
    ("idea", "home"),
    [
        ("Máscara causal", "tfcourse.layers.masks.causal_mask"),
        ("Atención multicabeza", "tfcourse.layers.attention.MultiHeadAttention"),
        ("Modelo secuencia a secuencia", "tfcourse.models.seq2seq.Seq2Seq"),
    ],
)
def test_an_idea_is_found_by_what_it_is(real, idea, home):
    found = [entry.name for entry in plan.entries(real) if entry.text.startswith(idea)]
    assert home in found


def test_pages_are_planned_to_fit(real):
    for page in pages(real):
        planned = sum(plan.module_words(module, real) for module in page.modules)
        assert planned <= 1.15 * plan.PLANNED, page.name
    titles = [page.title for page in [*pages(real), *plan.index_pages(real)]]
    assert len(titles) == len(set(titles))


def test_every_group_is_in_the_table_of_contents(real):
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    for name in [group.name for group in plan.groups(real)] + ["donde_esta"]:
        assert f"- file: {text.FOLDER}/{name}\n" in toc, name
        assert f"- glob: {text.FOLDER}/{name}/*\n" in toc, name
    assert toc.count("- glob:") == len(plan.groups(real)) + 1


def test_what_is_private_hidden_or_behind_a_facade_has_no_page(small):
    names = {module.name for module in plan.public_modules(small)}
    assert {"layers.masks", "training", "training.muon", "vision.detection.losses"} <= names
    assert not names & {"training.loop", "plots._private", "bank.dates.a", "layers", "vision"}
    listed = {entry.name for entry in plan.entries(small)}
    # De la que solo se reexporta una parte se enseña todo, y en su sitio.
    schedules = {name for name in listed if "cycle" in name or "noam" in name}
    assert schedules == {f"tfcourse.training.schedules.{name}" for name in ("cycle", "noam")}
    assert "tfcourse.training.fit" in listed and "tfcourse.layers.masks.causal_mask" in listed
    assert not any("other" in name or "_secret" in name or "bank" in name for name in listed)


def test_groups_go_from_the_floor_to_the_roof(small):
    names = [group.name for group in plan.groups(small)]
    wings = ["text", "vision", "sound", "multimodal"]
    assert names == ["piso_1", "piso_2", "piso_3", "piso_4", *wings, "piso_7", "aparte"]
    by_name = {page.name: page for page in pages(small)}
    assert by_name["vision/detection"].title == "`vision.detection`"
    assert by_name["vision/detection"].summary == "¿Qué se detecta?"


def test_a_folder_too_big_is_split_in_order(tmp_path):
    long = " ".join(["palabra"] * 900)
    models = {
        f"models/{name}.py": f'"""Modelo. {long}"""\nclass M:\n    """M."""' for name in "abcd"
    }
    house = read_house(write_package(tmp_path, SOURCES | models), write_map(tmp_path))
    split = [page for page in pages(house) if page.name.startswith("piso_3/models")]
    assert [page.name for page in split] == ["piso_3/models-a", "piso_3/models-c"]
    assert [page.title for page in split] == [
        "`models`: de `a` a `b`",
        "`models`: de `c` a `d`",
    ]


def test_splitting_keeps_order_and_everything():
    assert plan.split(list("abcd"), [plan.PLANNED] * 4) == [["a"], ["b"], ["c"], ["d"]]
    assert plan.split(list("abcd"), [1] * 4) == [list("abcd")]
    assert sum(plan.split(list(range(50)), [97] * 50), []) == list(range(50))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("La máscara causal.", "Máscara de relleno."),
        ("Índice de cada palabra.", "Intervalo de Wilson."),
        ("Clase de un dibujo.", "`[CLS]` y lo demás."),
    ],
)
def test_the_order_ignores_articles_accents_and_signs(first, second):
    assert plan.sort_key(first) < plan.sort_key(second)


def test_the_word_of_an_entry_is_written_with_its_accents():
    assert plan.first_word("La máscara causal.") == ("mascara", "máscara")
    assert plan.first_word("«Transformer» completo.") == ("transformer", "transformer")
    assert plan.first_word("Med-BERT, y después.") == ("med", "Med-BERT")
    assert plan.first_word("BERT de muchos.") == ("bert", "BERT")


def test_what_an_entry_names_is_in_bold():
    assert text.named("Máscara causal: solo el pasado.") == "**Máscara causal**: solo el pasado."
    assert text.named("Entrena con `a: b` y más.") == "Entrena con `a: b` y más."


def test_signs_are_not_read_as_marks():
    assert text.markdown("a_ij * |b| y `c_d` [CLS]") == r"a\_ij \* \|b\| y `c_d` \[CLS\]"


def test_generated_pages_say_what_they_have(small):
    texts = text.generated_pages(small, {"detr": "chapters/4_vision/detr"})
    room = texts["vision/detection"]
    assert room.startswith("# `vision.detection`\n\n¿Qué se detecta? En esta página: ")
    assert ". Es del capítulo [" in room
    assert "](/chapters/4_vision/detr.ipynb)" in room
    assert ".. automodule:: tfcourse.vision.detection.losses" in room
    assert "Es del capítulo «" in texts["vision/classification"]  # sin publicar
    assert "(/chapters/referencia/paquete/vision/detection.md)" in texts["vision"]
    assert "¿Qué se detecta? [`vision.detection`]" in texts["donde_esta"]
    index = "".join(value for name, value in texts.items() if name.startswith("donde_esta/"))
    assert "- **Máscara causal**: solo el pasado. {py}`tfcourse.layers.masks.causal_mask`" in index


def test_the_house_is_told_with_its_arrows(small):
    told = house_page.house_text(small, {})
    assert "**2** cuartos" in told and "**0** suben de piso" in told and "**0** círculos" in told
    assert "Importa (entre paréntesis, en cuántos de sus módulos): `layers` (1)." in told
    assert "No puede importar nada del curso." in told and " Puede importar nada" not in told
    assert "Mira a `vision/classification`." in told
    assert told.index("Piso 7") < told.index("Piso 1") < told.index("## Aparte")


def test_what_goes_up_and_what_goes_round_is_counted(tmp_path):
    wrong = {"layers/a.py": imports("models.b"), "models/b.py": imports("layers.a")}
    house = read_house(write_package(tmp_path, SOURCES | wrong), write_map(tmp_path))
    found = house_page.totals(house)
    assert found["suben"] == 1 and found["círculos"] == 2  # de carpetas y de módulos
    assert found["flechas"] == 3  # la de `vision` a `layers` y estas dos


def test_the_real_house_has_nothing_upwards_and_no_circles(real):
    found = house_page.totals(real)
    assert found["suben"] == found["círculos"] == 0
    assert found["carpetas"] > 20 and found["flechas"] > 50


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("geometry", "nada del curso"),
        ("layers", "lo del piso 1"),
        ("losses", "lo de los pisos 1 a 2"),
        ("models", "solo `layers`"),
        ("exercises", "solo `watch`"),
        ("vision", "entre cuartos, los de capítulos anteriores"),
    ],
)
def test_what_each_folder_may_import_is_said(folder, told):
    assert told in house_page.may_import(folder)


def test_writing_touches_only_what_changes(tmp_path):
    """Lo que sobra se borra, y una página igual no se vuelve a escribir."""
    reference = pytest.importorskip("course_site.reference", reason="falta sphinx (extra «libro»)")
    (tmp_path / "chapters").mkdir()
    write_package(tmp_path, SOURCES)
    write_map(tmp_path).rename(tmp_path / "chapters/mapa.yml")
    app = type("App", (), {"srcdir": tmp_path})
    reference.write_reference(app, None)
    page, extra = Path(text.FOLDER, "vision/detection.md"), Path(text.FOLDER, "vision/old.md")
    (tmp_path / extra).write_text("vieja", encoding="utf-8")
    before = (tmp_path / page).stat().st_mtime_ns
    reference.write_reference(app, None)
    assert (tmp_path / page).stat().st_mtime_ns == before
    assert not (tmp_path / extra).exists()


def test_blocks_are_filled_only_in_the_reference(monkeypatch):
    reference = pytest.importorskip("course_site.reference", reason="falta sphinx (extra «libro»)")
    monkeypatch.setattr(reference, "BLOCKS", {"la-casa": lambda root: f"los pisos de {root}"})
    app = type("App", (), {"srcdir": "raiz"})
    for docname, expected in [
        ("chapters/referencia/casa", "Antes\n\nlos pisos de raiz\n"),
        ("chapters/glosario", "Antes\n\n:::{la-casa}\n:::\n"),
    ]:
        source = ["Antes\n\n:::{la-casa}\n:::\n"]
        reference.fill_blocks(app, docname, source)
        assert source == [expected]
