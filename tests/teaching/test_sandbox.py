"""El recinto y las llamadas que lo cruzan: qué pasa, qué no y qué se dice."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from tests.conftest import ROOT
from tests.exercises.test_exercises import CELLS
from tests.systems import require_system
from tests.teaching.classes import written
from tests.teaching.course import NAME, make_course, release
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.markers import solved
from tfcourse.teaching import sandbox as module
from tfcourse.teaching.grading import Grader
from tfcourse.teaching.limits import Limits
from tfcourse.teaching.sandbox import Sandbox, SandboxDied, check_isolation
from tfcourse.teaching.seccomp import TABLES, build_filter
from tfcourse.teaching.submission import Step, Submission

pytestmark = pytest.mark.lento
LIMITS = Limits(cell_seconds=5)


@pytest.fixture(scope="module")
def inside():
    """Un recinto en marcha y cómo preguntarle algo: `ask(expresión)`."""
    require_system("bubblewrap")
    box = Sandbox(LIMITS, isolated=True)

    def ask(expression: str, before: str = "import os"):
        source = f"{before}\ndef f():\n    return {expression}\n"
        assert box.ask({"ask": "cell", "name": "x", "source": source}, 10)["failed"] is None
        number = box.ask({"ask": "take", "function": "f"}, 10)["number"]
        box.deadline = time.monotonic() + 20
        return box.peer.call(number, ())

    yield ask
    box.close()


def in_root(path: str) -> bool:
    """Si una carpeta está dentro de la del curso."""
    return Path(path).is_relative_to(ROOT)


def test_nothing_foreign_is_in_sight(inside):
    system = {"bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin", "tmp", "trabajo", "usr"}
    # El curso y el intérprete pueden estar en cualquier sitio: se ve el camino que lleva a ellos.
    paths = {Path(folder).parts[1] for folder in module.visible_folders()}
    assert set(inside("os.listdir('/')")) <= system | paths
    package = str(ROOT / "tfcourse")
    assert inside(f"os.listdir({package + '/exercises'!r})") == []
    # Si el entorno de Python está en la raíz, como el que hace «make preparar», también se ve.
    environment = {Path(sys.prefix).relative_to(ROOT).parts[0]} if in_root(sys.prefix) else set()
    assert {*inside(f"os.listdir({str(ROOT)!r})")} == {"tfcourse"} | environment
    own = {*module._variables("", ""), "PWD", "OMP_WAIT_POLICY", "LC_CTYPE"}
    assert {*inside("list(os.environ)")} <= own
    processes = inside("[p for p in os.listdir('/proc') if p.isdigit()]")
    assert len(processes) <= 2
    assert inside("open('/proc/net/dev').read().count(':')") == 1  # solo la interfaz local


def test_the_environment_of_the_instructor_stays_outside(monkeypatch):
    """Tampoco por /proc/1, que es el propio bwrap."""
    require_system("bubblewrap")
    monkeypatch.setenv("CLAVE_DEL_DOCENTE", "secreta")
    box = Sandbox(LIMITS, isolated=True)
    source = (
        "def f():\n    seen = b''\n    for n in (1, 2, 'self'):\n        try:\n"
        "            seen += open(f'/proc/{n}/environ', 'rb').read()\n"
        "        except OSError: pass\n    return seen.decode()"
    )
    box.ask({"ask": "cell", "name": "x", "source": source}, 10)
    number = box.ask({"ask": "take", "function": "f"}, 10)["number"]
    seen = box.peer.call(number, ())
    box.close()
    assert "TFCOURSE_PROGRESO" in seen and "CLAVE_DEL_DOCENTE" not in seen


def test_every_copy_of_the_checkers_is_covered(monkeypatch, tmp_path):
    copy = tmp_path / "otra/tfcourse/exercises"
    copy.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "otra"))
    assert str(copy) in module.checker_folders()
    assert str(ROOT / "tfcourse/exercises") in module.checker_folders()


def test_a_course_that_submissions_could_read_is_refused(tmp_path):
    module.check_out_of_sight(tmp_path)
    with pytest.raises(ValueError, match="que las entregas pueden leer"):
        module.check_out_of_sight(ROOT / "tfcourse/docencia")


def test_only_its_folder_can_be_written(inside):
    attempts = ["/", "/tmp", "/usr", "/dev", "/etc", str(ROOT / "tfcourse")]
    source = (
        "import os\ndef attempt(folder):\n    try:\n        open(folder + '/x', 'w').close()\n"
        "    except OSError:\n        return False\n    return True"
    )
    assert inside(f"[attempt(f) for f in {attempts!r}]", source) == [False] * len(attempts)
    assert inside("attempt('/trabajo')", source) is True


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("os.fork()", PermissionError),
        ("os.posix_spawn('/bin/true', ['true'], {})", PermissionError),
        ("__import__('socket').socket()", PermissionError),
        ("os.execv('/bin/true', ['true'])", PermissionError),
        ("os.memfd_create('x')", PermissionError),
        ("bytearray(20 * 10**9)", MemoryError),
    ],
)
def test_forbidden_calls(inside, expression, error):
    with pytest.raises(error):
        inside(expression)


def test_threads_still_work(inside):
    source = (
        "import threading\ndone = []\nt = threading.Thread(target=lambda: done.append(1))\n"
        "t.start(); t.join()"
    )
    assert inside("done", source) == [1]


def test_the_disk_is_bounded(inside):
    source = (
        "import os\ndef fill():\n    n = 0\n    try:\n        for i in range(50):\n"
        "            with open(f'/trabajo/{i}', 'wb') as f: n += f.write(bytes(4 * 2**20))\n"
        "    except OSError: pass\n"
        "    for i in range(50):\n        if os.path.exists(f'/trabajo/{i}'):"
        " os.remove(f'/trabajo/{i}')\n    return n"
    )
    assert inside("fill()", source) <= LIMITS.disk


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("import threading, time\nthreading.stack_size(2**16)\nwhile True:\n    try:\n"
         "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
         "    except RuntimeError: pass",
         "demasiados-hilos"),
        ("n = 0\nwhile True:\n    open(f'/trabajo/{n}', 'w').close(); n += 1",
         "demasiados-archivos"),
    ],
)  # fmt: skip
def test_threads_and_files_are_bounded(source, key):
    require_system("bubblewrap")
    box = Sandbox(Limits(threads=100, inodes=2_000), isolated=True)
    with pytest.raises(SandboxDied) as died:
        box.ask({"ask": "cell", "name": "x", "source": source}, 20)
    assert died.value.key == key


def test_a_box_that_does_not_answer_is_closed():
    require_system("bubblewrap")
    box = Sandbox(LIMITS, isolated=True)
    with pytest.raises(SandboxDied, match="se ha pasado del tiempo"):
        box.ask({"ask": "cell", "name": "x", "source": "while True: pass"}, 1.0)
    assert not box.alive


def test_without_bubblewrap_it_refuses(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_: None)
    with pytest.raises(ValueError, match="falta bubblewrap.*--sin-aislamiento"):
        check_isolation()


def test_bubblewrap_that_cannot_work_is_reported(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'No permissions to create namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(ValueError, match="no le deja crear el recinto .No permissions"):
        check_isolation()


def test_the_filter_knows_both_machines():
    for machine in TABLES:
        assert len(build_filter(machine)) % 8 == 0
    assert build_filter("x86_64") != build_filter("aarch64")


def grade(names, cells, isolated=True):
    steps = []
    for name in names:
        steps += [Step("celda", f"{name}-respuesta", cells[name]), Step("comprobar", name)]
    wanted = {name: (EXERCISES[name], 12345) for name in names}
    steps.insert(0, Step("celda", "original herramientas", "import math\nimport torch"))
    return Grader(Submission(steps, {}), LIMITS, isolated).grade(wanted)


def test_every_solution_of_the_course_passes_through_the_box():
    """Todos los ejercicios, con sus funciones, diccionarios, máscaras y gradientes."""
    require_system("bubblewrap")
    cells = {name: solved(source) for name, source in CELLS.items()}
    wrong = {name: d for name, d in grade([*EXERCISES], cells).items() if d is not None}
    assert wrong == {}


def test_a_diagnosis_is_the_same_inside_and_outside():
    require_system("bubblewrap")
    body = {
        "contexto": "def context_vector(alpha, h):\n    return alpha @ h\n",
        "luong": "def luong_step(s, h, W_a, W_c):\n    return s @ hh\n",
        "dos-direcciones": "def both_directions(x, read_forward, read_backward):\n"
        "    with torch.no_grad():\n"
        "        return torch.cat([read_forward(x), read_backward(x.flip(1)).flip(1)], -1)\n",
        "memoria": "def numbers_kept(extra):\n    return {}\n",
        "a-mano": "by_hand = 3",
    }
    found = grade([*body], body)
    for name, source in body.items():
        names = {"torch": torch}
        exec(compile(source, "<celda>", "exec"), names)
        usual = EXERCISES[name].check(names[EXERCISES[name].task.function])
        assert found[name].key == usual.key, (name, found[name], usual)
        assert found[name].original == usual.original
    assert found["luong"].location.startswith("línea 2: `return s @ hh`")
    assert "`hh`" in found["luong"].likely and "¿querías decir `h`?" in found["luong"].likely


ABUSES = {
    "un entero que no cabe": "step(10**12, state)",
    "un texto": "step('9' * 10**6, state)",
    "un tensor enorme": "step(torch.zeros(7 * 10**6), state)",
    "sin parar": "[step(start, state) for _ in range(10**6)]",
    "un entero de tres millones de cifras": "10 ** (3 * 10**6)",
    "una lista que se contiene": "(lambda l: l.append(l) or l)([])",
    "demasiado para un mensaje": "[[0] * 19_000] * 300",
    "cerrar los canales": "__import__('os').closerange(3, 200)",
}


@pytest.mark.parametrize("abuse", ABUSES)
def test_the_checkers_own_functions_cannot_be_abused(abuse):
    """Con ellas se podría pedir a quien corrige, que está fuera, que gaste memoria o tiempo."""
    require_system("bubblewrap")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # en kB
    header = "def greedy(step, state, start, stop, max_length):\n    return "
    found = grade(["decodificador-voraz"], {"decodificador-voraz": header + ABUSES[abuse]})
    diagnosis = found["decodificador-voraz"]
    assert diagnosis is not None and diagnosis.key != "fallo-del-corrector"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000


def test_a_box_that_cannot_start_is_not_the_students_fault(monkeypatch):
    monkeypatch.setattr(module, "MODULE", "tfcourse.teaching.no_existe")
    with pytest.raises(RuntimeError, match="no se ha podido levantar el recinto"):
        grade(["memoria"], {"memoria": solved(CELLS["memoria"])}, isolated=False)


def test_an_interrupt_never_becomes_a_mark(tmp_path):
    """Ctrl+C a todo el grupo de procesos, a media corrección: lo guardado sigue siendo verdad."""
    require_system("bubblewrap")
    course, assignment = make_course(tmp_path / "curso", ["memoria", "contexto"])
    answers = {name: solved(CELLS[name]) for name in ("memoria", "contexto")}
    answers["contexto"] = answers["contexto"].replace(
        "    return", "    import time; time.sleep(1)\n    return", 1
    )
    for who in ("ana", "luis", "eva"):
        target = course.submitted(who, NAME)
        target.parent.mkdir(parents=True)
        target.write_bytes(written(release(course), answers))
    order = [sys.executable, "-m", "tfcourse", "docente", "corregir", NAME, "--curso"]
    process = subprocess.Popen(
        [*order, str(course.root)],
        cwd=ROOT,
        start_new_session=True,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # en segundo plano no lo es
    )
    end = time.monotonic() + 400
    while not list(course.results(NAME).glob("*.json")) and time.monotonic() < end:
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=120)
    assert process.returncode == 130
    results = [json.loads(p.read_text("utf-8")) for p in course.results(NAME).glob("*.json")]
    assert results and all(
        row["key"] == "correcto" for result in results for row in result["exercises"]
    )


def test_without_isolation_it_still_limits():
    cells = {
        "contexto": "def context_vector(alpha, h):\n    import os\n    os.fork()\n"
        "    return (alpha[:, :, None] * h).sum(1)\n",
        "memoria": solved(CELLS["memoria"]),
    }
    found = grade([*cells], cells, isolated=False)
    assert found["memoria"] is None and found["contexto"] is not None


def test_what_is_forbidden_is_noticed_where_it_runs():
    """La respuesta corre en otro proceso: es allí donde se cuenta lo que hace."""
    cells = {
        "ventana-causal": "def window_attention(q, k, v, window):\n"
        "    place = torch.arange(q.shape[1])\n"
        "    apart = place[:, None] - place\n"
        "    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(\n"
        "        (apart < 0) | (apart > window), float('-inf'))\n"
        "    return scores.softmax(-1) @ v\n",
        "mejores-cortes": "def best_scores(word, scores, n):\n"
        "    def below(rest):\n"
        "        if not rest:\n            return [0.0]\n"
        "        ends = [e for e in range(1, len(rest) + 1) if rest[:e] in scores]\n"
        "        return [scores[rest[:e]] + x for e in ends for x in below(rest[e:])]\n"
        "    return sorted(below(word), reverse=True)[:n]\n",
        "una-casilla-de-fourier": "def fourier_bin(signal, k):\n"
        "    return torch.view_as_real(torch.fft.fft(signal)[..., k])\n",
        "contexto": solved(CELLS["contexto"]),
    }
    found = grade([*cells], cells, isolated=False)
    keys = [diagnosis and diagnosis.key for diagnosis in found.values()]
    assert keys == ["demasiado-grande", "demasiadas-cuentas", "prohibido", None], found


def test_the_inside_program_needs_nobody_else():
    """El programa del recinto no carga los correctores: allí no están."""
    code = (
        "import sys, tfcourse.teaching.inside, tfcourse.teaching.peer, tfcourse.teaching.limits\n"
        "assert not any(name.startswith('tfcourse.exercises') for name in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
