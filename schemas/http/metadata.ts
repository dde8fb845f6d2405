export const METADATA_BYTES = 16_384;
/** JSON.stringify recurses: this many levels are far from the end of any thread's stack. */
export const METADATA_DEPTH = 1_000;

const encoder = new TextEncoder();

export type MetadataFault = 'too_deep' | 'too_long' | 'not_unicode' | 'out_of_range';

/**
 * What keeps an object of JSON from being stored as it is, or undefined. Looks at it without recursion, so
 * that no nesting ends in a stack overflow, and gives up once there are more values than the bytes could hold.
 */
export const metadataFault = (metadata: object): MetadataFault | undefined => {
  const open: { value: unknown; depth: number }[] = [{ value: metadata, depth: 1 }];
  let values = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (++values > METADATA_BYTES) return 'too_long';
    if (typeof value === 'string' && !value.isWellFormed()) return 'not_unicode';
    // 1e400 is JSON, but no number that could be written again.
    if (typeof value === 'number' && !Number.isFinite(value)) return 'out_of_range';
    if (typeof value !== 'object' || value === null) continue;
    if (depth > METADATA_DEPTH) return 'too_deep';
    const inner = Object.values(value);
    if (inner.length > METADATA_BYTES) return 'too_long';
    if (!Array.isArray(value) && !Object.keys(value).every(name => name.isWellFormed())) return 'not_unicode';
    for (const one of inner) open.push({ value: one, depth: depth + 1 });
  }
  return encoder.encode(JSON.stringify(metadata)).length > METADATA_BYTES ? 'too_long' : undefined;
};
