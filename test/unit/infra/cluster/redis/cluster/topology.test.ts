import { describe, expect, it } from 'vitest';
import {
  primariesOf,
  redirectionIn,
  slotsOf,
  statementIn,
} from '../../../../../../infra/cluster/redis/cluster/topology.ts';

const asked = { host: 'seed', port: 7000 };
const node = (fields: Record<string, unknown>): unknown[] => Object.entries(fields).flat();
const shard = (slots: unknown[], ...nodes: unknown[][]): unknown[] => ['slots', slots, 'nodes', nodes];

describe('CLUSTER SHARDS', () => {
  const shards = [
    shard(
      [0, 5, '9', '9'],
      node({ id: 'a', port: 7000, 'tls-port': 7001, endpoint: 'one', role: 'master', health: 'online' }),
      node({ id: 'r', port: 7000, 'tls-port': 7001, endpoint: 'two', role: 'replica', health: 'online' }),
    ),
    shard([], node({ id: 'b', port: 7002, 'tls-port': 7003, endpoint: '', role: 'master', health: 'fail' })),
  ];

  it('names the primaries and their slots, those without slots too', () => {
    expect(primariesOf(shards, asked, false)).toEqual([
      { id: 'a', host: 'one', port: 7000, slots: [0, 5, 9, 9], isWell: true },
      { id: 'b', host: 'seed', port: 7002, slots: [], isWell: false },
    ]);
    expect(primariesOf(shards, asked, true).map(({ port }) => port)).toEqual([7001, 7003]);
    const owners = slotsOf(primariesOf(shards, asked, false));
    expect([owners[0], owners[5], owners[6], owners[9], owners[10]]).toEqual([0, 0, undefined, 0, undefined]);
    expect(owners).toHaveLength(16_384);
  });
});

describe('CLUSTER NODES', () => {
  const nodes = `a 127.0.0.1:7000@17000,one myself,master - 0 0 1 connected 0-5460 9000 [77->-b] [93-<-c]
b 127.0.0.1:7001@17001 master - 0 1 2 connected 5461-8999
c 127.0.0.1:7002@17002 master,fail? - 0 1 3 disconnected 9001-16383
d 127.0.0.1:7003@17003 slave b 0 1 2 connected
e 127.0.0.1:7004@17004 handshake - 0 0 0 connected
`;

  it('says what a server has, sends and receives, and which primaries it can reach', () => {
    expect(statementIn(nodes)).toEqual({
      isPrimary: true,
      slots: '0-5460 9000 [77->-b] [93-<-c]',
      movesTo: ['b'],
      primaries: ['a', 'b'],
    });
    const replica = nodes.replace('myself,', '').replace('slave b', 'myself,slave b');
    expect(statementIn(replica)).toMatchObject({ isPrimary: false, slots: '' });
  });
});

describe('an error', () => {
  const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

  it('says where a command is to go, if it did not run', () => {
    expect(redirectionIn(reply('MOVED 7 host:1'), asked)).toEqual({ kind: 'moved', slot: 7, to: 'host:1' });
    expect(redirectionIn(reply('ASK 7 :2'), asked)).toEqual({ kind: 'ask', slot: 7, to: 'seed:2' });
    expect(redirectionIn(reply('TRYAGAIN Multiple keys'), asked)).toEqual({ kind: 'again' });
    expect(redirectionIn(reply('CLUSTERDOWN The cluster is down'), asked)).toBeUndefined();
    expect(redirectionIn(new Error('MOVED 7 host:1'), asked)).toBeUndefined();
  });
});
