"""¿Sobre qué se mira: cuántas posiciones, secuencias, niveles y representaciones?"""
