// Pose: un token por articulación lee las casillas de la imagen y dice en qué fila y columna está.

const JOINT_SPREAD = 0.02; // la anchura de las campanas con que aprendió, en partes de la imagen

class PoseFinder extends ImageModel {
  constructor(buffer, config) {
    super(buffer, config);
    this.stages = this.foldedStages("backbone", 5, 3);
  }

  /** Los logits de los cajones: de cada articulación, los de x y los de y. `watch` recibe la capa. */
  read(image, watch) {
    const { n_keypoints: joints, n_layers: layers, d_model: width } = this.config;
    const [map, side] = this.convolveAll(image, this.config.image_size, this.stages);
    const rows = joints + side * side;
    let x = new Float32Array(rows * width);
    x.set(this.weight("keypoints").data);
    x.set(plus(map, gridWaves(side, width)), joints * width);
    for (let n = 0; n < layers; n++) {
      const seen = watch && ((head, query, weights) => watch(n, head, query, weights));
      x = this.encoderBlock(x, rows, `blocks.${n}`, null, gelu, seen);
    }
    const tokens = this.norm(x.subarray(0, joints * width), "norm");
    return this.project(tokens, joints, "head.projection");
  }

  /** De cada articulación, su sitio (x, y), entre 0 y 1, y cuánto se fía. */
  locate(logits) {
    const bins = 2 * this.config.image_size;
    const reach = Math.max(1, Math.round(JOINT_SPREAD * bins));
    return Array.from({ length: this.config.n_keypoints }, (_, n) => {
      const axes = [0, 1].map((axis) => {
        const from = (2 * n + axis) * bins;
        const chances = softmaxInPlace(logits.slice(from, from + bins));
        const best = largest(chances, 1)[0];
        const near = chances.subarray(Math.max(best - reach, 0), best + reach + 1);
        return { at: (best + 0.5) / bins, mass: near.reduce((sum, value) => sum + value, 0) };
      });
      return { x: axes[0].at, y: axes[1].at, confidence: Math.min(axes[0].mass, axes[1].mass) };
    });
  }
}
