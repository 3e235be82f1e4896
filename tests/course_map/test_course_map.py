"""El mapa del curso: están todos los modelos, y lo que dice de cada uno sale de su clase."""

import dataclasses
import importlib
import json
import pkgutil
import re
import sys

import nbformat
import pytest
import torch
import yaml
from safetensors import safe_open

import tfcourse.models
from tests.conftest import ROOT
from tfcourse.course_map import language, multimodal, recurrence, transformer
from tfcourse.course_map.influence import influence
from tfcourse.course_map.page import CourseMap, mask_path
from tfcourse.course_map.patterns import GRID, PATTERNS, PLACES, WINDOW
from tfcourse.course_map.rows import CHAPTERS, PARTS, Row, widths
from tfcourse.course_map.tour import course_rows, with_piece
from tfcourse.layers.attention import MultiHeadAttention
from tfcourse.layers.image.shifted_windows import WindowAttention
from tfcourse.weights.shipped import FOLDER
from workshop.notebooks import book_chapters, find_chapter


@pytest.fixture(scope="module")
def rows():
    return course_rows()


def public_models() -> set[type]:
    """Las clases públicas de `tfcourse.models` que no son tamaños ni grupos de resultados."""
    found = set()
    for module in pkgutil.iter_modules(tfcourse.models.__path__):
        names = vars(importlib.import_module(f"tfcourse.models.{module.name}"))
        found |= {
            value
            for name, value in names.items()
            if isinstance(value, type)
            and value.__module__ == f"tfcourse.models.{module.name}"
            and not name.startswith("_")
            and not dataclasses.is_dataclass(value)
            and not issubclass(value, tuple)
        }
    return found


def without_row(rows) -> list[str]:
    """Los modelos públicos que no son una fila ni una pieza de una fila."""
    covered = set().union(*(row.classes() for row in rows))
    return sorted(model.__name__ for model in public_models() - covered)


def test_every_model_has_a_row(rows):
    missing = without_row(rows)
    assert not missing, f"añade una fila a tfcourse/course_map para: {', '.join(missing)}"


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("BM25", ["Bm25", "InvertedIndex", "TfIdfIndex"]),
        ("Léxico con reglas", ["LexiconScorer"]),
        ("Swin", ["PatchMerging", "Swin", "SwinBlock"]),
    ],
)
def test_a_missing_row_is_noticed(rows, name, lost):
    others = [row for row in rows if row.name != name]
    assert sorted(set(without_row(others)) - set(without_row(rows))) == lost


def test_the_rows_go_in_the_order_of_the_course(rows):
    book = [f"{chapter.part}/{chapter.slug}" for chapter in book_chapters(ROOT)]
    assert [book.index(row.chapter) for row in rows] == sorted(
        book.index(row.chapter) for row in rows
    )
    assert len({row.name for row in rows}) == len(rows)


