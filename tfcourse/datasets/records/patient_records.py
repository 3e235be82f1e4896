"""De un paciente (sintético) a una secuencia de tokens: edad, códigos y tiempo entre visitas."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.records.patients import AGES, CODES, GAPS, MAX_VISITS, Patients
from tfcourse.datasets.text.masking import BERT_TOKENS, CLS, SEP
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.words import WordTokenizer

N_SEGMENTS = MAX_VISITS + 1  # el 0, lo que no es de ninguna visita


class Records(NamedTuple):
    """Historias como secuencias: números, longitudes, en qué visita está cada token y desenlace."""

    tokens: Int[Tensor, "N L"]
    lengths: Int[Tensor, " N"]
    visits: Int[Tensor, "N L"]
    labels: Int[Tensor, " N"]

    def rows(self, which: Tensor) -> "Records":
        """Las historias de esas filas."""
        return Records(*(part[which] for part in self))


def record_tokenizer(codes: Sequence[str] = CODES) -> WordTokenizer:
    """Los especiales, las edades, los tiempos y los códigos, en este orden."""
    return WordTokenizer([*AGES, *GAPS, *codes], BERT_TOKENS)


def first_code(tokenizer: Tokenizer) -> int:
    """El número del primer código: delante van los especiales, las edades y los tiempos."""
    return tokenizer.token_id(GAPS[-1]) + 1


def encode_patients(patients: Patients, tokenizer: Tokenizer) -> Records:
    """[CLS] edad · códigos de la visita · tiempo · códigos de la siguiente · … [SEP] y relleno."""
    first_age, first_gap = (tokenizer.token_id(names[0]) for names in (AGES, GAPS))
    n = len(patients)
    visit = torch.arange(1, MAX_VISITS + 1)[None, :, None]
    gaps = patients.gaps[..., None]
    body = torch.cat([gaps + first_gap, patients.codes + first_code(tokenizer)], dim=2)
    present = torch.cat([gaps, patients.codes], dim=2) >= 0
    edge = torch.ones(n, 1, dtype=torch.long)
    age = (patients.ages[:, None] - 40) // 10 + first_age
    cls, sep = tokenizer.token_id(CLS), tokenizer.token_id(SEP)
    tokens = torch.cat([edge * cls, age, body.flatten(1), edge * sep], dim=1)
    visits = torch.cat([edge * 0, edge * 0, visit.expand(body.shape).flatten(1), edge * 0], dim=1)
    kept = torch.cat([edge > 0, edge > 0, present.flatten(1), edge > 0], dim=1)
    # Lo que está pasa delante, sin cambiar de orden; el resto es relleno.
    order = (~kept).long().argsort(dim=1, stable=True)
    lengths = kept.sum(dim=1)
    inside = torch.arange(int(lengths.max())) < lengths[:, None]
    tokens, visits = (x.gather(1, order)[:, : inside.shape[1]] for x in (tokens, visits))
    tokens = torch.where(inside, tokens, tokenizer.pad_id)
    return Records(tokens, lengths, visits * inside, patients.outcome)


def code_counts(records: Records, tokenizer: Tokenizer) -> Tensor:
    """Cuántas veces sale cada token, (N, V): lo que lee un modelo de bolsa de códigos."""
    table = torch.zeros(len(records.tokens), len(tokenizer))
    table.scatter_add_(1, records.tokens, torch.ones_like(records.tokens, dtype=torch.float))
    return table[:, len(tokenizer.special_tokens) :]
