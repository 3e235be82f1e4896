"""A escala real: redes recurrentes contra contar, con el mismo texto de la Wikipedia."""

from dataclasses import dataclass, field
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor, nn

from tfcourse.datasets.folders.wikipedia import WIKIPEDIA_SOURCE, one_line, wikipedia_split
from tfcourse.datasets.text.streams import SPANISH_CHARACTERS, stream_windows
from tfcourse.layers.recurrent.precision import keep_full_precision
from tfcourse.losses import CarriedStateLoss
from tfcourse.metrics import bits_per_character, text_log_probabilities
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.language import VARIANTS, LanguageConfig, RecurrentLM
from tfcourse.models.ngrams import CountModel
from tfcourse.stored.full import FullRun
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import default_device, fit, one_cycle, seed_everything
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint

CHARACTERS = Vocabulary(SPANISH_CHARACTERS)
STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)  # las m entre las que se elige
KEPT = 40  # la m se elige con una parte de cada cuarenta del texto de entrenar
TEST_STREAMS, TEST_WINDOW = 64, 256


@dataclass(frozen=True)
class Full:
    """Cuánta Wikipedia, hasta qué orden se cuenta, las redes y lo que se entrenan.

    Cada `save_every` ventanas se empieza a leer sin memoria, y entonces se guarda.
    """

    n_articles: int = 20_000
    train_characters: int = 50_000_000
    test_characters: int = 2_000_000
    orders: tuple[int, ...] = (1, 3, 6)
    steps: int = 20_000
    batch_size: int = 64
    window: int = 128
    rate: float = 1e-3
    save_every: int = 1_000
    networks: dict = field(
        default_factory=lambda: {
            "red de 256 unidades": VARIANTS["aula"],
            "red de 1024 unidades": VARIANTS["grande"],
        }
    )


REHEARSAL = Full(
    n_articles=40,
    train_characters=4_000,
    test_characters=600,
    steps=6,
    batch_size=4,
    window=8,
    save_every=2,
    networks={"red de 8 unidades": {"d_embedding": 4, "d_hidden": 8}},
)


def read_ids(settings: Full) -> tuple[Int[Tensor, "N"], Int[Tensor, "M"]]:
    """El texto de entrenar y el de evaluar, numerados: artículos distintos, uno por línea.

    Errores: los de `wikipedia_split`.
    """
    parts = wikipedia_split(settings.n_articles)
    sizes = settings.train_characters, settings.test_characters
    texts = ("\n".join(map(one_line, part))[:n] for part, n in zip(parts, sizes, strict=True))
    return tuple(torch.tensor(CHARACTERS.encode(text)) for text in texts)


def count(ids: Int[Tensor, "N"], order: int) -> CountModel:
    """Un n-grama con la m que mejor le va en un trozo apartado del texto de entrenar."""
    kept = max(1, len(ids) // KEPT)
    counter = CountModel(order, len(CHARACTERS), start_id=CHARACTERS.encode("\n")[0])
    counter.fit(ids[:-kept])
    bits = {}
    for counter.strength in STRENGTHS:
        bits[counter.strength] = bits_of_counts(counter, ids[-kept:])
    counter.strength = min(bits, key=bits.get)
    return counter.fit(ids)


def bits_of_counts(counter: CountModel, ids: Int[Tensor, "N"]) -> float:
    """Bits por carácter de contar."""
    return bits_per_character(counter.probability(counter.windows(ids)).log())


def train_one(
    ids: Int[Tensor, "N"], sizes: dict, settings: Full, checkpoint: Checkpoint
) -> RecurrentLM:
    """Una red, con las mismas ventanas y el mismo ritmo que las demás."""
    seed_everything(0)
    model = keep_full_precision(RecurrentLM(LanguageConfig(len(CHARACTERS), **sizes)))
    windows = stream_windows(
        ids,
        batch_size=settings.batch_size,
        window=settings.window,
        restart=settings.save_every,
    )
    fit(
        model, windows, CarriedStateLoss(), budget=Steps(settings.steps),
        optimizer=torch.optim.AdamW(model.parameters(), lr=settings.rate, fused=True),
        schedule=one_cycle(settings.steps), checkpoint=checkpoint,
        description=checkpoint.path.stem,
    )  # fmt: skip
    return model


def bits_of_network(model: nn.Module, ids: Int[Tensor, "N"]) -> float:
    """Bits por carácter de una red, donde esté, leyendo el texto por tiras."""
    windows = stream_windows(
        ids.to(next(model.parameters()).device),
        batch_size=min(TEST_STREAMS, len(ids) // 2), window=TEST_WINDOW, repeat=False,
    )  # fmt: skip
    return bits_per_character(text_log_probabilities(model, windows).cpu())


def measure(settings: Full, folder: Path) -> list[dict]:
    """Bits por carácter y perplejidad en artículos reservados: contar, y las redes."""
    known, test = read_ids(settings)
    rows = []
    for order in settings.orders:
        counter = count(known, order)
        row = {"modelo": f"{order}-grama", "números": counter.n_counts()}
        rows.append(row | {"bits por carácter": bits_of_counts(counter, test)})
    for name, sizes in settings.networks.items():
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        model = train_one(known, sizes, settings, point)
        bits = bits_of_network(model.to(default_device()), test)
        rows.append({"modelo": name, "números": n_parameters(model), "bits por carácter": bits})
    return [row | {"perplejidad": 2 ** row["bits por carácter"]} for row in rows]


RUNS = {
    "letras": FullRun(
        name="letras",
        title="Wikipedia en español, bits por carácter en artículos reservados",
        sources=(WIKIPEDIA_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=2,
        hours=0.8,
    )
}
