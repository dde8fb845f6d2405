import type { AddCommand } from './command.ts';
import { addCorrect } from './correct.ts';
import { addDeadLetters } from './dead-letters.ts';
import { addErase } from './erase.ts';
import { addExport } from './export.ts';
import { addFacts } from './facts.ts';
import { addForget } from './forget.ts';
import { addGenerations } from './generations.ts';
import { addImport } from './import.ts';
import { addIngest } from './ingest.ts';
import { addInstallationKeys } from './installation-keys.ts';
import { addKeys } from './keys.ts';
import { addMcp } from './mcp.ts';
import { addNames } from './names.ts';
import { addOrganizations } from './organizations.ts';
import { addRecall } from './recall.ts';
import { addReceipt } from './receipt.ts';
import { addSay } from './say.ts';
import { addServer } from './server.ts';
import { addSigningKeys } from './signing-keys.ts';
import { addStatement } from './statement.ts';
import { addUsage } from './usage.ts';
import { addVerify } from './verify.ts';

/** All commands in the order of `turnstone --help`. */
export const ALL_COMMANDS: readonly AddCommand[] = [
  addServer,
  addOrganizations,
  addIngest,
  addRecall,
  addReceipt,
  addFacts,
  addNames,
  addSay,
  addCorrect,
  addForget,
  addErase,
  addUsage,
  addStatement,
  addMcp,
  addKeys,
  addSigningKeys,
  addInstallationKeys,
  addDeadLetters,
  addVerify,
  addImport,
  addExport,
  addGenerations,
];
