/** Node has it; TypeScript knows it from the browser's types alone. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Record<string, unknown> };
};

/** An instance of the module in this base64, with one page of memory. */
export const instantiate = <T>(module: string): T & { memory: { buffer: ArrayBuffer } } =>
  new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(module, 'base64'))).exports as T & {
    memory: { buffer: ArrayBuffer };
  };
