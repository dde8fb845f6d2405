import { describeOnEngines } from '../support/engines.ts';
import { describeNames } from './names.contract.ts';
import { openElasticsearchListing, openElasticsearchProjections } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeNames('cluster', openElasticsearchListing, openElasticsearchProjections);
});
