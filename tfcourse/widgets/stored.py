"""Figuras guardadas en un cuaderno: solo las que se ven, con identificadores que no cambian."""

from tfcourse.widgets.panel import PANEL_METADATA

STATE_MIME = "application/vnd.jupyter.widget-state+json"
VIEW_MIME = "application/vnd.jupyter.widget-view+json"

_REFERENCE = "IPY_MODEL_"


def stabilize_widgets(notebook: dict) -> None:
    """Deja igual, de una ejecución a otra, lo que un cuaderno guarda de sus figuras.

    Cada ejecución inventa identificadores nuevos y guarda también los modelos que nadie muestra,
    como las barras de progreso ya cerradas. Aquí se quedan los que alcanza alguna vista, y se
    llaman `figura-1`, `figura-2`… en el orden en que aparecen. De un panel de mandos, que sin
    Python no calcula nada, queda su imagen. Modifica el cuaderno.

    Args:
        notebook: cuaderno ya ejecutado, tal como lo da `nbformat`.
    """
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    for output in outputs:
        if output.get("metadata", {}) == PANEL_METADATA:
            output["data"].pop(VIEW_MIME, None)
    widgets = notebook["metadata"].get("widgets", {})
    models = widgets.get(STATE_MIME, {}).get("state", {})
    views = [output["data"][VIEW_MIME] for output in outputs if VIEW_MIME in output.get("data", {})]
    names: dict[str, str] = {}
    for view in views:
        _name_reachable(view["model_id"], models, names)
        view["model_id"] = names.get(view["model_id"], view["model_id"])
    kept = {name: _renamed(models[old], names) for old, name in names.items()}
    if kept:
        widgets[STATE_MIME]["state"] = kept
    else:
        notebook["metadata"].pop("widgets", None)


def _name_reachable(model_id: str, models: dict, names: dict[str, str]) -> None:
    """Da nombre a un modelo y a los que este menciona, una sola vez a cada uno."""
    if model_id in names or model_id not in models:
        return
    names[model_id] = f"figura-{len(names) + 1}"
    for mentioned in _mentioned(models[model_id]):
        _name_reachable(mentioned, models, names)


def _mentioned(value: object) -> list[str]:
    """Identificadores de los modelos que un estado menciona, a cualquier profundidad."""
    if isinstance(value, str):
        return [value.removeprefix(_REFERENCE)] if value.startswith(_REFERENCE) else []
    if isinstance(value, dict):
        return [found for item in value.values() for found in _mentioned(item)]
    if isinstance(value, list):
        return [found for item in value for found in _mentioned(item)]
    return []


def _renamed(value: object, names: dict[str, str]) -> object:
    """El mismo estado con los nombres nuevos en lugar de los identificadores."""
    if isinstance(value, str) and value.startswith(_REFERENCE):
        old = value.removeprefix(_REFERENCE)
        return _REFERENCE + names.get(old, old)
    if isinstance(value, dict):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    return value
