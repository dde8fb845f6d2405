import { openClusterVerify } from '../support/contracts-verify-cluster.ts';
import { describeOnEngines } from '../support/engines.ts';
import { describeVerify } from './verify.contract.ts';

describeOnEngines('on Elasticsearch, ClickHouse and Redis', () => {
  describeVerify('cluster', () => openClusterVerify());
});
