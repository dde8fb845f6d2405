/**
 * The version of each projection's output. Increase it when the fold, or the way an engine stores its output,
 * changes so that existing rows differ from new ones: a generation has one version and never mixes rows of
 * two.
 */
export const RECALL_VERSION = '4';
export const USAGE_VERSION = '1';
