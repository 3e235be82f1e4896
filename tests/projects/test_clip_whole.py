"""El proyecto de CLIP, resuelto y con todos sus pasos: se prueba lo que llega a aprender.

En el acelerador se recorta su entrenamiento y de lo que aprende no se mira nada.
"""

import pytest

from tests.conftest import ROOT
from tests.projects.test_whole import solved_project

pytestmark = pytest.mark.lento
MASTER = ROOT / "chapters/6_multimodal/maestros/proyecto_clip.ipynb"


@pytest.fixture(scope="module")
def told():
    """Lo que dice cada celda, y los nombres que quedan al final."""
    yield from solved_project(MASTER)


def test_it_is_the_model_of_the_course_floor_by_floor(told):
    found, names = told
    assert len(found["resultado-cotejo"].splitlines()) == 4 + 1 + 2 + 1
    course = names["card"].quality
    by_picture, by_text = names["course_recall"][5]
    # Un decimal de otro procesador puede cambiar el puesto de una pareja, y no el de muchas.
    assert abs(by_picture - course["dibujo → nombre, 5"]) < 0.02
    assert abs(by_text - course["nombre → dibujo, 5"]) < 0.02


def test_words_sort_drawings_better_than_the_commonest_group(told):
    names = told[1]
    groups = names["new"].groups
    right = {name: (guess == groups).float().mean() for name, guess in names["guesses"].items()}
    assert right["con palabras y plantillas"] > right["siempre el más frecuente"] + 0.08


def test_what_pushes_is_a_confusion_and_not_a_pair(told):
    names = told[1]
    assert (names["formula"].diagonal() < 0).all() and (names["confused"] >= 0).all()
    assert len(told[0]["resultado-gradiente"].splitlines()) == 2 + 6


def test_a_batch_in_chunks_is_the_whole_batch_but_for_the_batch_norm(told):
    found = told[1]["differences"]
    assert found["al usarlo"] < 1e-4
    assert min(found["al aprender"], found["por separado"]) > 0.1


def test_it_learns_to_find_drawings_it_has_not_seen(told):
    names = told[1]
    for found in (names["own_recall"], names["rival_recall"]):
        assert sum(found[10]) / 2 > 1.5 * 10 / 200  # al azar, 10 de 200
    assert sum(names["losses"][-5:]) / 5 < names["losses"][0] - 0.5
    assert sum(names["sigmoid_losses"][-5:]) / 5 < sum(names["sigmoid_losses"][:5]) / 5
