"""Ensayar `completo`: conjuntos diminutos con el formato exacto de los públicos, hechos al vuelo.

Cada módulo hace los de un campo y declara en `MAKERS` qué función hace cada conjunto, por el nombre
de su `Source`. La función recibe una carpeta vacía y escribe en ella lo que se descargaría.
"""
