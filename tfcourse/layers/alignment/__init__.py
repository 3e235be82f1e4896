"""Alineamientos: cuánto le interesa a una consulta cada clave, y qué se hace con ello."""