def what_it_uses(chapter: str) -> str:
    """El texto de un capítulo y el de los módulos que importa directamente."""
    path = ROOT / f"chapters/{chapter}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    found = re.findall(r"from (tfcourse[\w.]*) import \(?\s*([\w, ]+)", text)
    names = {n for module, what in found for n in (module, f"{module}.{what.split()[0]}")}
    paths = [ROOT / f"{name.replace('.', '/')}.py" for name in sorted(names)]
    return text + "\n".join(p.read_text(encoding="utf-8") for p in paths if p.exists())


def test_each_row_links_to_the_chapter_that_uses_its_class(rows):
    texts = {chapter: what_it_uses(chapter) for chapter in {row.chapter for row in rows}}
    for row in rows:
        assert type(row.model).__name__ in texts[row.chapter], (row.name, row.chapter)


def test_parts_and_names_are_those_of_the_book(rows):
    parts = yaml.safe_load((ROOT / "chapters/mapa.yml").read_text(encoding="utf-8"))["partes"]
    assert list(PARTS.values()) == [part["titulo"] for part in parts]
    short = {entry["slug"]: entry["corto"] for part in parts for entry in part["capitulos"]}
    used = {row.chapter.split("/")[1] for row in rows}
    assert {slug: short[slug] for slug in used} == CHAPTERS


SHIPPED = {
    "BERT": "bert_espanol",
    "GPT": "gpt_espanol",
    "Asistente": "asistente",
    "T5": "t5_tareas",
    "DETR": "detr_figuras",
    "DETR con anclas": "anclas_figuras",
    "Pix2Seq": "pix2seq_figuras",
    "SETR": "setr",
    "MaskFormer": "maskformer",
    "Mask2Former": "mask2former",
    "Pose con un token por articulación": "pose_simcc",
    "Pose de abajo arriba": "pose_abajo_arriba",
    "Whisper": "whisper_cifras",
    "wav2vec 2.0": "wav2vec_cifras",
    "SepFormer": "sepformer_cifras",
    "DiT": "dit_cifras",
}


@pytest.mark.parametrize("name", SHIPPED)
def test_parameters_are_those_of_the_weights_file(rows, name):
    """Contados en el archivo de pesos, que no sabe nada de la clase."""
    model = next(row.model for row in rows if row.name == name)
    learned = {key for key, _ in model.named_parameters()}
    with safe_open(FOLDER / f"{SHIPPED[name]}.safetensors", "pt") as file:
        counts = {
            key: torch.Size(file.get_slice(key).get_shape()).numel() for key in list(file.keys())
        }
    row = next(row for row in rows if row.name == name)
    assert row.parameters == sum(n for key, n in counts.items() if key in learned)


def test_counts_by_hand(rows):
    by_name = {row.name: row for row in rows}
    # Elman: entrada y estado a 16, con un sesgo cada uno o uno para los dos, y la salida.
    assert by_name["Red de Jordan"].parameters == (2 * 16 + 16) + (16 + 1)
    assert (
        by_name["Lector de ficheros"].parameters == (16 + 10 + 2 * 16) * 32 + 4 * 32 * 33 + 33 * 20
    )
    assert by_name["GloVe"].parameters == 2 * by_name["GloVe"].read_widths[0] * 65
    assert by_name["Modelo de n-gramas"].parameters is None
    assert by_name["GPT"].read_widths == (1024, 160) == by_name["GPT"].written_widths[::-1]
    assert by_name["SETR"].read_widths == (3 * 4 * 4, 64)
    assert by_name["Whisper"].written_widths == (64, 26)


def test_a_reversed_table_is_a_table_that_is_reversed(rows):
    """Donde se dice que la cabeza es la tabla al revés, sus pesos son los de una tabla."""
    for row in rows:
        if "al revés" not in row.head:
            continue
        tables = {
            id(part.weight) for part in row.model.modules() if isinstance(part, torch.nn.Embedding)
        }
        written = row.model.get_submodule(row.writes)
        assert any(id(weight) in tables for weight in written.parameters()), row.name


def test_widths_need_a_layer():
    assert widths(
        torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.GELU(), torch.nn.Linear(5, 2))
    ) == (3, 2)
    with pytest.raises(ValueError, match="no tiene capas"):
        widths(torch.nn.GELU())


def test_building_a_row_leaves_chance_alone():
    torch.manual_seed(0)
    expected = torch.rand(3)
    torch.manual_seed(0)
    assert (
        Row(
            "a", "1_recurrencia/lstm_gru", lambda: torch.nn.Linear(4, 4), "", "", "", instead="x"
        ).parameters
        == 20
    )
    torch.testing.assert_close(torch.rand(3), expected)


@pytest.mark.parametrize(
    ("looks", "instead", "message"),
    [
        ((("x", "bidireccional"),), "", "no hay ningún patrón bidireccional"),
        ((), "", "di a quién mira cada token"),
        ((("x", "causal"),), "un estado", "una de las dos cosas"),
    ],
)
def test_a_row_says_what_is_wrong_with_it(looks, instead, message):
    with pytest.raises(ValueError, match=message):
        Row("a", "b/lstm_gru", object, "", "", "", looks=looks, instead=instead)


def test_pieces_are_counted(rows):
    shared = {row.name for row in with_piece(rows, MultiHeadAttention)}
    assert {
        "Transformer",
        "BERT",
        "GPT",
        "Vision Transformer",
        "DETR",
        "Whisper",
        "SepFormer",
    } <= shared
    assert not shared & {"word2vec", "Léxico con reglas", "Red de Elman", "Con atención de Luong"}


