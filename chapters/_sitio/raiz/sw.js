// Leer sin red. Con red, siempre lo último; sin ella, lo guardado: lo que se ha visitado y, si se
// pide, el curso entero.
"use strict";

const SAVED = "tfcourse";
const AT_ONCE = 8;
const MISSING =
  '<!doctype html><html lang="es"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  "<title>Sin red</title><main><h1>Esta página no está guardada</h1><p>No hay red y aún no la habías visitado. " +
  'Puedes <a href="javascript:history.back()">volver</a>.</p></main></html>';

const address = (request) => new URL(request.url ?? request).href.split(/[?#]/)[0];

async function fromNetwork(request) {
  const answer = await fetch(request);
  if (answer.status === 200) {
    const saved = await caches.open(SAVED);
    await saved.put(address(request), answer.clone());
  }
  return answer;
}

async function answer(request) {
  try {
    return await fromNetwork(request);
  } catch (error) {
    const saved = await caches.match(address(request));
    if (saved) return saved;
    if (request.mode !== "navigate") throw error;
    return new Response(MISSING, { status: 503, headers: { "Content-Type": "text/html" } });
  }
}

/** Guarda unas direcciones y cuenta por dónde va; lo ya guardado no se vuelve a traer. */
async function save(addresses, tell) {
  const saved = await caches.open(SAVED);
  const pending = [...addresses];
  let done = 0;
  const work = async () => {
    while (pending.length) {
      const next = pending.shift();
      if (!(await saved.match(address(next)))) await fromNetwork(next).catch(() => null);
      done += 1;
      tell?.({ done, total: addresses.length });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const ours = new URL(request.url).origin === self.location.origin;
  // El trozo de un sonido no es el sonido.
  if (request.method === "GET" && ours && !request.headers.has("range")) event.respondWith(answer(request));
});
self.addEventListener("message", (event) => {
  const { save: addresses, forget } = event.data;
  if (forget) event.waitUntil(caches.delete(SAVED));
  if (addresses) event.waitUntil(save(addresses, event.data.tell && ((step) => event.source.postMessage(step))));
});
