"""Pesos que vienen con el curso, cada uno con su ficha."""

# Las carpetas cuyos cuartos entrenan: ahí se buscan los que hacen pesos.
WINGS = ("text", "vision", "sound", "multimodal")
