"""Mutantes: cambios pequeños en el paquete, para saber si las pruebas los notan."""
