import type { AddCommand } from './command.ts';
import { addCompletion } from './completion-command.ts';
import { addAudit } from './data/audit-command.ts';
import { addExport } from './data/export-command.ts';
import { addImport } from './data/import-command.ts';
import { addIngest } from './data/ingest-command.ts';
import { addStatement } from './data/statement-command.ts';
import { addUsage } from './data/usage-command.ts';
import { addWebhooks } from './data/webhooks-command.ts';
import { addMcp } from './mcp-command.ts';
import { addCorrect } from './memory/correct-command.ts';
import { addErase } from './memory/erase-command.ts';
import { addFacts } from './memory/facts-command.ts';
import { addFeedback } from './memory/feedback-command.ts';
import { addForget } from './memory/forget-command.ts';
import { addSessions, addStats, addTail, addUsers } from './memory/list-commands.ts';
import { addNames } from './memory/names-command.ts';
import { addRecall } from './memory/recall-command.ts';
import { addReceipt } from './memory/receipt-command.ts';
import { addSay } from './memory/say-command.ts';
import { addBackup, addRestore } from './operator/backup-commands.ts';
import { addDeadLetters } from './operator/dead-letters-command.ts';
import { addGenerations } from './operator/generations-command.ts';
import { addInstallationKeys } from './operator/installation-keys-command.ts';
import { addKeys } from './operator/keys-command.ts';
import { addOrganizations } from './operator/organizations-command.ts';
import { addRemovals } from './operator/removals-command.ts';
import { addSigningKeys } from './operator/signing-keys-command.ts';
import { addVerify } from './operator/verify-command.ts';
import { addServer } from './server-command.ts';

/** All commands in the order of `turnstone --help`. */
export const ALL_COMMANDS: readonly AddCommand[] = [
  addServer,
  addOrganizations,
  addIngest,
  addRecall,
  addReceipt,
  addFeedback,
  addUsers,
  addSessions,
  addTail,
  addFacts,
  addNames,
  addSay,
  addCorrect,
  addForget,
  addErase,
  addStats,
  addUsage,
  addStatement,
  addAudit,
  addMcp,
  addKeys,
  addWebhooks,
  addSigningKeys,
  addInstallationKeys,
  addDeadLetters,
  addVerify,
  addBackup,
  addRestore,
  addRemovals,
  addImport,
  addExport,
  addGenerations,
  addCompletion,
];