# Lo que se dibuja es lo que pasa: se toca un token del modelo de verdad y se mira qué se mueve.


def of(rows, name):
    return next(row.model for row in rows if row.name == name).double().eval()


def test_influence_of_a_known_function():
    """Cada salida es la suma de dos entradas: se sabe de quién depende."""
    follow = torch.eye(5, dtype=torch.bool) | torch.eye(5, dtype=torch.bool).roll(1, 0)
    respond = lambda tokens: (tokens.double() @ follow.double().mT)[..., None]  # noqa: E731
    assert influence(respond, torch.tensor([[0, 3, 1, 2, 4]]), 5).equal(follow)
    with pytest.raises(ValueError, match="uno por token"):
        influence(lambda tokens: tokens.double(), torch.tensor([[0, 1]]), 5)


TOKENS = torch.tensor([[7, 3, 9, 4, 8, 2, 5, 6]])


def test_language_models_depend_on_what_the_map_draws(rows):
    causal, everyone = PATTERNS["causal"].draw(), PATTERNS["todos"].draw()
    gpt, elman, bert = (of(rows, n) for n in ("GPT", "Modelo de lenguaje recurrente", "BERT"))
    assert influence(gpt, TOKENS, 1024).equal(causal)
    assert influence(lambda tokens: elman(tokens)[0], TOKENS, 101).equal(causal)
    lengths = torch.full((9,), 8)
    assert influence(lambda tokens: bert(tokens, lengths), TOKENS, 2048).equal(everyone)


def test_shuffled_reading_depends_on_the_turns(rows):
    from tfcourse.course_map.patterns import ORDER

    model = of(rows, "XLNet, en pequeño")
    seen = influence(lambda tokens: model(tokens, ORDER.repeat(len(tokens), 1)), TOKENS, 2048)
    itself = torch.eye(8, dtype=torch.bool)
    assert (seen | itself).equal(PATTERNS["por turnos"].draw()) and not (seen & itself).any()


@pytest.mark.parametrize(("name", "shift"), [("por ventanas", 0), ("ventanas desplazadas", 1)])
def test_windows_are_those_of_swin(name, shift):
    torch.manual_seed(0)
    layer = WindowAttention(8, 2, WINDOW, shift).double()
    table = torch.randn(20, 8, dtype=torch.double)
    respond = lambda cells: layer(table[cells].unflatten(1, GRID)).flatten(1, 2)  # noqa: E731
    cells = torch.arange(16)[None]
    assert influence(respond, cells, 20).equal(PATTERNS[name].draw())


def test_both_paths_are_those_of_sepformer():
    from tfcourse.layers.sound.dual_path import PathTransformer, along

    torch.manual_seed(0)
    path = PathTransformer(8, 2, 16, 1).double()
    table = torch.randn(20, 8, dtype=torch.double)
    for name, turned in (("dentro del trozo", False), ("entre trozos", True)):

        def respond(cells, turned=turned):
            chunks = table[cells].unflatten(1, (4, 4))
            if turned:
                return along(path, chunks.transpose(1, 2)).transpose(1, 2).flatten(1, 2)
            return along(path, chunks).flatten(1, 2)

        assert influence(respond, PLACES[None], 20).equal(PATTERNS[name].draw())


def test_every_query_of_a_pattern_looks_at_someone():
    for name, pattern in PATTERNS.items():
        mask = pattern.draw()
        assert mask.dtype == torch.bool and mask.ndim == 2, name
        assert mask.any(dim=1).all(), name
    drawn = [(tuple(p.draw().shape), tuple(p.draw().flatten().tolist())) for p in PATTERNS.values()]
    assert len(set(drawn)) == len(drawn), "dos patrones se dibujan igual"


def test_strokes_cover_the_allowed_cells():
    for name, pattern in PATTERNS.items():
        mask, painted = pattern.draw(), torch.zeros_like(pattern.draw())
        for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", mask_path(mask)):
            painted[int(y), int(x) : int(x) + int(width)] = True
        assert painted.equal(mask), name


