"""¿Hay que decidir píxel a píxel, o es mejor decidir máscara a máscara?"""
