"""La escalera: cada peldaño cambia una cosa, y la receta entrena y mide."""

import pytest
import torch

from tfcourse.layers.experts import balance_loss
from tfcourse.models.modern import ModernConfig
from tfcourse.text.modern.recipe import (
    BALANCES,
    EXPERTS,
    LADDER,
    PARENTS,
    Recipe,
    TextLoss,
    batches,
    build,
    cache_bytes_per_token,
    experts_in_use,
    facts,
    train,
)
from tfcourse.training.budget import Steps

SMALL = {"d_model": 16, "n_heads": 4, "n_layers": 3, "length": 8, "batch_size": 4}
IDS = torch.arange(400) % 23


def small(**changes):
    return Recipe(**SMALL, steps=3, **changes)


def test_each_rung_changes_one_thing():
    """Quien cambia la red por posición cambia también su anchura, para gastar lo mismo."""
    together = {
        "SwiGLU (Llama)": {"mixer", "d_hidden"}, "expertos": {"mixer", "d_hidden"},
        "MLA": {"d_latent", "d_rotary"}, "ventana": {"window", "n_sinks", "full_every"},
        "con compartido": {"n_experts", "n_chosen", "n_shared"},
    }  # fmt: skip
    for name, parent in PARENTS.items():
        if parent is None:
            continue
        mine, theirs = (vars(LADDER[rung].config(50)) for rung in (name, parent))
        changed = {field for field in mine if mine[field] != theirs[field]}
        assert changed and (len(changed) == 1 or changed == together[name]), name


def test_parameters_per_token_are_nearly_the_same():
    active = {name: facts(recipe, 1024)["active"] for name, recipe in LADDER.items()}
    for name, parent in PARENTS.items():
        if parent:
            assert abs(active[name] / active[parent] - 1) < 0.09, name
    whole = {name: facts(LADDER[name], 1024)["parameters"] for name in LADDER}
    assert whole["expertos"] > 2 * whole["QK-norm (Qwen3)"]
    assert abs(whole["con compartido"] / whole["expertos"] - 1) < 0.01


def test_cache_by_hand():
    """Tres capas de cuatro cabezas de 16, en números de 16 bits."""
    by_name = {name: cache_bytes_per_token(LADDER[name].config(50)) for name in LADDER}
    assert by_name["GPT-2"] == 2 * 3 * 2 * 4 * 16
    assert by_name["GQA"] == by_name["GPT-2"] // 2
    assert by_name["MLA"] == 2 * 3 * (24 + 8)
    assert by_name["ventana"] == by_name["GQA"] // 3  # solo crece la última capa
    everywhere = ModernConfig(50, window=3)
    assert cache_bytes_per_token(everywhere) == 0


@pytest.mark.parametrize("balance", BALANCES)
def test_the_loss_says_what_the_text_puts_and_balances_as_told(balance):
    recipe = small(pieces={"mixer": "expertos", "n_experts": 4, "d_hidden": 8}, balance=balance)
    torch.manual_seed(0)
    model = build(recipe, 23).train()
    batch = next(batches(recipe, 0, IDS))
    before = [mixture.router.correction.clone() for mixture in model.mixtures()]
    loss, terms = TextLoss(recipe)(model, batch)
    routes = []
    model(batch[0][:, :-1], routes=routes)
    extra = torch.stack([balance_loss(r) for r in routes]).mean() if balance == "pérdida" else 0
    torch.testing.assert_close(loss, terms["texto"] + recipe.strength * extra)
    moved = any(
        not torch.equal(mixture.router.correction, old)
        for mixture, old in zip(model.mixtures(), before, strict=True)
    )
    assert moved == (balance == "corrección")


def test_the_budget_is_obeyed_and_the_seed_too():
    def weights(seed, steps):
        model = train(small(), seed, Steps(steps), ids=IDS, n_tokens=23).model
        assert not model.training
        return torch.cat([value.flatten() for value in model.state_dict().values()])

    assert weights(0, 2).equal(weights(0, 2))
    assert not weights(0, 2).equal(weights(1, 2)) and not weights(0, 2).equal(weights(0, 1))


def test_it_learns():
    done = train(small(), 0, Steps(40), ids=IDS, n_tokens=23)
    assert done.history.loss[-1] < done.history.loss[0] / 2


def test_experts_in_use_are_between_one_and_all():
    model = build(small(pieces={"mixer": "expertos", "n_experts": 4, "d_hidden": 8}), 23).eval()
    found = experts_in_use(model, IDS)
    assert len(found) == 3 and all(1 <= n <= 4 for n in found)
    assert experts_in_use(build(small(), 23), IDS) == []
    assert set(EXPERTS) == set(BALANCES)
    with pytest.raises(ValueError, match="usa nada, pérdida, corrección"):
        Recipe(balance="suerte")
