"""¿Cómo puede una red de tamaño fijo leer una frase de cualquier longitud?"""
