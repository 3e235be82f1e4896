"""¿Qué sabe de una palabra el vector que la representa?"""
