"""Conjuntos públicos del perfil `completo`, leídos de su carpeta o descargados."""
