"""Familia: una arquitectura publicada, y cómo se construye nuestra clase con su configuración."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from accelerate import init_empty_weights
from torch import Tensor, nn

from tfcourse.layers.norms import LayerNorm, RMSNorm
from tfcourse.official.conversion import fill
from tfcourse.official.rules import Table

Settings = Mapping[str, Any]
NORMS = (LayerNorm, RMSNorm, nn.LayerNorm)


@dataclass(frozen=True)
class Family:
    """Una arquitectura publicada que cabe en una clase del curso.

    `kinds` son los `model_type` de su `config.json`. `build(config, names)` hace nuestro modelo,
    que puede depender de qué tensores hay. `needs` dice qué valores de la configuración sabemos
    hacer, el primero el que vale si no se dice; `eps`, dónde está el ε de las normalizaciones y
    cuánto vale si no se dice; `tied`, parejas de tensores que son uno; `mark`, algo que tiene que
    haber en los nombres de sus tensores.
    """

    name: str
    kinds: tuple[str, ...]
    table: Table
    build: Callable[[Settings, Collection[str]], nn.Module]
    needs: Mapping[str, tuple] = field(default_factory=dict)
    eps: tuple[str, float] | None = None
    tied: tuple[tuple[str, str], ...] = ()
    mark: str = ""

    def model(self, config: Settings, state: Mapping[str, Tensor]) -> nn.Module:
        """Nuestro modelo con esos pesos. Errores: los de `check` y los de `fill`."""
        self.check(config)
        with init_empty_weights(include_buffers=False):
            model = self.build(config, state.keys())
        if self.eps:
            name, default = self.eps
            set_eps(model, float(config.get(name, default)))
        fill(model, state, self.table)
        for follower, leader in self.tied:
            tie(model, follower, leader)
        return model.eval()

    def check(self, config: Settings) -> None:
        """Error si la configuración pide algo que nuestra clase no hace."""
        check_needs(config, self.needs)


def check_needs(config: Settings, needs: Mapping[str, tuple]) -> None:
    """Error si la configuración pide algo que nuestra clase no hace."""
    for name, known in needs.items():
        value = config.get(name, known[0])
        if value not in known:
            raise ValueError(
                f"{name}={value!r}: nuestra clase solo hace {' o '.join(map(repr, known))}; "
                "esta variante no cabe en ella"
            )


def set_eps(model: nn.Module, eps: float) -> None:
    """El ε de todas las normalizaciones de capa: cada publicación usa el suyo."""
    for module in model.modules():
        if isinstance(module, NORMS):
            module.eps = eps


def tie(model: nn.Module, follower: str, leader: str) -> None:
    """Vuelve a hacer que dos tensores sean uno, si el modelo los tiene."""
    names = dict(model.named_parameters(remove_duplicate=False))
    if follower in names and leader in names:
        owner, _, attribute = follower.rpartition(".")
        setattr(model.get_submodule(owner), attribute, names[leader])


def sizes(config: Settings, **names: str) -> dict[str, Any]:
    """Los tamaños de una configuración publicada, con nuestros nombres.

    Errores: `ValueError` si falta alguno.
    """
    missing = [theirs for theirs in names.values() if config.get(theirs) is None]
    if missing:
        raise ValueError(
            f"a la configuración le falta {', '.join(missing)}: vuelve a copiar su config.json"
        )
    return {ours: config[theirs] for ours, theirs in names.items()}
