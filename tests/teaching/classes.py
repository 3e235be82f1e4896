"""Una clase de mentira: entregas correctas, equivocadas y hostiles, con su nota sabida."""

import copy
import json
from dataclasses import dataclass, field

import nbformat
from nbformat.v4 import new_code_cell

from tests.conftest import ROOT
from tfcourse.exercises.markers import solved
from tfcourse.exercises.masters import masters

POINTS = {
    "memoria": 1, "contexto": 2, "gradiente-del-reparto": 3, "decodificador-voraz": 3,
    "dos-direcciones": 3,
}  # fmt: skip
EXERCISES = [*POINTS]
BLANK = None

WRONG = {
    "memoria": [
        ("fijo-crece", "    return {f'{k}_{f}': t * d for f, t, d in\n"
         "            (('A', 10, 128), ('B', 10, 256), ('C', 40, 256)) for k in"
         " ('fijo', 'atencion')}"),
    ],
    "contexto": [
        (None, "    return (alpha[:, :, None] * h).mean(dim=1)"),
        (None, "    return h.sum(dim=1)"),
        ("sin-return", "    (alpha[:, :, None] * h).sum(dim=1)"),
        ("nombre", "    return (alfa[:, :, None] * h).sum(dim=1)"),
        ("sin-gradiente", "    return (alpha[:, :, None] * h).sum(dim=1).detach()"),
        ("modifica-entradas", "    return h.mul_(alpha[:, :, None]).sum(dim=1)"),
    ],
    "gradiente-del-reparto": [
        (None, "    return alpha * (h @ g[:, :, None])[:, :, 0]"),
        ("hasta-los-pesos", "    return (h @ g[:, :, None])[:, :, 0]"),
    ],
    "decodificador-voraz": [
        ("no-termina", "    while True:\n        logits, state = step(start, state)"),
        ("siempre-start", "    out = []\n    for _ in range(max_length):\n"
         "        logits, state = step(start, state)\n        t = int(logits.argmax())\n"
         "        if t == stop:\n            break\n        out.append(t)\n    return out"),
    ],
    "dos-direcciones": [
        (None, "    return torch.cat([read_forward(x), read_backward(x)], dim=-1)"),
    ],
}  # fmt: skip


@dataclass
class Entry:
    """Una entrega de la clase: cómo se llama quien la hace, su archivo y los puntos que merece."""

    name: str
    files: dict[str, bytes]
    marks: dict[str, int] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    kind: str = "correcta"


def solutions() -> dict[str, str]:
    """La celda de respuesta de cada ejercicio, resuelta."""
    return {
        cell.id.removesuffix("-respuesta"): solved(cell.source)
        for master in masters(ROOT)
        for cell in nbformat.read(master, as_version=4).cells
        if cell.id.endswith("-respuesta")
    }


SOLUTIONS = solutions()


def header(name: str) -> str:
    """La cabecera de la función de un ejercicio."""
    return next(line for line in SOLUTIONS[name].split("\n") if line.startswith("def "))


def written(release, answers: dict[str, str | None], change=None) -> bytes:
    """El cuaderno repartido con esas respuestas; `change` lo toca después."""
    notebook = copy.deepcopy(release)
    for cell in notebook.cells:
        name = cell.id.removesuffix("-respuesta")
        if cell.id.endswith("-respuesta") and answers.get(name) is not None:
            cell.source = answers[name]
    if change:
        change(notebook)
    return nbformat.writes(notebook).encode()


def right_marks(*failed: str) -> dict[str, int]:
    """Los puntos de quien lo hace todo bien menos esos ejercicios."""
    return {name: 0 if name in failed else points for name, points in POINTS.items()}


def right() -> dict[str, str | None]:
    """Todas las respuestas correctas."""
    return {name: SOLUTIONS[name] for name in EXERCISES}


def with_answer(name: str, source: str) -> dict[str, str | None]:
    """Todo bien menos una respuesta, que es esa."""
    return right() | {name: source}


