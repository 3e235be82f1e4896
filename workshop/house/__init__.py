"""La casa: el plano de `tfcourse`, cómo se lee el paquete y las reglas que cumple."""
