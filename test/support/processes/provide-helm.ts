/** Names the suite skipped for want of helm after the summary, where it is read. */
import { whyNoHelm } from './helm.ts';

export default (): (() => void) => () => {
  const reason = whyNoHelm();
  if (reason)
    process.stderr.write(`Skipped: what helm makes of the chart (test/unit/infra/helm). ${reason}\n`);
};
