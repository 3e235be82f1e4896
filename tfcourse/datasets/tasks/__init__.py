"""Tareas de texto a texto: la entrada lleva un prefijo que dice qué se pide."""
