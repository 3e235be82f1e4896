"""Modelos del curso: un concepto por archivo."""
