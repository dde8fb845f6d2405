import { describeOnEngines } from '../support/engines.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';
import { describeRetraction } from './retraction.contract.ts';

describeOnEngines('on Elasticsearch', () => {
  describeRetraction('cluster', openElasticsearchListing);
});
