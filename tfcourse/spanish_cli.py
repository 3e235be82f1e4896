"""Órdenes de terminal en español: `typer` escribe su ayuda y sus errores en inglés."""

import errno
import re
import sys

import typer
from typer.core import TyperCommand, TyperGroup

HELP = {
    "Usage: ": "Uso: ",
    "Options:": "Opciones:",
    "Commands:": "Órdenes:",
    "Arguments:": "Argumentos:",
    "Options": "Opciones",
    "Commands": "Órdenes",
    "Arguments": "Argumentos",
    "Show this message and exit.": "Muestra esta ayuda y termina.",
    "[OPTIONS]": "[OPCIONES]",
    "COMMAND [ARGS]...": "ORDEN [ARGUMENTOS]...",
    "[required]": "[obligatorio]",
    "[default: ": "[por omisión: ",
}

ERRORS = (
    (r"No such command '?\"?(?P<x>[^'\".]+)'?\"?\.?.*", "no existe la orden «{x}»"),
    (r"No such option:? '?(?P<x>--?[\w-]+)'?.*", "no existe la opción «{x}»"),
    (r"Missing argument '(?P<x>[^']+)'.*", "falta el argumento «{x}»"),
    (r"Missing option '(?P<x>[^']+)'.*", "falta la opción «{x}»"),
    (r"Missing command\.?", "falta la orden"),
    (r"Got unexpected extra arguments?(?: \(s\)|\(s\))? \((?P<x>.+)\)", "sobra «{x}»"),
    (r"Option '(?P<x>[^']+)' requires an argument\.?", "la opción «{x}» necesita un valor"),
    (r"Invalid value for '(?P<x>[^']+)'.*", "el valor de «{x}» no vale"),
)


DISK_ERRORS = {
    errno.ENOSPC: "no queda sitio en el disco",
    errno.EDQUOT: "has agotado tu cuota de disco",
    errno.EROFS: "el disco es de solo lectura",
    errno.EACCES: "no tienes permiso",
    errno.EIO: "el disco ha fallado",
}


def translate_help(text: str) -> str:
    """Traduce lo que `typer` añade a la ayuda: títulos, uso y la opción de ayuda."""
    for english, spanish in HELP.items():
        text = re.sub(rf"(?<!\w){re.escape(english)}", spanish, text)
    return text


def translate_error(message: str) -> str:
    """Traduce un error de uso; los que no conoce los deja como llegan."""
    for pattern, spanish in ERRORS:
        if found := re.fullmatch(pattern, message, flags=re.DOTALL):
            return spanish.format(**found.groupdict())
    return message


class SpanishCommand(TyperCommand):
    """Orden cuya ayuda sale en español."""

    def format_help(self, ctx, formatter) -> None:
        """Escribe la ayuda y la traduce."""
        super().format_help(ctx, formatter)
        formatter.buffer = [translate_help("".join(formatter.buffer))]


class SpanishGroup(TyperGroup):
    """Grupo de órdenes cuya ayuda sale en español."""

    def format_help(self, ctx, formatter) -> None:
        """Escribe la ayuda y la traduce."""
        super().format_help(ctx, formatter)
        formatter.buffer = [translate_help("".join(formatter.buffer))]


def build_app(description: str) -> typer.Typer:
    """Aplicación de órdenes con la ayuda y los errores en español."""
    return typer.Typer(
        cls=SpanishGroup,
        help=description,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--ayuda", "--help", "-h"]},
    )


def disk_message(error: OSError) -> str:
    """Qué le pasa al disco y dónde; lo escrito antes sigue entero."""
    where = f" al escribir {error.filename}" if error.filename else ""
    return f"{DISK_ERRORS[error.errno]}{where}: lo que ya estaba terminado se conserva"


def run_app(app: typer.Typer) -> None:
    """Ejecuta la aplicación: los errores de uso y los previstos salen en una línea."""
    try:
        code = app(standalone_mode=False)
    except (ValueError, ConnectionError, TimeoutError) as error:
        code = _complain(str(error), 1)
    except ModuleNotFoundError as error:
        code = _complain(
            f"falta el paquete «{error.name}»: instala el curso entero con «make preparar» o con "
            "«pip install -e .[libro,prueba,docente]»",
            1,
        )
    except OSError as error:
        if error.errno not in DISK_ERRORS:
            raise
        code = _complain(disk_message(error), 1)
    except (KeyboardInterrupt, EOFError):
        code = _complain("interrumpido: lo que ya estaba terminado se conserva", 130)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        code = _complain(f"{translate_error(error.format_message())}; mira --ayuda", 2)
    sys.exit(code if isinstance(code, int) else 0)


def _complain(message: str, code: int) -> int:
    print(f"Error: {message}", file=sys.stderr)
    return code
