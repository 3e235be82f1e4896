"""Errores que cruzan de un proceso a otro como datos: su tipo, su mensaje y dónde saltaron."""

import builtins
import linecache
import traceback

MAX_MESSAGE, MAX_NAMES = 2_000, 200
MAX_NAME, MAX_PLACE = 80, 300
CELL_FILE = "<celda"  # así empieza el nombre de archivo de las celdas del cuaderno


class Reported(BaseException):
    """Marca de los errores que llegan contados: nunca son de este proceso."""

    report: dict


def describe_error(error: BaseException) -> dict:
    """Lo que se cuenta de un error: nada de lo que contiene se ejecuta al mirarlo."""
    return {
        "type": _builtin_name(error),
        "shown": type(error).__name__[:60],
        "message": _text(error),
        "name": _short(getattr(error, "name", None)),
        "owner": type(getattr(error, "obj", None)).__name__[:60],
        **_place(error),
    }


def raise_reported(report: dict) -> None:
    """Lanza aquí el error que se contó: del mismo tipo, si es de Python, y con su mensaje.

    El último marco de la traza tiene los nombres que se veían allí, para sugerir el parecido.
    Quien lo cuenta no es de fiar: todo se recorta, y una interrupción contada no interrumpe.
    """
    names = report.get("names")
    listed = names[:MAX_NAMES] if type(names) is list else []
    seen = {n: None for n in listed if type(n) is str and len(n) <= MAX_NAME and n.isidentifier()}
    seen.pop("_error", None)
    exec(compile("raise _error", "<recinto>", "exec"), {"_error": _rebuilt(report)}, seen)


def _rebuilt(report: dict) -> BaseException:
    base = getattr(builtins, str(report.get("type")), Exception)
    if not (isinstance(base, type) and issubclass(base, Exception | SystemExit)):
        base = Exception
    message, shown = str(report.get("message", ""))[:MAX_MESSAGE], str(report.get("shown"))[:60]
    kind = type(
        shown if shown.isidentifier() else "Error", (base, Reported),
        {"__str__": lambda _: message},
    )  # fmt: skip
    error = kind.__new__(kind)
    if isinstance(error, NameError | AttributeError):
        error.name = str(report.get("name"))[:MAX_NAME]
    if isinstance(error, AttributeError):
        error.obj = type(str(report.get("owner", "objeto"))[:MAX_NAME], (), {})()
    error.report = report
    return error


def reported_place(report: dict) -> str | None:
    """Dónde dice que saltó; nadie garantiza que sea verdad."""
    place = report.get("location")
    return place[:MAX_PLACE] if type(place) is str else None


def _builtin_name(error: BaseException) -> str:
    """El tipo de Python del que desciende."""
    return next(
        (k.__name__ for k in type(error).__mro__ if k.__module__ == "builtins"), "Exception"
    )


def _text(error: BaseException) -> str:
    try:
        return _short(str(error), MAX_MESSAGE) or ""
    except Exception:  # una excepción propia con un __str__ roto
        return ""


def _short(text: object, limit: int = 80) -> str | None:
    return text[:limit].encode("utf-8", "replace").decode() if type(text) is str else None


def _place(error: BaseException) -> dict:
    frames = list(traceback.walk_tb(error.__traceback__))
    own = [(f, line) for f, line in frames if f.f_code.co_filename.startswith(CELL_FILE)]
    if not own:
        return {"location": None, "names": []}
    frame, line = own[-1]
    text = linecache.getline(frame.f_code.co_filename, line).strip()
    names = [n for n in frames[-1][0].f_locals if type(n) is str and not n.startswith("_")]
    location = f"línea {line}: `{text}`" if text else f"línea {line}"
    return {"location": _short(location, MAX_PLACE), "names": names[:MAX_NAMES]}