def test_the_page_has_every_row_and_nothing_from_outside(rows):
    page = CourseMap(rows)._repr_html_()
    assert page == CourseMap(rows)._repr_html_()
    assert "<script" not in page and "http" not in page and len(page.encode()) < 100_000
    assert page.count("<tr>") == len(rows) + page.count("<thead>")
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and set(re.findall(r'<use href="#([^"]+)"', page)) == set(ids)
    for name in {pattern for row in rows for _, pattern in row.looks}:
        assert page.count(f"<b>{name}</b>") >= 2, "en la leyenda y en su fila"
    for row in rows:
        assert f'<a href="../{row.chapter}.ipynb">{row.chapter_name}</a>' in page
    assert repr(CourseMap(rows)).count("\n") == len(rows) - 1


def test_the_stored_page_counts_the_rows_of_today(rows):
    page = nbformat.read(ROOT / "chapters/6_multimodal/mapa.ipynb", as_version=4)
    (cell,) = (cell for cell in page.cells if cell.source == "course")
    (stored,) = (output.data["text/plain"] for output in cell.outputs)
    assert stored == repr(CourseMap(rows)), "ejecuta «make ejecutar CAP=mapa»"


def test_the_site_turns_notebook_links_into_pages():
    sys.path.insert(0, str(ROOT / "chapters/_sitio"))
    from course_site import finish

    link = '<a href="../3_lenguaje/gpt.ipynb">x</a>'
    assert finish.finished(link) == '<a href="../3_lenguaje/gpt.html">x</a>'
    colab = '<a href="https://a.b/3_lenguaje/gpt.ipynb">x</a>'
    assert finish.finished(colab) == colab
    named = '<a href="../3_lenguaje/gpt.ipynb">capítulo de GPT</a>'
    number = find_chapter("gpt", book_chapters(ROOT)).number
    assert finish.finished(named) == (
        '<a href="../3_lenguaje/gpt.html" title="GPT: generación autorregresiva">'
        f"capítulo {number}</a>"
    )


def test_the_page_escapes_what_it_is_given():
    row = Row("<a>", "1_recurrencia/lstm_gru", object, "<b>", "<c>", "<d>", instead="<e>")
    page = CourseMap([row])._repr_html_()
    assert all(f"&lt;{letter}&gt;" in page for letter in "abcde")


def test_vocabularies_are_those_of_the_chapters():
    from tfcourse.datasets.pictures.captions import HELD_OUT, KINDS, drawings
    from tfcourse.datasets.text.dates import date_pairs
    from tfcourse.datasets.text.grammar import grammar_split
    from tfcourse.text.sentiment.texts import texts_and_labels, word_tokenizer
    from tfcourse.tokenizers.vocabulary import Vocabulary

    size = lambda texts: len(Vocabulary.from_sequences(texts))  # noqa: E731
    kinds = tuple(kind for kind in KINDS if kind not in HELD_OUT)
    assert size(drawings(2_000, kinds, seed=0).captions) == recurrence.N_CAPTION_WORDS
    dates, _ = date_pairs(n_train=20_000, n_test=300, seed=0)
    assert (size(list(p.text) for p in dates), len(Vocabulary("0123456789-"))) == recurrence.DATES
    train, *_ = grammar_split(n_train=20_000, n_test=500, seed=0)
    assert size(s.source for s in train) == transformer.N_ENGLISH
    assert size(s.target for s in train) == transformer.N_SPANISH
    from tfcourse.datasets.reviews import review_split

    reviews, _ = review_split(4800, 1000, seed=0)
    words = word_tokenizer(texts_and_labels(reviews, clean=True)[0])
    assert len(words) == language.N_REVIEW_WORDS
    from tfcourse.datasets.scenes.motions import training_clips
    from tfcourse.datasets.scenes.video_sentences import joint_tokenizer
    from tfcourse.multimodal.video.recipe import Recipe as VideoRecipe

    captions = training_clips(600, 0).captions
    visual = VideoRecipe().branches ** 2
    assert len(joint_tokenizer(captions, visual)) == multimodal.N_VIDEO_TOKENS
