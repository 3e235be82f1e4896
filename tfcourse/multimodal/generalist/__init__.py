"""¿Puede una sola red describir, responder y jugar con los mismos pesos?"""
