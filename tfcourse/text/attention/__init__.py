"""¿Qué ocurre cuando una secuencia se consulta a sí misma, y varias veces a la vez?"""
