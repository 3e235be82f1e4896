"""¿Se puede leer una imagen como si fuera una frase?"""
