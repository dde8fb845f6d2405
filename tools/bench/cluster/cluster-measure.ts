/** Runs the benchmark of the mode `cluster` on running engines. */
import type { Conversation } from '../load/conversation.ts';
import type { Part } from '../measure/figures-table.ts';
import { measureClusterBytes } from './bytes/log-bytes.ts';
import {
  clusterBytesPart,
  clusterIngestionPart,
  clusterProjectionPart,
  clusterRecallPart,
  clusterReplayPart,
  clusterUsagePart,
} from './cluster-figures.ts';
import { measureClusterIngestion } from './cluster-ingestion.ts';
import { measureClusterProjection } from './cluster-projection.ts';
import { measureClusterRecall } from './cluster-recall.ts';
import { measureClusterReplay } from './cluster-replay.ts';
import { measureClusterUsage } from './cluster-usage.ts';
import { install } from './installation.ts';

/** Enough that no organization exceeds the turns accepted before a projector shows them. */
const ORGANIZATIONS = 8;

interface ClusterOptions {
  engines: Record<string, string>;
  conversation: Conversation;
  seconds: number;
  recalls: number;
  profile?: string | undefined;
  say: (line: string) => void;
  show: (part: Part) => void;
  /** Receives functions to call at the end, whatever happens. */
  atEnd: (drop: () => Promise<void>) => void;
}

export const measureCluster = async (options: ClusterOptions): Promise<void> => {
  const { seconds, recalls, show, ...common } = options;
  common.say('making topics, index, tables and organizations');
  const installation = await install({ ...common, organizations: ORGANIZATIONS });
  show(clusterIngestionPart(await measureClusterIngestion(installation, seconds)));
  show(clusterProjectionPart(await measureClusterProjection(installation)));
  show(clusterReplayPart(await measureClusterReplay(installation)));
  show(clusterRecallPart(await measureClusterRecall(installation, recalls)));
  show(clusterBytesPart(await measureClusterBytes(installation)));
  show(clusterUsagePart(await measureClusterUsage(installation)));
};
