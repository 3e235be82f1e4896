{#- Va escrito en la cabecera de cada página. Los guiones se piden cuando ya se ve algo, y lo de más
    abajo, marcado por in_parts.py, se coloca por partes que no retienen a quien ya lee. Si se llega a
    un lugar de la página, o en cuanto se toca algo, lo que falte va de una vez. -#}
{
  const html = document.documentElement;
  const [visit] = performance.getEntriesByType("navigation");
  html.dataset.cargando = !location.hash && visit?.type === "navigate" ? "partes" : "todo";
  const EACH = 200; {#- elementos que se colocan de una vez #}
  const waiting = document.getElementsByClassName("tras");
  const parsed = new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  {#- Lo siguiente, después de dibujar; una pestaña que no se mira no dibuja nunca. #}
  const frame = () =>
    new Promise((done) => (document.hidden ? setTimeout(done, 50) : requestAnimationFrame(() => setTimeout(done))));
  const reveal = async () => {
    while (html.dataset.cargando === "partes") {
      await frame();
      for (let room = EACH; room > 0 && waiting.length; ) {
        room -= 1 + waiting[0].getElementsByTagName("*").length;
        waiting[0].classList.remove("tras");
      }
      if (!waiting.length && document.readyState !== "loading") return;
    }
  };
  const load = ({ attributes }) =>
    new Promise((done) => {
      const script = document.createElement("script");
      Object.assign(script, { src: attributes.src.value, async: false, onload: done, onerror: done });
      document.head.append(script);
    });
  const run = async () => {
    await parsed;
    await frame();
    await Promise.all([...document.getElementById("guiones").content.children].map(load));
  };
  const all = () => {
    if (html.dataset.cargando) html.dataset.cargando = "todo";
  };
  for (const sign of ["wheel", "pointerdown", "keydown", "hashchange"]) {
    addEventListener(sign, all, { once: true, capture: true, passive: true });
  }
  Promise.all([frame().then(reveal), run()]).then(() => {
    delete html.dataset.cargando;
    document.dispatchEvent(new Event("tfc:lista"));
  });
}
