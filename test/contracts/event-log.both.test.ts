import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Topic } from '../../core/ports.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { deleteTopics } from '../support/engines/kafka.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { describeEventLog, type OpenLog, record } from './event-log.contract.ts';
import { type OpenFolder, openFolder } from './openers/log.ts';

describeInBothModes('event log', {
  embedded: () => {
    const open = async (folder = temporaryFolder()): Promise<OpenLog> => {
      const { log, close } = await openFolder(folder);
      return {
        log,
        close,
        reopen: async () => {
          await close();
          return open(folder);
        },
      };
    };

    describeEventLog('embedded', () => open());

    /** The promises of a log that one process has to itself. */
    describe('polled log', () => {
      const folder = temporaryFolder();
      let opened: OpenFolder;
      let log: OpenFolder['log'];
      beforeEach(async () => {
        opened = await openFolder(temporaryFolder());
        log = opened.log;
      });
      afterEach(() => opened.close());

      it('stores all of an append and its commit, or none of it', async () => {
        const ends = await log.ends();
        const bad = record('k', 'bad', { topic: 'no such topic' as Topic });
        const commit = { group: 'g', positions: { 'turns/0': 5 } };
        await expect(log.append([record('k', '1'), record('l', '2'), bad], commit)).rejects.toThrow();
        expect(await log.ends()).toEqual(ends);
        expect(await log.committed('g')).toEqual({});
      });

      it("moves a group's positions with the records, or alone, and no other's", async () => {
        await log.append([record('k', '1')], {
          group: 'enricher',
          positions: { 'turns/0': 3, 'turns/2': 1 },
        });
        await log.append([], { group: 'enricher', positions: { 'turns/0': 4 } });
        await log.append([record('k', '2')], { group: 'other', positions: { 'turns/0': 9 } });
        expect(await log.committed('enricher')).toEqual({ 'turns/0': 4, 'turns/2': 1 });
        expect(await log.committed('other')).toEqual({ 'turns/0': 9 });
        expect(await log.committed('nobody')).toEqual({});
      });

      it("has a group's positions after it was opened again", async () => {
        const one = await openFolder(folder);
        await one.log.append([record('k', '1')], { group: 'g', positions: { 'turns/1': 2 } });
        await one.close();
        const again = await openFolder(folder);
        expect(await again.log.committed('g')).toEqual({ 'turns/1': 2 });
        await again.close();
      });

      it('tells of appends until it is told to stop', async () => {
        let told = 0;
        const stop = log.onAppend(() => told++);
        await log.append([record('k', '1')]);
        await until('the listener was called', () => told > 0);
        stop();
        const before = told;
        let others = 0;
        log.onAppend(() => others++);
        await log.append([record('k', '2')]);
        await until('the other listener was called', () => others > 0);
        expect(told).toBe(before);
      });
    });
  },
  cluster: () => {
    const open = async (config: ClusterConfig): Promise<OpenLog> => {
      const log = await openKafkaLog(config);
      return {
        log,
        close: async () => {
          await log.close();
          await deleteTopics(config);
        },
        reopen: async () => {
          await log.close();
          return open(config);
        },
      };
    };

    describeEventLog('Kafka', async () => {
      const config = clusterConfig();
      await migrateTopics(config);
      return open(config);
    });
  },
});
