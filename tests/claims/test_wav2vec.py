"""wav2vec 2.0: sin diversidad se usan menos entradas, y con una etiqueta preentrenar compensa."""

import pytest
import torch

from tests.recipes import SEEDS, recipe, report
from tfcourse.sound.unlabelled.recipe import load, short_digits
from tfcourse.stored.results import load_results

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


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


def test_the_frozen_vectors_always_lose_to_the_log_mel():
    rows = load_results("etiquetas_voz")
    found = {(row["start"], row["per_word"], row["seed"]): row["accuracy"] for row in rows}
    for (start, per_word, seed), accuracy in found.items():
        if start == "preentrenado, sonda":
            assert accuracy < found["log-mel y lineal", per_word, seed]


def test_silence_is_named_by_the_mean_of_the_clip():
    """Los ceros exactos valen otra cosa en cada clip después de normalizar, y su código cambia."""
    model, (_, test) = load("wav2vec_cifras"), short_digits()
    clip = next(w for w, v in zip(test.waves, test.voices, strict=True) if v == "f3")

    def codes(wave):
        with torch.no_grad():
            return model.quantizer.logits(model.wav2vec2.features(wave[None])).argmax(-1)[0, :, 0]

    moved = codes(torch.where(clip != 0, clip - 0.1 * clip.std(), clip))
    plain = codes(clip)
    assert plain[0] == plain[-1] != moved[0] == moved[-1]
    inside = slice(10, 20)
    assert (moved[inside] == plain[inside]).float().mean() > 0.5
