"""Piezas compartidas por todos los modelos del curso."""
