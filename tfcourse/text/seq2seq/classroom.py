"""Los traductores del aula: lo mismo para todos, salvo el decodificador y lo que se mide."""

from collections.abc import Sequence
from typing import Any

import torch

from tfcourse.datasets.sequences import SequencePairs, encode_pairs
from tfcourse.decoding import translate
from tfcourse.losses import teacher_forcing_loss
from tfcourse.metrics import exact_match
from tfcourse.models.seq2seq import VARIANTS, Seq2Seq, Seq2SeqConfig
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import History, Steps, default_device, fit, one_cycle, seed_everything


def train_model(
    decoder: str,
    pairs: SequencePairs,
    vocabularies: tuple[Vocabulary, Vocabulary],
    *,
    steps: int,
    seed: int = 0,
    sizes: dict = VARIANTS["aula"],
    rate: float = 1e-2,
    **fit_options: Any,
) -> tuple[Seq2Seq, History]:
    """Entrena un traductor del aula; entre dos de la misma receta solo cambia el decodificador.

    Los lotes son de 32 parejas de longitud parecida, con AdamW y un ciclo de ritmo. Devuelve el
    modelo y la historia. Errores: los de `fit`, y `ValueError` si no existe el decodificador.
    """
    seed_everything(seed)
    n_source, n_target = map(len, vocabularies)
    model = Seq2Seq(Seq2SeqConfig(n_source, n_target, decoder, **sizes)).to(default_device())
    history = fit(
        model,
        pairs.batches(batch_size=32, seed=seed, similar_lengths=True),
        teacher_forcing_loss,
        budget=Steps(steps),
        optimizer=torch.optim.AdamW(model.parameters(), lr=rate, fused=True),
        schedule=one_cycle(steps),
        description=decoder,
        **fit_options,
    )
    return model, history


def exact_translations(
    model: Seq2Seq,
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    vocabularies: tuple[Vocabulary, Vocabulary],
) -> float:
    """Fracción de salidas escritas, en ejecución libre, sin un solo error."""
    examples = encode_pairs(sources, targets, *vocabularies).to(default_device())
    longest = examples.target.shape[1] + 8  # quien escriba de más también se equivoca
    written = translate(
        model, examples.source, examples.lengths, vocabularies[1], max_length=longest
    )
    return exact_match(written, [list(target) for target in targets])
