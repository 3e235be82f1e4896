"""¿Se traduce el habla a texto igual que una lengua a otra?"""
