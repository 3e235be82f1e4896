"""Lanza una orden y apunta lo que gastó: `launcher.py informe.json orden argumentos…`.

Va aparte y no importa nada del curso: Linux cuenta como memoria de un proceso la de quien lo lanzó,
así que lo lanza uno pequeño.
"""

import json
import os
import sys

if __name__ == "__main__":
    report, *command = sys.argv[1:]
    process = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(process, 0)
    with open(report, "w", encoding="utf-8") as file:
        json.dump(
            {"cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss, "status": status},
            file,
        )
