"""Pesos oficiales: los que publicaron sus autores, dentro de las clases del curso."""
