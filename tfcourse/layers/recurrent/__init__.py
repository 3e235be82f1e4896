"""Recurrencia: celdas, compuertas y lo que le pasa al gradiente en el tiempo."""
