/** Available in Node, but TypeScript declares it only in the browser's types. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Record<string, unknown> };
};

/** A module's memory; growing it replaces `buffer`. */
interface Memory {
  buffer: ArrayBuffer;
  /** @param pages number of 64 KiB pages to add */
  grow(pages: number): void;
}

/** Instantiates a module given in base64, with one page of memory. */
export const instantiate = <T>(module: string): T & { memory: Memory } =>
  new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(module, 'base64'))).exports as T & {
    memory: Memory;
  };
