import { describeOnEngines } from '../support/engines.ts';
import { describeGenerations } from './generations.contract.ts';
import { openClusterGenerations } from './openers/generations-cluster.ts';

describeOnEngines('on Kafka, Elasticsearch, ClickHouse and Redis', () => {
  describeGenerations('cluster', openClusterGenerations);
});
