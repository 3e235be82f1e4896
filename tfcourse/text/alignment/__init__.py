"""¿De cuántas maneras se puede decidir a qué mirar, y en qué se notan?"""
