/**
 * The version of what each projection writes. A change of its fold, or of how an engine keeps what it writes, that rows
 * of before don't show counts one up: a generation is of one version, and never holds rows of two.
 */
export const RECALL_VERSION = '4';
export const USAGE_VERSION = '1';
