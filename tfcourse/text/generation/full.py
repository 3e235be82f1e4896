"""A escala real: dos recetas de GPT-2 con la Wikipedia en español, a iguales pasos."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from tfcourse.datasets.folders.wikipedia import WIKIPEDIA_SOURCE, one_line, wikipedia_split
from tfcourse.datasets.text.articles import Corpus
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.profile import rehearsing
from tfcourse.stored.full import FullRun
from tfcourse.text.generation.published import published_run
from tfcourse.text.generation.recipe import NANOGPT, OURS, Recipe, ngram_bits
from tfcourse.text.generation.scale import (
    ScaleSettings,
    held_out_bits,
    prepare_tokens,
    train_at_scale,
)
from tfcourse.training.loop import default_device


@dataclass(frozen=True)
class Full:
    """Cuánta Wikipedia, el tamaño de la red, cuánto se entrena y las recetas que se comparan.

    `counted_characters` son los que caben en las tablas de contar; `test_characters`, los
    reservados con los que se mide.
    """

    n_articles: int = 200_000
    counted_characters: int = 100_000_000
    test_characters: int = 2_000_000
    scale: ScaleSettings = field(
        default_factory=lambda: ScaleSettings("gpt-2", 32_768, 32, 15_000, parts=4)
    )
    recipes: dict[str, Recipe] = field(
        default_factory=lambda: {
            "receta de nanoGPT": replace(NANOGPT, adam_lr=6e-4),
            "la nuestra": replace(OURS, adam_lr=3e-3),
        }
    )


REHEARSAL = Full(
    n_articles=40,
    counted_characters=5_000,
    test_characters=600,
    scale=ScaleSettings("aula", 300, batch_size=4, steps=4, parts=2),
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Bits por carácter en artículos reservados: contar, y las dos recetas con los mismos pasos."""
    corpus = read_corpus(settings)
    counted = Corpus(corpus.train[: settings.counted_characters], corpus.test)
    row = {"modelo": "6-grama", "parámetros": "", "bits por carácter": ngram_bits(counted)}
    rows = [row | {"caracteres leídos": len(counted.train)}]
    scale = replace(settings.scale, compiled=default_device() == "cuda" and not rehearsing())
    ids, tokenizer = prepare_tokens(scale, corpus.train)
    seen = scale.steps * scale.batch_size * len(corpus.train) / len(ids)
    for name, recipe in settings.recipes.items():
        path = folder / f"{name}.safetensors"
        model, _, _ = train_at_scale(scale, ids, len(tokenizer), path, recipe=recipe)
        bits = held_out_bits(model.to(default_device()), tokenizer, corpus.test)
        row = {"modelo": name, "parámetros": n_parameters(model), "bits por carácter": bits}
        rows.append(row | {"caracteres leídos": round(seen * model.config.max_length)})
    return rows


def read_corpus(settings: Full) -> Corpus:
    """La Wikipedia con el alfabeto del curso, un artículo por línea; la reservada, recortada."""
    train, reserved = wikipedia_split(settings.n_articles)
    texts = ("\n".join(map(one_line, part)) for part in (train, reserved))
    return Corpus(next(texts), next(texts)[: settings.test_characters])


RUNS = {
    "gpt": FullRun(
        name="gpt",
        title="GPT-2 con la Wikipedia en español, bits por carácter en artículos reservados",
        sources=(WIKIPEDIA_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=14,
        hours=8,
    ),
    "gpt_publicados": published_run(
        "gpt_publicados",
        "GPT-2 publicados, en nuestra clase, con los artículos reservados del curso",
        ("openai-community/gpt2", "DeepESP/gpt2-spanish"),
        gigabytes=4,
    ),
}
