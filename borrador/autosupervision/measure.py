"""Mide por unidades, reanudable: cada unidad, una línea."""
import json,os,time,torch
torch.set_num_threads(1)
from benchmarks import self_supervision as b
OUT='borrador.jsonl'
done={tuple(json.loads(l)["unit"]) for l in open(OUT)} if os.path.exists(OUT) else set()
units=[]
for seed in (0,1,2):
    units+=[("floors",seed),("whole",seed),("painter",seed)]
    units+=[("change",n,seed) for n in b.CHANGES]+[("change","corto",seed)]
    units+=[("supervised",n,p,seed) for n in b.RIVALS for p in b.PER_CLASS]
for u in units:
    if u in done: continue
    t=time.process_time()
    rows=list(getattr(b,u[0])(*u[1:]))
    with open(OUT,'a') as f: f.write(json.dumps({"unit":u,"cpu":round(time.process_time()-t,1),"rows":rows},ensure_ascii=False)+"\n")
    print(u,round(time.process_time()-t,1),[ (r.get("how"),r.get("per_class"),r["accuracy"]) for r in rows][:8],flush=True)
