"""Conjuntos de datos del curso: generados con semilla en `rapido`, públicos en `completo`."""
