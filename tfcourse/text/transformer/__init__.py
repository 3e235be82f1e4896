"""¿Qué más hace falta, aparte de la atención, para traducir una frase?"""
