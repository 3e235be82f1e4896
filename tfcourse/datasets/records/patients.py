"""Historias clínicas SINTÉTICAS: pacientes, males y reglas inventados por un programa.

Nada de esto describe a nadie ni es medicina: los males tienen nombres inventados, y las reglas que
deciden el riesgo se escriben aquí para poder compararlas con lo que recupere un modelo.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

# Cada mal se anota con cuatro códigos, según quien lo escriba: dicen lo mismo.
ILLS = (
    "alba", "boro", "cira", "duna", "ebro", "faro",
    "gala", "hada", "iris", "jara", "luna", "nube",
)  # fmt: skip
N_VARIANTS = 4
MINOR = ("catarro", "golpe", "mareo", "revisión", "tos", "vacuna")
CODES = (*(f"{ill}-{v + 1}" for ill in ILLS for v in range(N_VARIANTS)), *MINOR)
AGES = ("40-49", "50-59", "60-69", "70-79", "80-89")
GAPS = ("días", "semanas", "meses", "años")
MAX_VISITS = 8
_TEST_SEED = 4_000_000
NEVER = 99  # la visita en que empieza un mal que no se tiene


class Rule(NamedTuple):
    """Una regla de riesgo: su nombre, cuánto suma y a quién se aplica.

    `applies(starts, ages)` recibe la visita en que empieza cada mal, (N, 12), y la edad, (N,).
    """

    name: str
    weight: float
    applies: Callable[[Tensor, Tensor], Tensor]


def _ill(starts: Tensor, name: str) -> Tensor:
    return starts[:, ILLS.index(name)]


def _has(starts: Tensor, name: str) -> Tensor:
    return _ill(starts, name) < NEVER


RULES = (
    Rule(
        "alba y después boro", 4.0,
        lambda s, a: _has(s, "boro") & (_ill(s, "alba") < _ill(s, "boro")),
    ),
    Rule("cira y duna a la vez", 3.5, lambda s, a: _has(s, "cira") & _has(s, "duna")),
    Rule("ebro", 2.5, lambda s, a: _has(s, "ebro")),
    Rule(
        "faro después de ebro (protege)", -2.5,
        lambda s, a: _has(s, "faro") & (_ill(s, "ebro") < _ill(s, "faro")),
    ),
    Rule("cada década desde los 60", 0.3, lambda s, a: (a - 60) / 10),
)  # fmt: skip
BASE_RISK = -3.2


@dataclass(frozen=True)
class Patients:
    """Pacientes sintéticos. `codes` (N, V, C) son los de cada visita, con −1 donde no hay.

    `gaps` (N, V) es el tiempo desde la visita anterior (índice de `GAPS`; −1 en la primera y donde
    no hay visita); `ages`, los años; `starts` (N, 12), en qué visita empezó cada mal; `risk`, la
    probabilidad verdadera del desenlace, y `outcome`, si ocurrió.
    """

    codes: Int[Tensor, "N V C"]
    gaps: Int[Tensor, "N V"]
    ages: Int[Tensor, " N"]
    starts: Int[Tensor, "N I"]
    risk: Float[Tensor, " N"]
    outcome: Int[Tensor, " N"]

    def __len__(self) -> int:
        return len(self.ages)

    def rows(self, which: Tensor) -> "Patients":
        """Los pacientes de esas filas."""
        return Patients(*(getattr(self, name)[which] for name in self.__dataclass_fields__))


def true_risk(starts: Int[Tensor, "N I"], ages: Int[Tensor, " N"]) -> Float[Tensor, " N"]:
    """La probabilidad del desenlace según las reglas."""
    score = sum(rule.weight * rule.applies(starts, ages) for rule in RULES)
    return torch.sigmoid(score + BASE_RISK)


def make_patients(n_patients: int, seed: int) -> Patients:
    """Inventa pacientes. Errores: `ValueError` si no se pide ninguno."""
    if n_patients < 1:
        raise ValueError(f"n_patients={n_patients}: hace falta al menos un paciente")
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape):
        return torch.rand(*shape, generator=generator)

    ages = (40 + 50 * draw(n_patients)).long()
    n_visits = (5 + 4 * draw(n_patients)).long()
    starts = (draw(n_patients, len(ILLS)) * (n_visits - 1)[:, None]).long()
    starts[draw(n_patients, len(ILLS)) > _prevalence(draw(n_patients, 1))] = NEVER
    visits = torch.arange(MAX_VISITS)
    happens = visits < n_visits[:, None]
    noted = (draw(n_patients, MAX_VISITS, len(ILLS)) < 0.6) | (visits[:, None] == starts[:, None])
    noted &= (visits[:, None] >= starts[:, None]) & happens[..., None]
    variant = (N_VARIANTS * draw(n_patients, MAX_VISITS, len(ILLS))).long()
    chronic = torch.where(noted, torch.arange(len(ILLS)) * N_VARIANTS + variant, -1)
    some = (len(MINOR) * draw(n_patients, MAX_VISITS, 1)).long() + len(ILLS) * N_VARIANTS
    minor = torch.where((draw(n_patients, MAX_VISITS, 1) < 0.5) & happens[..., None], some, -1)
    gaps = (len(GAPS) * draw(n_patients, MAX_VISITS)).long()
    gaps = torch.where(happens & (visits > 0), gaps, -1)
    risk = true_risk(starts, ages)
    outcome = (draw(n_patients) < risk).long()
    codes = _shuffled(torch.cat([chronic, minor], dim=2), generator)
    return Patients(codes, gaps, ages, starts, risk, outcome)


def reserved_patients(n_patients: int = 2000) -> Patients:
    """Los de evaluar, siempre los mismos."""
    return make_patients(n_patients, _TEST_SEED)


def without_ill(patients: Patients, ill: str) -> Patients:
    """Los mismos pacientes si no tuvieran ese mal: sin sus códigos, y con el riesgo que quedaría.

    Errores: `ValueError` si no hay ningún mal con ese nombre.
    """
    number = _ill_number(ill)
    codes = torch.where(patients.codes // N_VARIANTS == number, -1, patients.codes)
    starts = patients.starts.clone()
    starts[:, number] = NEVER
    return replace(patients, codes=codes, starts=starts, risk=true_risk(starts, patients.ages))


def swapped_ills(patients: Patients, first: str, second: str) -> Patients:
    """Los mismos pacientes con dos males cambiados: donde ponía uno pone el otro.

    Errores: `ValueError` si alguno no existe.
    """
    a, b = _ill_number(first), _ill_number(second)
    ill, shift = patients.codes // N_VARIANTS, (b - a) * N_VARIANTS
    codes = patients.codes + shift * (ill == a).long() - shift * (ill == b).long()
    starts = patients.starts.clone()
    starts[:, [a, b]] = patients.starts[:, [b, a]]
    return replace(patients, codes=codes, starts=starts, risk=true_risk(starts, patients.ages))


def _ill_number(name: str) -> int:
    if name not in ILLS:
        raise ValueError(f"no hay ningún mal llamado «{name}»: usa {', '.join(ILLS)}")
    return ILLS.index(name)


def _prevalence(profile: Tensor) -> Tensor:
    """Cuánta gente tiene cada mal: según el perfil, unos son más frecuentes que otros."""
    common = torch.tensor([[0.7, 0.25], [0.25, 0.7]])[(profile[:, 0] < 0.5).long()]
    return common.repeat_interleave(2, dim=1).repeat(1, 3)


def _shuffled(codes: Tensor, generator: torch.Generator) -> Tensor:
    """Los códigos de cada visita, en desorden y sin huecos delante."""
    order = torch.rand(codes.shape, generator=generator) + (codes < 0)
    return codes.gather(2, order.argsort(dim=2))
