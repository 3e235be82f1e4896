"""Repartir la corrección con Slurm o Kubernetes: las órdenes, escritas y listas para enviar."""

from pathlib import Path

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course

CORES, MEMORY = 2, 8  # por parte: dos procesos y ocho gigas
SLURM = """\
#!/bin/bash
#SBATCH --job-name=corregir-{name}
#SBATCH --array=1-{parts}
#SBATCH --cpus-per-task={cores} --mem={memory}G --time={hours:02d}:00:00
set -eu
python -m tfcourse docente corregir {name} --curso "{course}" --procesos {cores} \\
    --tarea "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
"""
# El recinto necesita espacios de nombres de usuario; el resto de los permisos se quitan.
KUBERNETES = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: corregir-{name}
spec:
  completionMode: Indexed
  completions: {parts}
  parallelism: {parts}
  backoffLimit: {parts}
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        fsGroup: 1000
        seccompProfile: {{type: Unconfined}}
      containers:
        - name: corregir
          image: {image}
          command: [sh, -c]
          args:
            - >-
              python -m tfcourse docente corregir {name} --curso /curso --procesos {cores}
              --tarea "$((JOB_COMPLETION_INDEX + 1))/{parts}"
          resources:
            requests: {{cpu: "{cores}", memory: {memory}Gi}}
            limits: {{cpu: "{cores}", memory: {memory}Gi}}
          volumeMounts:
            - {{name: curso, mountPath: /curso}}
      volumes:
        - name: curso
          persistentVolumeClaim: {{claimName: {claim}}}
"""


def write_jobs(
    course: Course, assignment: Assignment, parts: int, image: str, claim: str
) -> list[Path]:
    """Escribe el trabajo de Slurm y el de Kubernetes. Errores: `ValueError` si `parts` no vale."""
    if not 1 <= parts <= 1_000:
        raise ValueError(f"--partes {parts} no vale: de 1 a 1000")
    people = max(1, len(course.students(assignment.name)))
    hours = 1 + people * 180 // (parts * CORES * 3600)  # si todas agotaran su tiempo
    words = {
        "name": assignment.name, "parts": parts, "cores": CORES, "memory": MEMORY, "image": image,
        "claim": claim, "course": course.root.resolve(), "hours": hours,
    }  # fmt: skip
    folder = course.folder(assignment.name)
    written = [folder / "trabajo-slurm.sh", folder / "trabajo-kubernetes.yaml"]
    for path, template in zip(written, (SLURM, KUBERNETES), strict=True):
        write_atomically(path, template.format(**words))
    return written
