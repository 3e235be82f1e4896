"""Si el coste crece con el cuadrado de la longitud, ¿a qué se puede renunciar?"""
