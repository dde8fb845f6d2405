/** Names the suites skipped for want of Prometheus' tools after the summary, where it is read. */
import { whyNo } from './promtool.ts';

export default (): (() => void) => () => {
  const reason = whyNo('promtool');
  if (reason)
    process.stderr.write(`Skipped: the tests of the alert rules and of the dashboards. ${reason}\n`);
};
