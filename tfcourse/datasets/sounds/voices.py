"""Las voces del curso: qué timbres son para entrenar y cuáles se reservan para evaluar."""

from collections.abc import Sequence

import torch

from tfcourse.datasets.sounds.synthesizer import ACCENTS, Voice

# Variantes de eSpeak NG que suenan a persona. Las de una misma familia (steph, steph2…) van al
# mismo lado; las que imitan robots o susurran no se usan.
TRAIN_VARIANTS = (
    "Alex", "Andrea", "Andy", "AnxiousAndy", "Annie", "Denis", "Gene", "Gene2", "Henrique",
    "Hugo", "Jacky", "Lee", "Marco", "Michael", "Mike", "Reed", "RicishayMax", "RicishayMax2",
    "RicishayMax3", "adam", "antonio", "belinda", "benjamin", "caleb", "david", "edward",
    "edward2", "f1", "f2", "f4", "grandma", "grandpa", "gustave", "ian", "iven", "iven2",
    "iven3", "iven4", "john", "m1", "m3", "m4", "m6", "m7", "marcelo", "max", "michel",
    "miguel", "mike2", "norbert", "paul", "quincy", "rob", "steph", "steph2", "steph3",
    "travis", "zac",
)  # fmt: skip
TEST_VARIANTS = (
    "Alicia", "Diogo", "Mario", "Nguyen", "anika", "aunty", "boris", "ed", "f3", "f5", "linda",
    "m2", "m5", "m8", "pablo", "pedro", "robert", "sandro", "shelby", "victor",
)  # fmt: skip
SLOWEST, FASTEST = 110, 220
LOWEST, HIGHEST = 25, 75


def takes_of(
    variants: Sequence[str], takes: int, seed: int = 0, language: str = "es"
) -> list[Voice]:
    """Varias tomas de cada timbre, con acento, velocidad y tono sorteados.

    `language` dice de qué lengua son los acentos, una de las de `ACCENTS`.

    Las tomas de un timbre no dependen de qué otros timbres se pidan.
    Errores: `ValueError` si no se pide ninguna toma.
    """
    if takes < 1:
        raise ValueError(f"takes={takes}: pide al menos una toma de cada voz")
    accents = ACCENTS[language]
    return [voice for variant in variants for voice in _takes(variant, takes, seed, accents)]


def _takes(variant: str, takes: int, seed: int, accents: Sequence[str]) -> list[Voice]:
    generator = torch.Generator().manual_seed(seed * 100_003 + sum(variant.encode()))
    draws = torch.rand(takes, 3, generator=generator, dtype=torch.float64)
    rates = SLOWEST + draws[:, 0] * (FASTEST - SLOWEST)
    pitches = LOWEST + draws[:, 1] * (HIGHEST - LOWEST)
    chosen = (draws[:, 2] * len(accents)).long()
    return [
        Voice(variant, accents[accent], round(rate), round(pitch))
        for accent, rate, pitch in zip(
            chosen.tolist(), rates.tolist(), pitches.tolist(), strict=True
        )
    ]
