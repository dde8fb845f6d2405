import { instantiate } from '../ranking/vectors/wasm.ts';

/** kernels.wat, compiled. */
const MODULE =
  'AGFzbQEAAAABRQdgDH9/f39/f39/f39/fwBgCH9/f39/f31/AGAGf39/f39/AGABewF7YAR7fX1/AXtgCH9/f399f39/AGAGf39/fX1/AAMIBwABAgMEBQYFAwEAAQc+BgZtZW1vcnkCAAVkZW5zZQAACHF1YW50aXplAAEJbm9ybWFsaXplAAIGc2hhcmVzAAUJdGFidWxhdGVkAAYKhBAH2gYCCn8Re0EAIQ0DQEEAIQwgCCANQQJ0av0ABAAhISAIIA1BAnRq/QAEECEiIAcgDUECdGr9AAQAISMgByANQQJ0av0ABBAhJCAJIA1BAnRq/QAEACElIAkgDUECdGr9AAQQISYDQCAAIAwgAWxqIQ8gDyABaiEQIBAgAWohESARIAFqIRIgDyADaiEVIAQgDSADbGohE/0MAAAAAAAAAAAAAAAAAAAAACEZ/QwAAAAAAAAAAAAAAAAAAAAAIRr9DAAAAAAAAAAAAAAAAAAAAAAhG/0MAAAAAAAAAAAAAAAAAAAAACEc/QwAAAAAAAAAAAAAAAAAAAAAIR39DAAAAAAAAAAAAAAAAAAAAAAhHv0MAAAAAAAAAAAAAAAAAAAAACEf/QwAAAAAAAAAAAAAAAAAAAAAISADQCAT/QAEACEWIBP9AAQQIRcgD/0JAgAhGCAWIBggGf2TAiEZIBcgGCAa/ZMCIRogEP0JAgAhGCAWIBggG/2TAiEbIBcgGCAc/ZMCIRwgEf0JAgAhGCAWIBggHf2TAiEdIBcgGCAe/ZMCIR4gEv0JAgAhGCAWIBggH/2TAiEfIBcgGCAg/ZMCISAgE0EgaiETIA9BBGohDyAQQQRqIRAgEUEEaiERIBJBBGohEiAPIBVJDQALIAogDCALbCANQQJ0amohFCAGIAxBAnRq/QkCACEYIBQgJSAYICP95gEgGSAh/bEB/foB/eYB/eQB/QsEACAUICYgGCAk/eYBIBogIv2xAf36Af3mAf3kAf0LBBAgFCALaiEUIAYgDEECdGr9CQIEIRggFCAlIBggI/3mASAbICH9sQH9+gH95gH95AH9CwQAIBQgJiAYICT95gEgHCAi/bEB/foB/eYB/eQB/QsEECAUIAtqIRQgBiAMQQJ0av0JAgghGCAUICUgGCAj/eYBIB0gIf2xAf36Af3mAf3kAf0LBAAgFCAmIBggJP3mASAeICL9sQH9+gH95gH95AH9CwQQIBQgC2ohFCAGIAxBAnRq/QkCDCEYIBQgJSAYICP95gEgHyAh/bEB/foB/eYB/eQB/QsEACAUICYgGCAk/eYBICAgIv2xAf36Af3mAf3kAf0LBBAgDEEEaiIMIAJJDQALIA1BCGoiDSAFSQ0ACwvJAgQDfwJ7AX0BeyAH/REhDgNAIAAgA0ECdGohCiAAIQggASEJ/QxfcIkwX3CJMF9wiTBfcIkwIQsDQCALIAj9AAQAIAn9AAQA/eYB/eAB/esBIQsgCUEQaiEJIAhBEGoiCCAKSQ0ACyAL/R8AIAv9HwGXIAv9HwIgC/0fA5eXIQ0gBSANIAaVOAIAIAYgDZX9EyEMIAAhCCABIQkDQCAEIA4gDCAJ/QAEAP3mASAI/QAEAP3mARAD/a4BIA4gDCAJ/QAEEP3mASAI/QAEEP3mARAD/a4B/YUBIA4gDCAJ/QAEIP3mASAI/QAEIP3mARAD/a4BIA4gDCAJ/QAEMP3mASAI/QAEMP3mARAD/a4B/YUB/WX9CwQAIARBEGohBCAJQcAAaiEJIAhBwABqIgggCkkNAAsgCiEAIAVBBGohBSACQQFrIgINAAsL2wIDBX8DewJ9A0AgACADQQJ0aiEKIAAhBiABIQf9DAAAAAAAAAAAAAAAAAAAAAAhCwNAIAb9AAQAIAf9AAQA/eQBIQ0gBiAN/QsEACALIA395AEhCyAHQRBqIQcgBkEQaiIGIApJDQALIAv9HwAgC/0fAZIgC/0fAiAL/R8DkpIgA7OVIQ4gACEG/QwAAAAAAAAAAAAAAAAAAAAAIQwDQCAG/QAEACAO/RP95QEhDSAGIA39CwQAIAwgDSAN/eYB/eQBIQwgBkEQaiIGIApJDQALQwAAgD9DzLyMKyAM/R8AIAz9HwGSIAz9HwIgDP0fA5KSIAOzlZKRlSEPIAAhBiAEIQggBSEJA0AgBiAJ/QAEACAI/QAEACAP/RMgBv0ABAD95gH95gH95AH9CwQAIAhBEGohCCAJQRBqIQkgBkEQaiIGIApJDQALIAohACAHIQEgAkEBayICDQALCy4AIAD9DAAAQEsAAEBLAABASwAAQEv95AH9DAAAQEsAAEBLAABASwAAQEv9sQELMAAgA/0R/QwAAAAAAAAAAAAAAAAAAAAAIAL9EyAB/RMgAP3kAf3mARAD/bgB/bYBC4oCBQJ/AXsBfQF7BX8DQCAAIAJBAnRqIQkgACEIIAj9AAQAIQoDQCAKIAj9AAQA/esBIQogCEEQaiIIIAlJDQALIAr9HwAgCv0fAZcgCv0fAiAK/R8Dl5chCyAAIQhBACENA0AgCP0ABAD94QEgCyAEIAUQBCEMIAMgDP0bAGotAAAhDiADIAz9GwFqLQAAIQ8gAyAM/RsCai0AACEQIAMgDP0bA2otAAAhESANIA4gD2ogECARampqIQ0gBiAOIA9BCHRyIBBBEHQgEUEYdHJyNgIAIAZBBGohBiAIQRBqIgggCUkNAAsgB0MAAIA/IA2zlTgCACAHQQRqIQcgCSEAIAFBAWsiAQ0ACwuRAQIBfwN7IAAgAUECdGohBgNAIAD9AAQAIQggCCADIAQgBRAEQQL9qwEhByACIAf9GwBqKgIA/RMhCSAJIAIgB/0bAWoqAgD9IAEhCSAJIAIgB/0bAmoqAgD9IAIhCSAJIAIgB/0bA2oqAgD9IAMhCSAAIAggCSAIIAP9E/1G/VL9CwQAIABBEGoiACAGSQ0ACws=';

