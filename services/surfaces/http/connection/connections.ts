/** Bounds the connections of a server: all of them, and those of one address. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { addressName } from '../../../../core/address-name.ts';
import { inRanges } from '../../../../core/address-ranges.ts';

export interface ConnectionLimits {
  /** The limit for all addresses together. */
  most: number;
  /** The limit for one address; 0: none. */
  perAddress: number;
  /** Addresses or ranges that may open any number: they connect for others. */
  trustedProxies: readonly string[];
  /** Called at most once a second, with what was refused: `all`, or the address. */
  onRefused: (of: string) => void;
}

/** From this share of all connections on, those that idle between two requests are closed. */
const CROWDED = 0.9;
const PAUSE_MS = 1_000;
/** A connection on which no byte moves for so long is closed: its client doesn't read its answer. */
const SILENT_MS = 120_000;
/** Left for files and for connections to engines. */
const OTHER_FILES = 256;

/** How many files this process may open, where the system tells. */
const openFiles = (): number | undefined => {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
};

/** A connection that can't be accepted for want of a file would take files from everything else. */
export const fittingConnections = (most: number, files = openFiles()): number =>
  files === undefined ? most : Math.min(most, Math.max(files - OTHER_FILES, Math.floor(files / 2)));

/** Runs `work` at most once per `PAUSE_MS`. */
const seldom = (): ((work: () => void) => void) => {
  let last = Number.NEGATIVE_INFINITY;
  return work => {
    if (performance.now() - last < PAUSE_MS) return;
    last = performance.now();
    work();
  };
};

/**
 * Refuses connections above the limits by closing them at once. When nearly all are taken, idle ones are
 * closed first: a client that keeps a connection for later must not keep another one out.
 */
export const limitConnections = (server: Server, limits: ConnectionLimits): void => {
  const { most, perAddress, onRefused } = limits;
  const isProxy = inRanges(limits.trustedProxies);
  const ofAddress = new Map<string, number>();
  const report = seldom();
  const makeRoom = seldom();
  let all = 0;

  server.timeout = SILENT_MS;
  server.maxConnections = most;
  server.on('drop', () => report(() => onRefused('all')));
  server.on('connection', socket => {
    all++;
    socket.once('close', () => {
      all--;
    });
    if (all >= most * CROWDED) makeRoom(() => server.closeIdleConnections());
    const { remoteAddress } = socket;
    if (perAddress === 0 || remoteAddress === undefined || isProxy(remoteAddress)) return;
    const name = addressName(remoteAddress);
    const count = (ofAddress.get(name) ?? 0) + 1;
    ofAddress.set(name, count);
    socket.once('close', () => {
      const left = ofAddress.get(name)! - 1;
      if (left === 0) ofAddress.delete(name);
      else ofAddress.set(name, left);
    });
    if (count <= perAddress) return;
    report(() => onRefused(name));
    socket.destroy();
  });
};