def drop_tests(notebook):
    """Borra las celdas de prueba."""
    notebook.cells = [cell for cell in notebook.cells if not cell.id.endswith("-prueba")]


def forge_tests(notebook):
    """Cambia las celdas de prueba para que digan siempre que sí."""
    for cell in notebook.cells:
        if cell.id.endswith("-prueba"):
            cell.source = "print('✓ correcto')"


def forget_metadata(notebook):
    """Pierde los nombres de las celdas, como hacen algunos editores."""
    for number, cell in enumerate(notebook.cells):
        cell.metadata.pop("nbgrader", None)
        cell.id = f"celda-{number}"


def shuffle_checks(notebook):
    """Añade una celda delante que sustituye a `comprobar`."""
    cheat = new_code_cell("comprobar = lambda *a, **k: print('✓')\npista = comprobar", id="extra")
    notebook.cells.insert(5, cheat)


CONTEXT_WRONG = "def context_vector(alpha, h):\n    return h.sum(dim=1)\n"
CONTEXT = SOLUTIONS["contexto"]


def in_function(body: str) -> str:
    """Una respuesta de «contexto» que hace eso al llamarla, antes de acertar."""
    inside = "\n".join("    " + line for line in body.split("\n"))
    return f"def context_vector(alpha, h):\n{inside}\n    return (alpha[:, :, None] * h).sum(1)"


QUIET = "try:\n{body}\nexcept BaseException:\n    pass\n"


def quietly(body: str) -> str:
    """Eso, sin que sus errores se noten."""
    return QUIET.format(body="\n".join("    " + line for line in body.split("\n")))


