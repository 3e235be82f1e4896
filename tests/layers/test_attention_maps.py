"""A dónde mira se pregunta igual en todas partes, y lo que se contesta es lo que se miró.

Las clases que lo dicen se descubren: a la que no tenga su ejemplo, la prueba la echa en falta.
"""

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from tests.layers.looking_examples import EXAMPLES
from tests.pieces import shelf_classes, shelf_modules
from tfcourse.layers.attention import MultiHeadAttention, attention_weights
from tfcourse.layers.attention_maps import AttentionMaps, BlockMaps
from tfcourse.layers.causal import causal_attention
from tfcourse.layers.masks import causal_mask, combine_masks
from tfcourse.models.late_fusion import (
    BottleneckClassifier,
    BottleneckEncoder,
    JointHeadClassifier,
)
from tfcourse.models.seq2seq import Seq2Seq

NAME = "attention_maps"
# Quien llama a una de estas está diciendo a dónde se mira.
TELLS = {NAME, "attention_weights", "maps_by_layer"}
JOINED = {BottleneckEncoder, BottleneckClassifier, JointHeadClassifier}
LOOKERS = sorted(
    (c for c in shelf_classes() if hasattr(c, NAME)), key=lambda c: f"{c.__module__}.{c.__name__}"
)
each_looker = pytest.mark.parametrize("kind", LOOKERS, ids=lambda kind: kind.__name__)


def test_every_class_that_tells_has_an_example():
    assert set(LOOKERS) >= {MultiHeadAttention, Seq2Seq} and set(EXAMPLES) == set(LOOKERS)


def ready(kind: type) -> tuple[nn.Module, tuple, dict]:
    """Uno de esa clase, con sus entradas."""
    torch.manual_seed(0)
    example = EXAMPLES[kind]
    return example.build().eval(), example.inputs(), example.options()


def shapes(maps):
    """La respuesta, con la forma de cada mapa en su lugar."""
    if isinstance(maps, Tensor):
        return tuple(maps.shape)
    if isinstance(maps, BlockMaps | AttentionMaps):
        return type(maps)(*map(shapes, maps))
    assert type(maps) is list
    return [shapes(layer) for layer in maps]


def every_map(maps) -> Iterator[Tensor]:
    if isinstance(maps, Tensor):
        yield maps
    else:
        for layer in maps:
            yield from every_map(layer)


def told(model: nn.Module, inputs: tuple, options: dict):
    """A dónde mira. A una atención suelta se le quitan los valores, que no le hacen falta."""
    has_values = "v" in inspect.signature(model.forward).parameters
    return model.attention_maps(*(inputs[:2] if has_values else inputs), **options)


@each_looker
def test_the_answer_has_the_agreed_form(kind):
    maps = told(*ready(kind))
    found, wanted = shapes(maps), EXAMPLES[kind].shapes
    assert found == wanted and type(found) is type(wanted)
    for layer in every_map(maps):
        assert layer.min() >= 0
        torch.testing.assert_close(layer.sum(dim=-1), torch.ones(layer.shape[:-1]))


@each_looker
def test_it_is_asked_with_what_forward_receives(kind):
    received = inspect.signature(kind.forward).parameters
    asked = inspect.signature(kind.attention_maps).parameters
    assert [name for name in received if name in asked] == list(asked)
    needed = {name for name, p in received.items() if p.default is inspect.Parameter.empty}
    assert needed - {"v"} <= set(asked)


def spy(kernel: Callable, used: list[Tensor]) -> Callable:
    """El mismo núcleo, que apunta los pesos con los que mezcla."""

    def spied(q, k, v, *, mask=None, bias=None):
        past = causal_mask(q.shape[-2], k.shape[-2]) if kernel is causal_attention else None
        used.append(attention_weights(q, k, mask=combine_masks(past, mask), bias=bias))
        return kernel(q, k, v, mask=mask, bias=bias)

    return spied


@torch.no_grad()
@each_looker
def test_the_maps_are_the_weights_that_were_used(kind):
    model, inputs, options = ready(kind)
    maps, used = list(every_map(told(model, inputs, options))), []
    for part in model.modules():
        if isinstance(part, MultiHeadAttention):
            part.kernel = spy(part.kernel, used)
    model(*inputs, **options)
    if kind is Seq2Seq:  # sus pesos no pasan por un núcleo: los da el propio decodificador
        return
    if kind in JOINED:  # cada mapa junta los dos bloques de una capa: lo prueba test_late_fusion
        assert 2 * len(maps) == len(used)
        return
    assert len(maps) == len(used) > 0
    for weights in used:
        alike = [m.shape == weights.shape and torch.allclose(m, weights, atol=1e-5) for m in maps]
        assert any(alike), f"nadie cuenta unos pesos {tuple(weights.shape)} que sí se usaron"
        maps.pop(alike.index(True))


def tellers(tree: ast.Module) -> Iterator[str]:
    """Los métodos públicos que dicen a dónde se mira."""
    for owner in ast.walk(tree):
        if not isinstance(owner, ast.ClassDef):
            continue
        for method in owner.body:
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                called = (node.func for node in ast.walk(method) if isinstance(node, ast.Call))
                names = {getattr(f, "attr", getattr(f, "id", "")) for f in called}
                if names & TELLS:
                    yield f"{owner.name}.{method.name}"


def test_nobody_tells_it_with_another_name():
    paths = [Path(module.__file__) for module in shelf_modules()]
    found = [name for path in paths for name in tellers(ast.parse(path.read_text("utf-8")))]
    assert len(found) > 20
    assert [name for name in found if not name.endswith(f".{NAME}")] == []


def test_another_name_would_be_noticed():
    code = "class A:\n def looks(self, x):\n  return self.block.attention_maps(x)"
    assert list(tellers(ast.parse(code))) == ["A.looks"]
