/** Names the suites skipped for want of Python after the summary, where it is read; in CI they fail. */
import { whyNoPython } from './python.ts';

export default (): (() => void) => () => {
  const reason = whyNoPython();
  if (reason && !process.env.CI)
    process.stderr.write(
      `Skipped: the suites of the Python client, of the integrations in Python, of LangChain and of a real embedding model, and the documents with Python. ${reason}\n`,
    );
};