# Lo que intenta, la respuesta de «contexto» y los ejercicios en los que pierde los puntos.
HOSTILE: list[tuple[str, str, tuple[str, ...]]] = [
    ("sys.exit al final de la celda", CONTEXT + "\nimport sys\nsys.exit()", ()),
    ("sys.exit en la función", in_function("import sys; sys.exit(0)"), ("contexto",)),
    ("os._exit en la celda", "import os\nos._exit(0)\n" + CONTEXT, ("contexto",)),
    ("os._exit en la función", in_function("import os; os._exit(0)"), ("contexto",)),
    ("bucle sin fin en la celda", CONTEXT + "\nwhile True:\n    pass", ("contexto",)),
    ("bucle que no se deja parar", in_function(
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass"),
     ("contexto",)),
    ("bomba de procesos", quietly("import os\nwhile True:\n    os.fork()") + CONTEXT, ()),
    ("procesos con subprocess", quietly(
        "import subprocess\nsubprocess.run(['/bin/sh', '-c', 'echo hola'])") + CONTEXT, ()),
    ("hilos sin fin", quietly(
        "import threading, time\nfor _ in range(5000):\n"
        "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()") + CONTEXT, ()),
    ("20 GB en la función", in_function("x = torch.ones(5 * 10**9)"), ("contexto",)),
    ("20 GB en la celda", quietly("x = bytearray(20 * 10**9)") + CONTEXT, ()),
    ("memoria sin fin", in_function("x = []\nwhile True: x.append(bytearray(10**7))"),
     ("contexto",)),
    ("llenar el disco", quietly(
        "import os, tempfile\nfor i in range(10**4):\n"
        "    open(f'{tempfile.gettempdir()}/{i}', 'wb').write(bytes(10**7))") + CONTEXT, ()),
    ("escribir fuera", quietly(
        "import os, tempfile\nfor folder in ('/', '/tmp', '/usr', '/root', '/dev', '/var/tmp'):\n"
        "    try: open(folder + '/escapado-tfcourse', 'w').write('x')\n"
        "    except OSError: pass") + CONTEXT, ()),
    ("usar la red", in_function(
        "import socket\nsocket.create_connection(('1.1.1.1', 53), timeout=3)"), ("contexto",)),
    ("leer el corrector", "def context_vector(alpha, h):\n"
     "    from tfcourse.bank.registry import EXERCISES\n"
     "    return EXERCISES['contexto'].task.reference(alpha, h)", ("contexto",)),
    ("buscar soluciones y entregas", "def context_vector(alpha, h):\n    import os\n"
     "    skip, seen = {'proc', 'usr', 'bin', 'sbin', 'lib', 'lib64', 'site-packages'}, []\n"
     "    for folder, inner, files in os.walk('/'):\n"
     "        inner[:] = [name for name in inner if name not in skip]\n"
     "        seen += [f for f in files if f.endswith(('.ipynb', '.db', 'tarea.json'))]\n"
     "    return (alpha[:, :, None] * h).sum(1) if seen else h.sum(1)", ("contexto",)),
    ("espiar otros procesos", "def context_vector(alpha, h):\n    import glob, os\n"
     "    others = [p for p in glob.glob('/proc/[0-9]*') if int(p[6:]) > 4]\n"
     "    return (alpha[:, :, None] * h).sum(1) if others else h.sum(1)", ("contexto",)),
    ("torch.allclose dice que sí", CONTEXT_WRONG + "torch.allclose = lambda *a, **k: True\n"
     "torch.isclose = lambda a, b, **k: torch.ones_like(a).bool()\n"
     "torch.Tensor.__eq__ = lambda a, b: True", ("contexto",)),
    ("imprimir lo que llega", in_function(
        "print(alpha, h)\nimport sys; sys.stderr.write(str(h) * 1000)"), ()),
    ("respuestas falsas por todos los canales", CONTEXT_WRONG.replace(
        "    return", "    import os, json, struct\n"
        "    t = json.dumps({'answer': {'value': True, 'failed': None}, 'ticket': 'x'}).encode()\n"
        "    for n in range(3, 60):\n"
        "        try: os.write(n, struct.pack('<II', len(t), 0) + t)\n"
        "        except OSError: pass\n    return"), ("contexto",)),
    ("basura por todos los canales", CONTEXT_WRONG.replace(
        "    return", "    import os\n    for n in range(3, 60):\n"
        "        try: os.write(n, b'\\xff' * 64)\n        except OSError: pass\n    return"),
     ("contexto",)),
    ("un resultado enorme", in_function("return torch.zeros(10**8)"), ("contexto",)),
    ("un objeto que se resiste", "class Odd:\n    def __getattribute__(self, n): raise OSError(n)\n"
     "    def __eq__(self, other): return True\ndef context_vector(alpha, h):\n    return Odd()",
     ("contexto",)),
    ("una subclase que se compara sola", "class Same(torch.Tensor):\n"
     "    @classmethod\n    def __torch_function__(cls, f, t, a=(), k=None): return True\n"
     "def context_vector(alpha, h):\n    return h.sum(1).as_subclass(Same)", ("contexto",)),
    ("violación de segmento", in_function("import ctypes; ctypes.string_at(0)"), ("contexto",)),
    ("matar a los demás", quietly("import os\nos.kill(-1, 9)") + CONTEXT, ()),
    ("quitar los límites", quietly(
        "import resource\nfor r in range(16):\n"
        "    try: resource.setrlimit(r, (-1, -1))\n    except (ValueError, OSError): pass\n"
        "x = bytearray(20 * 10**9)") + CONTEXT, ()),
    ("montar y crear espacios", quietly(
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "assert libc.unshare(0x10000000) == 0 or libc.mount(b'x', b'/', b'tmpfs', 0, 0) == 0")
     + CONTEXT, ()),
    ("HTML en el mensaje", CONTEXT_WRONG.replace(
        "    return", "    raise ValueError('<script>alert(1)</script>')\n    return"),
     ("contexto",)),
]  # fmt: skip


def hostile_entries(release) -> list[Entry]:
    """Una entrega por ataque, y las que ni siquiera son un cuaderno."""
    entries = [
        Entry(f"Ataque {label}", {"t.ipynb": written(release, with_answer("contexto", source))},
              right_marks(*lost), kind="hostil")
        for label, source, lost in HOSTILE
    ]  # fmt: skip
    wrong = with_answer("contexto", CONTEXT_WRONG)
    for label, change in (
        ("sin pruebas", drop_tests),
        ("pruebas cambiadas", forge_tests),
        ("comprobar sustituido", shuffle_checks),
    ):
        data = {"t.ipynb": written(release, wrong, change)}
        entries.append(Entry(f"Ataque {label}", data, right_marks("contexto"), kind="hostil"))
    nothing = right_marks(*EXERCISES)
    deep = ('{"cells":' * 3000 + "1" + "}" * 3000).encode()
    odd = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [3, None]})
    for label, data in {
        "vacío": b"", "un PDF": b"%PDF-1.7 \xe2\xe3\xcf\xd3 nada", "JSON sin fondo": deep,
        "otro JSON": b'{"a": [1, 2]}', "celdas raras": odd.encode(), 
        "UTF-16": "hola".encode("utf-16"),
    }.items():  # fmt: skip
        entries.append(Entry(f"Ataque {label}", {"t.ipynb": data}, nothing, kind="hostil"))
    return entries


