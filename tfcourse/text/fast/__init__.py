"""¿Cuánto se puede abaratar la atención sin cambiar lo que calcula, o cambiándolo muy poco?"""
