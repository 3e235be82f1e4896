"""¿Por qué una red recurrente olvida lo que leyó hace cien pasos, y cómo se arregla?"""
