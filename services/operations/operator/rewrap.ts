/** The messages of the call `rewrapKeys`, in both modes. */
export type { RewrapProgress } from '../../core/log/installation-keys.ts';
