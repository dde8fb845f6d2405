/** Faults that the simulator has to find, planted into the ports of the product. */
import type { Decode } from '../../../core/log/events.ts';
import type { Engines } from '../../../core/ports/engines.ts';
import type { KeyStore, PolledLog, ProjectionStore } from '../../../core/ports.ts';
import type { WriterConnection } from '../../../infra/embedded/log/writer-connection.ts';

/** Each returns the port that is used instead; by default the same one. */
export interface Plant {
  connection(port: WriterConnection): WriterConnection;
  log<Log extends PolledLog>(port: Log): Log;
  keys<Keys extends KeyStore>(port: Keys): Keys;
  decode(port: Decode): Decode;
  store<Store extends ProjectionStore>(port: Store): Store;
  /** As the use cases get them. */
  engines(ports: Engines): Engines;
  /** A process begins. */
  opened(): void;
}

export const NOTHING_PLANTED: Plant = {
  connection: port => port,
  log: port => port,
  keys: port => port,
  decode: port => port,
  store: port => port,
  engines: ports => ports,
  opened: () => {},
};
