/** `npm run audit`: checks the audit trail of the configured database, for an auditor. Changes nothing. */
import { countMissingMigrations } from '@portal/db/migrate-database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { parseArgs } from 'node:util';
import { existsSync } from 'node:fs';
import { readAuditHeads, type WrittenHead } from '../apps/server/src/features/audit/audit-heads.ts';
import { verifyAudit } from '../apps/server/src/features/audit/verify-audit.ts';
import { runAsSystem } from '../apps/server/src/run-as-system.ts';
import { parseSettings } from '../apps/server/src/settings.ts';

const HELP = `npm run audit -- verify [--heads FILE]...

Checks every hash chain of the audit trail in the database that npm start uses (DATABASE_URL or DATA_DIR): that no entry
was changed, added or removed, and that the chains still contain what was written outside the database (AUDIT_HEADS_FILE,
and each further file of another instance or an older copy with --heads). An embedded database can be open in one process
only, so stop the portal first.

Exit code 0: the trail is whole. 1: the problems are listed.
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
  const files = [...(existsSync(auditHeadsFile) ? [auditHeadsFile] : []), ...values.heads];
  const written: WrittenHead[] = [];
  for (const file of files) {
    const { heads, unreadable } = await readAuditHeads(file);
    written.push(...heads);
    if (unreadable.length > 0) print(`${file}: no hash in line ${unreadable.join(', ')} (cut off or changed).`);
  }
  const database = await openDatabase(setting, (error) => fail([error.message]));
  try {
    if ((await countMissingMigrations(database)) > 0)
      return fail(['The database isn’t this version’s. Run `npm run migrate`, or start the portal once on an embedded one.']);
    const { chains, entries, erased, problems } = await runAsSystem('command', () => verifyAudit(database.db, written));
    print(
      `${chains} chains, ${entries} entries (the values of ${erased} erased), compared with ${written.length} hashes from ${files.length} files.`,
    );
    if (problems.length === 0) return print('The audit trail is whole.');
    fail(problems.map(({ companyId, sequence, problem }) => `company ${companyId}, entry ${sequence}: ${problem}`));
  } finally {
    await database.close();
  }
}

await main().catch((error: unknown) => fail([error instanceof Error ? error.message : String(error)]));
