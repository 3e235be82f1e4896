"""El paso de un proyecto: un ejercicio cuya respuesta suele ser una clase que aprende."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.exercises.engine import Exercise, Verdict
from tfcourse.exercises.markers import BLANK_MESSAGE
from tfcourse.exercises.student import run_student
from tfcourse.projects.drivers import DRIVERS
from tfcourse.projects.driving import COMPLAINT, GRADIENT
from tfcourse.projects.lending import is_lent

REMOTE = "corre_en_el_recinto"  # marca de la pieza que ya está trabajando en otro proceso
LENT = Diagnosis(
    "prestada",
    "has tomado prestada esta pieza: puedes seguir con los demás pasos, y este no puntúa",
)


@dataclass(frozen=True)
class Step(Exercise):
    """Un paso. `driver` nombra cómo se hace trabajar a la respuesta, si no es una función normal.

    `needs` son los pasos cuyas piezas usa: si este falla por culpa de una, se dice. `wrong_dtype`
    es lo que se dice si solo falla el tipo de los números.
    """

    driver: str | None = None
    needs: tuple["Step", ...] = ()
    wrong_dtype: str = ""

    def judge(self, answer: object) -> Verdict:
        """Lo que merece una pieza. Nunca lanza un error."""
        try:
            return self._verdict(answer)
        except Exception as error:  # algo tan raro que ni mirarlo se deja
            likely = (
                f"no se ha podido comprobar tu respuesta ({type(error).__name__}): da la clase o "
                "la función que pide el enunciado"
            )
            return Verdict(Diagnosis("no-comparable", likely))

    def _verdict(self, answer: object) -> Verdict:
        remote = hasattr(answer, REMOTE)  # entonces ya se ha mirado allí
        if is_lent(answer, "" if remote else self.task.function):
            return Verdict(LENT)
        work = answer
        if self.driver and not remote:
            work = DRIVERS[self.driver](answer)
        complaint = self._complaint(work) if self.driver else None
        verdict = Verdict(complaint) if complaint else super().judge(work)
        if verdict.diagnosis is None and self.driver:  # queda saber si aprendería
            verdict = replace(verdict, diagnosis=self._complaint(work, {GRADIENT: True}))
        found = verdict.diagnosis
        if found is None or (found.key == "sin-escribir" and _is_blank(answer)):
            return verdict
        if found.key == "tipo-de-dato" and self.wrong_dtype:
            return replace(verdict, diagnosis=replace(found, likely=self.wrong_dtype))
        return replace(verdict, diagnosis=self._blamed(answer, found))

    def _complaint(self, work: Callable, also: dict | None = None) -> Diagnosis | None:
        """Lo que impide hacer trabajar a la pieza, si algo lo impide."""
        arguments = self.task.arguments(self.task.cases[0])
        if "sizes" in arguments:
            arguments["sizes"] = arguments["sizes"] | (also or {})
        with torch.device("cpu"), torch.enable_grad():
            said = run_student(work, lambda: arguments).value
        if type(said) is not dict or COMPLAINT not in said:
            return None
        try:
            return _COMPLAINTS[said[COMPLAINT]](self, said)
        except (LookupError, TypeError, ValueError, AttributeError):
            return None  # la queja no es de las nuestras: que hablen los valores

    def _blamed(self, answer: object, found: Diagnosis) -> Diagnosis:
        """Si la culpa puede ser de una pieza anterior, que lo diga."""
        maker = getattr(answer, "__init__", None) if isinstance(answer, type) else answer
        names = getattr(maker, "__globals__", {})
        for step in self.needs:
            name = step.task.function
            piece = names.get(name)
            said = None if piece is None else step.check(piece)
            if said not in (None, LENT):
                unwritten = said.key == "sin-escribir"
                state = "aún no has escrito" if unwritten else "no pasa su propia prueba"
                begin = f'empieza por `comprobar("{step.card.id}")`'
            elif piece is None and found.key == "nombre" and f"`{name}`" in found.likely:
                state, begin = "en este cuaderno aún no existe", "ejecuta su celda"
            else:
                continue
            likely = (
                f"usa tu `{name}`, que {state}: {begin} o tómala prestada con "
                f'`{name} = prestada("{step.card.id}")`'
            )
            return replace(found, key="pieza-anterior", likely=likely)
        return found


def _is_blank(answer: object) -> bool:
    """Si la pieza misma está por escribir, y no una de las que usa."""
    own = vars(answer).values() if isinstance(answer, type) else [answer]
    codes = [getattr(inspect.unwrap(each), "__code__", None) for each in own if callable(each)]
    known = [code for code in codes if code is not None]
    return not known or any(BLANK_MESSAGE in code.co_consts for code in known)


def _not_a_module(step: Step, said: dict) -> Diagnosis:
    name = step.task.function
    if said["clase"]:
        likely = f"tu clase `{name}` no hereda de `nn.Module`: `class {name}(nn.Module):`"
        return Diagnosis("no-es-modulo", likely)
    likely = f"se esperaba la clase `{name}`, sin paréntesis, y ha llegado otra cosa"
    return Diagnosis("no-es-modulo", likely)


def _constructor(step: Step, said: dict) -> Diagnosis:
    wanted = ", ".join(step.task.arguments(step.task.cases[0])["sizes"])
    name = step.task.function
    return Diagnosis("constructor", f"tu clase debe poder crearse con `{name}({wanted})`")


def _without_super(step: Step, said: dict) -> Diagnosis:
    return Diagnosis("sin-super", "falta `super().__init__()` al empezar `__init__`")


def _forbidden(step: Step, said: dict) -> Diagnosis:
    likely = f"usas {_name(said['cual'])}, que ya hace lo que pide el proyecto: escríbelo tú"
    return Diagnosis("prohibida", likely)


def _without_method(step: Step, said: dict) -> Diagnosis:
    return Diagnosis("sin-metodo", f"a tu clase le falta el método {_name(said['cual'])}")


def _not_two(step: Step, said: dict) -> Diagnosis:
    likely = (
        f"de {_name(said['de'])} se esperan dos cosas, en una tupla y en el orden del enunciado"
    )
    return Diagnosis("numero-de-salidas", likely)


def _without_gradient(step: Step, said: dict) -> Diagnosis:
    lost = " y ".join(name if " " in name else _name(name) for name in said["de"][:3])
    likely = (
        f"los números salen, pero el gradiente no llega hasta {lost}: busca `.detach()`, `.data`, "
        "`torch.no_grad()` o un parámetro que no usas"
    )
    return Diagnosis("sin-gradiente", likely)


def _parameters(step: Step, said: dict) -> Diagnosis:
    """Qué parámetros faltan, sobran o miden otra cosa."""
    weights = step.task.arguments(step.task.cases[0])["weights"]
    wanted = {name: list(value.shape) for name, value in weights.items()}
    own = said["tuyos"]
    missing = [name for name in wanted if name not in own]
    extra = [name for name in own if name not in wanted]
    other = [name for name in wanted if name in own and own[name] != wanted[name]]
    if missing and extra:
        likely = (
            f"falta el parámetro {_name(missing[0])} y tienes {_name(extra[0])}: cámbiale el nombre"
        )
    elif missing:
        likely = (
            f"falta el parámetro {_name(missing[0])}, de forma {tuple(wanted[missing[0]])}: crea "
            "las capas en `__init__` con esos nombres, y lo que no sea una capa, con `nn.Parameter`"
        )
    elif extra:
        likely = f"te sobra el parámetro {_name(extra[0])}"
    else:
        name = other[0]
        shape = tuple(int(n) for n in own[name])
        likely = f"{_name(name)} mide {shape} y se esperaba {tuple(wanted[name])}"
    return Diagnosis("parametros", likely)


def _name(text: object) -> str:
    """Un nombre que llega de la pieza: solo se repite si es un nombre."""
    plain = str(text)[:80]
    return f"`{plain}`" if plain.replace(".", "").replace("_", "").isalnum() else "otra cosa"


def _saved(step: Step, said: dict) -> Diagnosis:
    name = _name(said["cual"])
    how = (
        "créalo con `register_buffer(…, persistent=False)`"
        if said["bufer"]
        else "usa el parámetro con su nombre, sin darle otro"
    )
    likely = f"tu modelo guarda también {name}, y unos pesos que no lo traen no se cargarían: {how}"
    return Diagnosis("guardado", likely)


def _frozen(step: Step, said: dict) -> Diagnosis:
    likely = f"{_name(said['cual'])} no aprende: créalo sin `requires_grad=False`"
    return Diagnosis("congelado", likely)


def _start(step: Step, said: dict) -> Diagnosis:
    value, deviation = (f"{float(said[name]):g}" for name in ("valor", "desviacion"))
    where = f"en {value}" if deviation == "0" else f"al azar, con desviación {deviation}"
    likely = f"{_name(said['cual'])} empieza {where.replace('.', ',')}: así debe crearlo `__init__`"
    return Diagnosis("comienzo", likely)


def _how_many(step: Step, said: dict) -> Diagnosis:
    given, wanted = int(said["son"]), int(said["piden"])
    who = "la memoria" if said["cual"] == "la memoria" else _name(said["cual"])
    likely = (
        f"de {who} se esperan {wanted} cosas y ha{'n' if given > 1 else ''} llegado {given}: mira "
        "en el enunciado cuáles son y en qué orden"
    )
    return Diagnosis("cuantas", likely)


def _tensors(step: Step, said: dict) -> Diagnosis:
    likely = f"{_name(said['cual'])} devuelve tensores: une las piezas con `torch.stack`"
    return Diagnosis("tensores", likely)


def _pairs(step: Step, said: dict) -> Diagnosis:
    likely = (
        f"se espera una lista con {int(said['bloques'])} parejas, una por bloque: los logits y las "
        "cajas de cada uno"
    )
    return Diagnosis("parejas", likely)


def _shape(step: Step, said: dict) -> Diagnosis:
    own, wanted = (tuple(int(n) for n in said[name]) for name in ("es", "pedida"))
    return Diagnosis("forma", f"la forma no es la pedida: salió {own} y se esperaba {wanted}")


_COMPLAINTS = {
    "guardado": _saved,
    "comienzo": _start,
    "congelado": _frozen,
    "cuantas": _how_many,
    "tensores": _tensors,
    "parejas": _pairs,
    "forma": _shape,
    "no-es-modulo": _not_a_module,
    "constructor": _constructor,
    "sin-super": _without_super,
    "prohibida": _forbidden,
    "sin-metodo": _without_method,
    "sin-gradiente": _without_gradient,
    "no-son-dos": _not_two,
    "parametros": _parameters,
}
