/** A TCP proxy between the service and an engine, whose connections a test can cut. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Ends all connections, and every new one at once, until `heal`. */
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

const startTcpProxy = async (target: { host: string; port: number }): Promise<TcpProxy> => {
  const open = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer(client => {
    if (isCut) return void client.destroy();
    const engine = connect(target.port, target.host);
    for (const [one, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      keep(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      endAll();
    },
    heal: () => {
      isCut = false;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      endAll();
      await closed;
    },
  };
};

/** Returns the URL with the proxy in the engine's place. */
export const throughProxy = async (url: string): Promise<{ url: string; proxy: TcpProxy }> => {
  const { hostname, port } = new URL(url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  return { url: url.replace(`${hostname}:${port}`, `127.0.0.1:${proxy.port}`), proxy };
};
