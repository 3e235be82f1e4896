"""Prepara `.venv`: comprueba el equipo, crea el entorno e instala el curso con versiones fijadas.

Lo llama `make` con el Python del sistema, antes de que haya nada instalado: solo usa la biblioteca
estándar y se entiende hasta con un Python antiguo, para poder decir que lo es.
"""

import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
NEEDED_GB = 9

REASONS = (
    ("No space left on device", f"se ha acabado el disco: libera al menos {NEEDED_GB} GB"),
    ("hash", "un archivo descargado llegó incompleto: repite la orden"),
    ("Connection", "no hay conexión con el almacén de paquetes: revisa la red o el «proxy»"),
    ("Max retries", "no hay conexión con el almacén de paquetes: revisa la red o el «proxy»"),
    ("name resolution", "no hay conexión con el almacén de paquetes: revisa la red o el «proxy»"),
    ("timed out", "la red es demasiado lenta: repite la orden, lo ya descargado se conserva"),
    ("No matching distribution", "no hay versión de algún paquete para este Python o sistema"),
)


def main(folder):
    """Deja listo el entorno de `folder`, o termina diciendo en español qué falta."""
    check_python()
    check_disk(folder)
    python = create(folder)
    say("instala las dependencias fijadas en requirements.lock (la primera vez, unos minutos)")
    # Sin compilar: son 19.000 archivos, un minuto, y Python compila los que use al importarlos.
    pip(python, "install", "--no-compile", "-r", "requirements.lock")
    say("instala el curso")
    pip(python, "install", "--no-deps", "--no-build-isolation", "-e", ".")
    say("listo")


def check_python():
    """Termina si este Python es más antiguo que el que el curso necesita."""
    if sys.version_info < OLDEST:
        here = "{}.{}".format(*sys.version_info[:2])
        wanted = "{}.{}".format(*OLDEST)
        fail(
            f"este Python es el {here} y el curso necesita el {wanted} o uno más nuevo: "
            f"instálalo y repite con «make PYTHON=python{wanted} …»"
        )


def check_disk(folder):
    """Termina si no cabe la instalación (torch ocupa varios gigabytes)."""
    if os.path.isdir(folder):
        return
    free = shutil.disk_usage(".").free / 1e9
    if free < NEEDED_GB:
        fail(f"quedan {free:.1f} GB de disco y hacen falta {NEEDED_GB}: libera espacio")


def create(folder):
    """Crea el entorno si no está y devuelve la ruta de su Python."""
    python = os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")
    if not works(python):
        say("crea {} con Python {}.{}".format(folder, *sys.version_info[:2]))
        result = run([sys.executable, "-m", "venv", "--clear", folder])
        if result.returncode:
            fail(
                "no se puede crear el entorno: falta el módulo «venv» o «ensurepip» de Python "
                "(en Debian y Ubuntu, instala el paquete «python3-venv»)\n" + result.stderr
            )
    return python


def works(python):
    """Dice si el entorno ya existe y sirve."""
    return os.path.exists(python) and run([python, "-m", "pip", "--version"]).returncode == 0


def run(command):
    """Ejecuta una orden guardando lo que escribe."""
    return subprocess.run(command, capture_output=True, text=True)


def pip(python, *words):
    """Llama a `pip` mostrando su avance; si falla, explica por qué."""
    command = [python, "-m", "pip", "--disable-pip-version-check"] + list(words)
    process = subprocess.Popen(command, stderr=subprocess.PIPE, universal_newlines=True)
    written = []
    for line in process.stderr:
        sys.stderr.write(line)
        written.append(line)
    if process.wait():
        fail(explain("".join(written)))


def explain(text):
    """Traduce a una causa en español lo que `pip` escribió al fallar."""
    found = [reason for trace, reason in REASONS if trace in text]
    return found[0] if found else "no se ha podido instalar: mira el mensaje de arriba"


def say(message):
    """Anuncia un paso."""
    print("[entorno] " + message, flush=True)


def fail(message):
    """Termina con un mensaje de error."""
    sys.exit("[entorno] Error: " + message)


if __name__ == "__main__":
    main(sys.argv[1])