/** The number of columns whose weights stand together, and of values of each. */
export const PACKED = { columns: 8, depth: 4 } as const;

/** Addresses and strides are bytes in the module's memory. */
export interface Kernels {
  memory: { buffer: ArrayBuffer; grow(pages: number): void };
  /**
   * `out[row][column] = (sum(a[row] * w[column]) - zeros[column]) * rowScales[row] * scales[column] +
   * bias[column]`.
   *
   * @param a `rows`, a multiple of 4, of `depth` values from 0 to 127, one every `apart` bytes
   * @param w int8, packed; `columns` is a multiple of 8, `depth` of 4
   * @param outApart from one row of 32-bit floats to the next
   */
  dense(
    a: number,
    apart: number,
    rows: number,
    depth: number,
    w: number,
    columns: number,
    rowScales: number,
    scales: number,
    zeros: number,
    bias: number,
    out: number,
    outApart: number,
  ): void;
  /**
   * Writes each row of 32-bit floats, times a factor each, as 8-bit integers from `zero - most` to
   * `zero + most`, and its scale.
   *
   * @param width of a row and of the factors, a multiple of 16
   */
  quantize(
    x: number,
    factors: number,
    rows: number,
    width: number,
    out: number,
    scales: number,
    most: number,
    zero: number,
  ): void;
  /** Adds `y` to `x`, and normalizes each row of `x` to mean 0 and variance 1; `width`: a multiple of 4. */
  normalize(x: number, y: number, rows: number, width: number, weight: number, bias: number): void;
  /**
   * Writes the value in a table of bytes for how far each value is below the best of its row, `steps` a unit,
   * the last one beyond it; and 1 / their sum. `columns`: a multiple of 4.
   */
  shares(
    x: number,
    rows: number,
    columns: number,
    table: number,
    steps: number,
    last: number,
    out: number,
    scales: number,
  ): void;
  /**
   * Replaces each value by the one in a table of 32-bit floats, from `-range` to `range`, `steps` a unit; one
   * that is above stays. `count`: a multiple of 4.
   */
  tabulated(x: number, count: number, table: number, range: number, steps: number, last: number): void;
}

export const openKernels = (): Kernels => instantiate<Kernels>(MODULE);
