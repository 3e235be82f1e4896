"""Nombres de antes: un cuaderno viejo encuentra cada módulo en su sitio de ahora, y se le dice.

Vale para una versión: en la 0.3 se borra esta carpeta y la línea que la llama en `tfcourse`.
"""

import os

NAMES = os.path.join(os.path.dirname(__file__), "names.json")


class OldNames:
    """Buscador de módulos por el nombre que tenían: va el último, tras los que no encuentran nada.

    Sus `import` van dentro para que quien usa los nombres de ahora no espere por ellos.
    """

    def __init__(self):
        self.names = None

    def find_spec(self, fullname, path=None, target=None):
        """Lo que sabe de un módulo que ya no está ahí, o `None` si nunca estuvo."""
        if not fullname.startswith("tfcourse."):
            return None
        if self.names is None:
            import json

            with open(NAMES, encoding="utf-8") as file:
                self.names = json.load(file)
        if fullname not in self.names:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(fullname, self)

    def create_module(self, spec):
        """El módulo de ahora, con un aviso de una línea.

        Errores: `ModuleNotFoundError` si lo que se busca ya no viene en el paquete.
        """
        import importlib
        import warnings

        new = self.names[spec.name]
        if not new.startswith("tfcourse."):
            raise ModuleNotFoundError(
                f"«{spec.name}» ya no viene con el paquete: está en «{new}», en el repositorio del "
                "curso; abre la versión nueva del cuaderno",
                name=spec.name,
            )
        # Un nivel por cada paso de la búsqueda: el aviso señala la línea del cuaderno.
        message = f"«{spec.name}» está ahora en «{new}»: cambia la línea que lo importa"
        warnings.warn(message, FutureWarning, stacklevel=6)
        return importlib.import_module(new)

    def exec_module(self, module):
        """Nada: el módulo de ahora ya está ejecutado."""
