"""A escala real: la escalera entera con la Wikipedia en español, a iguales pasos."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from tfcourse.datasets.folders.wikipedia import WIKIPEDIA_SOURCE
from tfcourse.datasets.text.articles import Corpus
from tfcourse.stored.full import FullRun
from tfcourse.text.generation.full import Full as Texts
from tfcourse.text.generation.full import read_corpus
from tfcourse.text.generation.published import published_run
from tfcourse.text.generation.scale import ScaleSettings, held_out_bits, prepare_tokens
from tfcourse.text.modern.recipe import LADDER, Recipe, TextLoss, batches, build, facts
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device, fit, seed_everything
from tfcourse.training.recipe import muon
from tfcourse.training.schedules import cycle


@dataclass(frozen=True)
class Full:
    """Cuánta Wikipedia, cuántos tokens distintos, los tamaños y los peldaños que se comparan."""

    texts: Texts = field(default_factory=Texts)
    n_tokens: int = 32_768
    sizes: Recipe = field(
        default_factory=lambda: Recipe(
            d_model=768, n_heads=12, n_layers=12, length=1024, batch_size=32, steps=15_000,
            muon_lr=0.02, adam_lr=3e-3,
        )
    )  # fmt: skip
    rungs: tuple[str, ...] = tuple(LADDER)

    def recipe(self, name: str) -> Recipe:
        """El peldaño, con estos tamaños: las anchuras crecen como la del modelo."""
        scale = self.sizes.d_model / LADDER[name].d_model
        pieces = dict(LADDER[name].pieces)
        if "d_hidden" in pieces:
            pieces["d_hidden"] = round(pieces["d_hidden"] * scale)
        if "d_latent" in pieces:
            pieces |= {"d_latent": round(pieces["d_latent"] * scale), "d_rotary": 32}
        if "n_kv_heads" in pieces:
            pieces["n_kv_heads"] = self.sizes.n_heads // 2
        if "window" in pieces:
            pieces |= {"window": self.sizes.length // 4 - 1, "n_sinks": 4}
        return replace(self.sizes, pieces=pieces)


REHEARSAL = Full(
    texts=Texts(n_articles=40, counted_characters=5_000, test_characters=600),
    n_tokens=300,
    sizes=Recipe(d_model=32, n_heads=4, n_layers=3, length=32, batch_size=4, steps=4),
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Bits por carácter en artículos reservados, parámetros y caché de cada peldaño."""
    corpus = read_corpus(settings.texts)
    scale = ScaleSettings("aula", settings.n_tokens, 1, 1)
    ids, tokenizer = prepare_tokens(scale, corpus.train)
    return [
        row_of(name, settings.recipe(name), corpus, ids, tokenizer, folder)
        for name in settings.rungs
    ]


def row_of(name: str, recipe: Recipe, corpus: Corpus, ids, tokenizer, folder: Path) -> dict:
    """Entrena un peldaño, con puntos de control en la carpeta, y lo mide."""
    seed_everything(0)
    model, budget = build(recipe, len(tokenizer)), Steps(recipe.steps)
    path = folder / f"{list(LADDER).index(name)}.safetensors"
    fit(
        model, batches(recipe, 0, ids), TextLoss(recipe), budget=budget,
        optimizer=muon(model, recipe), schedule=cycle(budget, recipe.warmup),
        checkpoint=Checkpoint(path, every=max(1, recipe.steps // 20)),
    )  # fmt: skip
    found = facts(recipe, len(tokenizer))
    bits = held_out_bits(model.to(default_device()), tokenizer, corpus.test)
    return {
        "peldaño": name,
        "parámetros": found["parameters"],
        "por token": found["active"],
        "caché por token, en bytes": found["cache"],
        "bits por carácter": bits,
    }


RUNS = {
    "bloque_actual": FullRun(
        name="bloque_actual",
        title="Del bloque de GPT-2 al de hoy, con la Wikipedia en español",
        sources=(WIKIPEDIA_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=30,
        hours=40,
    ),
    "modernos_publicados": published_run(
        "modernos_publicados",
        "Modelos abiertos de hoy, en nuestra clase, con los artículos reservados del curso",
        ("HuggingFaceTB/SmolLM2-135M-Instruct", "Qwen/Qwen3-0.6B"),
        gigabytes=8,
    ),
}
