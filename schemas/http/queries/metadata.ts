export const METADATA_BYTES = 16_384;
/** JSON.stringify recurses; this depth is far from overflowing any thread's stack. */
export const METADATA_DEPTH = 1_000;

const encoder = new TextEncoder();

export type MetadataFault = 'too_deep' | 'too_long' | 'not_unicode' | 'out_of_range';

/**
 * The reason why a JSON object can't be stored unchanged, or undefined. Traverses it without recursion, so
 * that deep nesting can't overflow the stack, and stops once there are more values than fit into the
 * permitted bytes.
 */
export const metadataFault = (metadata: object): MetadataFault | undefined => {
  const open: { value: unknown; depth: number }[] = [{ value: metadata, depth: 1 }];
  let values = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (++values > METADATA_BYTES) return 'too_long';
    if (typeof value === 'string' && !value.isWellFormed()) return 'not_unicode';
    // 1e400 is valid JSON, but parses to Infinity, which JSON can't represent.
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
