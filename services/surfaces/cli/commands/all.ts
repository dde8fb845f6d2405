import type { AddCommand } from './command.ts';
import { addExport } from './data/export.ts';
import { addImport } from './data/import.ts';
import { addIngest } from './data/ingest.ts';
import { addStatement } from './data/statement.ts';
import { addUsage } from './data/usage.ts';
import { addMcp } from './mcp.ts';
import { addCorrect } from './memory/correct.ts';
import { addErase } from './memory/erase.ts';
import { addFacts } from './memory/facts.ts';
import { addForget } from './memory/forget.ts';
import { addNames } from './memory/names.ts';
import { addRecall } from './memory/recall.ts';
import { addReceipt } from './memory/receipt.ts';
import { addSay } from './memory/say.ts';
import { addDeadLetters } from './operator/dead-letters.ts';
import { addGenerations } from './operator/generations.ts';
import { addInstallationKeys } from './operator/installation-keys.ts';
import { addKeys } from './operator/keys.ts';
import { addOrganizations } from './operator/organizations.ts';
import { addSigningKeys } from './operator/signing-keys.ts';
import { addVerify } from './operator/verify.ts';
import { addServer } from './server.ts';

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
