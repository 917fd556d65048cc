/** `npm run audit`: checks the audit trail of the configured database, for an auditor. Changes nothing. */
import { countMissingMigrations } from '@portal/db/migrate-database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { parseArgs } from 'node:util';
import { loadWrittenHeads } from '../apps/server/src/features/audit/load-written-heads.ts';
import { verifyAudit } from '../apps/server/src/features/audit/verify-audit.ts';
import { runAsSystem } from '../apps/server/src/run-as-system.ts';
import { parseSettings } from '../apps/server/src/settings.ts';

const HELP = `npm run audit -- verify [--heads FILE]...

Checks every hash chain of the audit trail in the database that npm start uses (DATABASE_URL or DATA_DIR): that no entry
was changed, added or removed, and that the chains still contain what was written outside the database (AUDIT_HEADS_FILE,
and each further file of another instance or an older copy with --heads). An embedded database can be open in one process
only, so stop the portal first.

Exit code 0: the trail is whole. 1: the problems are listed. Without any hash from such a file it's 1 too: then nothing
shows whether entries are missing at the end of a chain.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function fail(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h', default: false }, heads: { type: 'string', multiple: true, default: [] } },
  });
  if (values.help) return void process.stdout.write(HELP);
  if (positionals.length !== 1 || positionals[0] !== 'verify') return fail([`Say what to do: verify.`, HELP]);
  const parsed = parseSettings(process.env);
  if (!parsed.ok) return fail(parsed.problems);
  const { auditHeadsFile, database: setting } = parsed.settings;
  const written = await loadWrittenHeads(auditHeadsFile, values.heads);
  for (const note of written.notes) print(note);
  const database = await openDatabase(setting, (error) => fail([error.message]));
  try {
    if ((await countMissingMigrations(database)) > 0)
      return fail(['The database isn’t this version’s. Run `npm run migrate`, or start the portal once on an embedded one.']);
    const { chains, entries, erased, problems } = await runAsSystem('command', () => verifyAudit(database.db, written.heads));
    print(
      `${chains} chains, ${entries} entries (the values of ${erased} erased), compared with ${written.heads.length} hashes from outside the database.`,
    );
    const found = problems.map(({ companyId, sequence, problem }) => `company ${companyId}, entry ${sequence}: ${problem}`);
    if (found.length + written.problems.length > 0) return fail([...found, ...written.problems]);
    print('The audit trail is whole.');
  } finally {
    await database.close();
  }
}

await main().catch((error: unknown) => fail([error instanceof Error ? error.message : String(error)]));
