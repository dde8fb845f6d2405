import { ServiceError } from '../../../core/errors.ts';
import type { OperatorCalls } from '../../../core/operator/calls.ts';
import { fileLines } from '../../../core/operator/file-lines.ts';
import type { ImportMessage } from '../../../core/operator/transfer.ts';
import { checkFile } from './check.ts';
import { type ExportPorts, makeExport } from './export.ts';
import { type ImportPorts, makeImport } from './import.ts';

export interface TransferPorts extends Omit<ExportPorts, 'log'>, ImportPorts {
  organizations: () => Promise<readonly { org_id: string }[]>;
  /** To be awaited before the first append. */
  keepInUse: (org: string) => Promise<void>;
}

/** The calls `export` and `import`. */
export const transferCalls = (ports: TransferPorts): OperatorCalls<'export' | 'import'> => {
  const exported = makeExport(ports);
  const imported = makeImport(ports);
  const assertOrganization = async (org: string): Promise<void> => {
    const known = await ports.organizations();
    if (!known.some(({ org_id }) => org_id === org))
      throw new ServiceError(
        'not_found',
        `There is no organization ${org}: create it with turnstone orgs create ${org}.`,
      );
  };

  return {
    export: async function* (args, signal) {
      const org = String(args.org);
      await assertOrganization(org);
      for await (const lines of exported(org, signal)) for (const line of lines) yield JSON.parse(line);
    },
    import: async function* (args, signal): AsyncGenerator<ImportMessage> {
      const path = String(args.path);
      const open = () => fileLines(path);
      const { header, events, turns, enriched, embedded, faults, omitted } = await checkFile(open()).catch(
        error => {
          const { code } = error as NodeJS.ErrnoException;
          if (code === undefined) throw error;
          throw new ServiceError('invalid', `The file can't be read: ${code}.`, { cause: error });
        },
      );
      if (faults.length > 0 || !header) {
        yield { kind: 'faults', faults, omitted };
        return;
      }
      const from = header.org_id;
      const org = args.org === undefined ? from : String(args.org);
      await assertOrganization(org);
      const dryRun = args.dryRun === true;
      yield { kind: 'checked', from, org, events, turns, dryRun };
      if (dryRun) return;
      await ports.keepInUse(org);
      let last = { events: 0, written: 0, known: 0 };
      for await (const progress of imported(open, { from, org, enriched, embedded }, signal)) {
        last = progress;
        yield { kind: 'progress', total: events, ...progress };
      }
      yield { kind: 'imported', ...last };
    },
  };
};
