"""Los archivos publicados: todos sus tensores tienen sitio en nuestra clase, y miden lo suyo."""

import math
import re

import pytest
import torch
import transformers

from tests.official.key_lines import expanded
from tests.official.published_keys import CHECKPOINTS
from tfcourse.models.modernbert_published import ModernBertConfig
from tfcourse.official.catalogue import CATALOGUE
from tfcourse.official.conversion import published_name
from tfcourse.official.loading import FAMILIES, family_of
from workshop.rehearsal.separator import Separator, Settings


def library_shapes(checkpoint) -> dict[str, torch.Size]:
    """Lo que mide cada tensor en la clase de su biblioteca, sin ocupar memoria."""
    if not checkpoint.library:
        with torch.device("meta"):
            return {name: one.shape for name, one in Separator(Settings()).state_dict().items()}
    config = transformers.AutoConfig.for_model(**checkpoint.config)
    with torch.device("meta"):
        model = getattr(transformers, checkpoint.library)(config)
    return {name: tensor.shape for name, tensor in model.state_dict().items()}


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_every_tensor_of_a_public_file_has_its_place(name):
    checkpoint = CHECKPOINTS[name]
    names = checkpoint.names()
    family = family_of(checkpoint.config, names)
    assert family.name == checkpoint.family

    def kept(every) -> dict[str, str]:
        plain = {published_name(one, family.table): one for one in every}
        left = [*family.table.ignored, *checkpoint.absent]
        return {p: one for p, one in plain.items() if not any(re.fullmatch(i, p) for i in left)}

    shapes = library_shapes(checkpoint)
    theirs = {plain: shapes[one] for plain, one in kept(shapes).items()} | checkpoint.extra
    ours = kept(names)
    assert ours.keys() == theirs.keys()
    state = {
        one: torch.empty(theirs.get(published_name(one, family.table), (1,)), device="meta")
        for one in names
    }
    with torch.device("meta"):
        model = family.model(checkpoint.config, state)
    assert all(parameter.is_meta for parameter in model.parameters())
    if name in CATALOGUE:
        # Los GPT guardan además sus máscaras, que aquí no se cuentan.
        count = sum(math.prod(shape) for shape in theirs.values()) + checkpoint.twice
        size = 1e-9 * checkpoint.each * count
        assert CATALOGUE[name].gigabytes == pytest.approx(size, rel=0.11)


def test_the_usual_sizes_of_modernbert_are_those_it_was_published_with():
    told = CHECKPOINTS["answerdotai/ModernBERT-base"].config
    usual = ModernBertConfig(told["vocab_size"])
    assert (usual.d_model, usual.d_hidden) == (told["hidden_size"], told["intermediate_size"])
    assert usual.n_layers == told["num_hidden_layers"]
    assert usual.n_heads == told["num_attention_heads"]
    assert usual.max_length == told["max_position_embeddings"]
    assert usual.full_every == told["global_attn_every_n_layers"]
    assert usual.reach == told["local_attention"] // 2
    assert (usual.base, usual.near_base) == (told["global_rope_theta"], told["local_rope_theta"])


def test_every_family_has_a_public_file_or_a_reason():
    without = {family.name for family in FAMILIES} - {c.family for c in CHECKPOINTS.values()}
    # Las mismas tablas que otra, con la cabeza o sin ella.
    assert without == {
        "roberta-codificador", "distilbert-codificador", "wav2vec2-codificador", "xlsr",
    }  # fmt: skip


def test_patterns_are_expanded():
    assert expanded("a.{0-1}.(b|c)") == ["a.0.b", "a.0.c", "a.1.b", "a.1.c"]