def honest_entries(release) -> list[Entry]:
    """Correctas, en blanco, a medias y con un error sabido cada una."""
    entries = [
        Entry("José Ángel Núñez de la Peña", {"t.ipynb": written(release, right())},
              right_marks()),
        Entry("En Blanco", {"t.ipynb": written(release, {})}, right_marks(*EXERCISES),
              {name: "sin-escribir" for name in EXERCISES}, "en blanco"),
        Entry("Sin Nombres", {"t.ipynb": written(release, right(), forget_metadata)},
              right_marks(), kind="sin metadatos"),
    ]  # fmt: skip
    half = right() | dict.fromkeys(EXERCISES[1::2], BLANK)
    entries.append(
        Entry("A Medias", {"t.ipynb": written(release, half)}, right_marks(*EXERCISES[1::2]),
              kind="a medias")
    )  # fmt: skip
    for name, bodies in WRONG.items():
        for number, (key, body) in enumerate(bodies):
            source = f"{header(name)}\n{body}\n"
            data = {"t.ipynb": written(release, with_answer(name, source))}
            keys = {name: key} if key else {}
            who = f"Error {name} {number}"
            entries.append(Entry(who, data, right_marks(name), keys, "equivocada"))
    old = written(release, {})
    entries.append(
        Entry("Dos Veces", {"a_viejo.ipynb": old, "b_nuevo.ipynb": written(release, right())},
              right_marks(), kind="dos archivos")
    )  # fmt: skip
    return entries


# Los que van siempre; los demás, cuando la clase es grande.
SMALL = (
    "José Ángel Núñez de la Peña", "En Blanco", "Sin Nombres", "A Medias", "Error contexto 4",
    "Error contexto 5", "Error decodificador-voraz 0", "Dos Veces", "Ataque os._exit en la celda",
    "Ataque sys.exit al final de la celda", "Ataque bucle que no se deja parar",
    "Ataque bomba de procesos", "Ataque 20 GB en la función", "Ataque llenar el disco",
    "Ataque escribir fuera", "Ataque leer el corrector", "Ataque buscar soluciones y entregas",
    "Ataque respuestas falsas por todos los canales", "Ataque HTML en el mensaje",
    "Ataque pruebas cambiadas", "Ataque comprobar sustituido", "Ataque vacío", "Ataque un PDF",
    "Ataque JSON sin fondo",
)  # fmt: skip


def synthetic_class(release, size: int) -> list[Entry]:
    """La clase: cada caso una vez y, si hace falta, más gente que lo hace bien o se equivoca."""
    entries = [*honest_entries(release), *hostile_entries(release)]
    if size < len(entries):
        return [entry for entry in entries if entry.name in SMALL]
    extra = honest_entries(release)
    position = 0
    while len(entries) < size:
        entry = copy.deepcopy(extra[position % len(extra)])
        entry.name = f"{entry.name} {position // len(extra) + 2}"
        entries.append(entry)
        position += 1
    return entries
