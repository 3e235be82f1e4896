"""Las decisiones de Pix2Seq: la tabla guardada es la de estas recetas y dice lo que dice."""

from benchmarks.box_language import DECODERS, EYES, NAME, WHOLE, quality, settings
from tfcourse.stored.results import load_results
from tfcourse.vision.box_language.decoders import N_READ
from tfcourse.vision.box_language.recipe import load


def rows():
    return load_results(NAME, settings())


def mean(name, column):
    found = [row[column] for row in rows() if row["recipe"] == name]
    return sum(found) / len(found)


def test_the_stored_table_is_of_these_recipes():
    assert {row["recipe"] for row in rows()} == {*DECODERS, *WHOLE}
    assert mean("de fábrica", "AP") > mean("coordenadas duras", "AP")
    assert mean("de fábrica", "AP") > mean("17 marcas", "AP") + 0.1
    assert mean("entero", "AP") > mean("entero, sin colorear", "AP")


def test_the_page_reads_as_many_scenes_as_the_table():
    assert N_READ == settings()["n_read"] == 2_000
    assert quality(load(EYES))["exhaustividad"] > 0.9
