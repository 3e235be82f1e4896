"""¿Qué le falta a un modelo de lenguaje para contestar preguntas sobre lo que se ve?"""
