"""¿De dónde sale el vector que representa a una palabra, y qué sabe de ella?"""
