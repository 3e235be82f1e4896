"""GPT: con el mismo texto, la receta del curso gasta menos bits; y un GPT de dos capas copia."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/gpt.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_fewer_bits_with_the_same_text(chapter, seed):
    _, bits = chapter["race_gpt"](seed)
    ours, theirs = bits["la del curso"], bits["nanoGPT (CPU)"]
    report(seed, f"{ours:.3f} bits por carácter; la de nanoGPT, {theirs:.3f}")
    assert ours < theirs - 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_two_layers_copy_segments_of_a_length_never_trained(chapter, seed):
    turns = chapter["copying_bits"](seed)
    first, second, third = turns[8]
    report(seed, f"al copiar, {first:.2f}, {second:.2f} y {third:.2f} bits en cada vuelta")
    assert second < first / 2 and third < second
