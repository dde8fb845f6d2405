/** Functions of the encoder that are looked up: an exponential costs more than the product it is for. */

/** Differences of attention of which the exponential function is tabulated, and steps per unit. */
const DEEPEST = 8;
export const STEPS = 128;
/** The range in which GELU (Hendrycks and Gimpel 2016) is tabulated, and steps per unit. */
export const WIDEST = 8;
export const GELU_STEPS = 256;

/** Shares of attention, 127 for the best; the last one is for all that is farther away. */
export const EXPONENTIALS = Uint8Array.from({ length: DEEPEST * STEPS + 1 }, (_, i) =>
  i === DEEPEST * STEPS ? 0 : Math.round(127 * Math.exp(-i / STEPS)),
);

/** The error function by Abramowitz and Stegun, 7.1.26: within 2e-7. */
const erf = (x: number): number => {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
};
export const GELUS = Float32Array.from({ length: 2 * WIDEST * GELU_STEPS + 1 }, (_, i) => {
  const x = i / GELU_STEPS - WIDEST;
  return (x / 2) * (1 + erf(x / Math.SQRT2));
});
