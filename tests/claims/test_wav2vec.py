"""wav2vec 2.0: sin diversidad se usan menos entradas, y con una etiqueta preentrenar compensa."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("5_audio/wav2vec.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_without_diversity_the_quantizer_falls_and_pretraining_helps_the_probe(chapter, seed):
    runs = {"con": chapter["race"](seed, chapter["CLASSROOM"].diversity)}
    runs["sin"] = chapter["race"](seed, 0.0)
    kept, fallen = (run.history.metrics[-1] for run in runs.values())
    found = chapter["probes"]({name: run.model.wav2vec2 for name, run in runs.items()}, seed)
    report(
        seed,
        f"con y sin diversidad: pérdida {kept['loss']:.2f} y {fallen['loss']:.2f}, entradas "
        f"{kept['used']:.1f} y {fallen['used']:.1f}; sondas: "
        + ", ".join(f"{name} {value:.1%}" for name, value in found.items()),
    )  # fmt: skip
    assert fallen["loss"] < kept["loss"] and fallen["used"] < 0.7 * kept["used"]
    assert kept["hits"] > 0.2 and found["con"] > found["sin entrenar"] + 0.08


@pytest.mark.parametrize("seed", SEEDS)
def test_with_one_label_of_each_word(chapter, seed):
    found = chapter["one_label"](seed)
    report(seed, ", ".join(f"{name} {value:.1%}" for name, value in found.items()))
    assert found["preentrenado"] > found["de cero"]
