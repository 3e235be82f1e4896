// Escenas de muestra para los detectores: como las de entrenar, y como nunca las han visto.

const SCENE_PRESETS = {
  "Como al entrenar": () => ({
    ground: GREY,
    objects: [sceneObject(0, 16, 18, 20), sceneObject(1, 46, 16, 18), sceneObject(2, 18, 46, 22), sceneObject(3, 46, 46, 20)],
  }),
  Encimadas: () => ({
    ground: GREY,
    objects: [sceneObject(0, 26, 28, 26), sceneObject(1, 36, 36, 24), sceneObject(2, 30, 42, 24), sceneObject(3, 42, 28, 24)],
  }),
  Diminutas: () => ({
    ground: GREY,
    objects: [sceneObject(0, 12, 14, 8), sceneObject(1, 50, 12, 8), sceneObject(2, 14, 50, 8), sceneObject(3, 48, 48, 8)],
  }),
  "Una enorme": () => ({ ground: GREY, objects: [sceneObject(0, 32, 32, 56)] }),
  "Fondo blanco": () => ({ ground: WHITE, objects: [sceneObject(0, 16, 18, 20), sceneObject(1, 46, 16, 18), sceneObject(3, 32, 46, 20)] }),
  "Cinco iguales": () => ({
    ground: GREY,
    objects: [[12, 12], [50, 12], [32, 32], [12, 50], [50, 50]].map(([x, y]) => sceneObject(0, x, y, 16)),
  }),
  Vacía: () => ({ ground: GREY, objects: [] }),
};
