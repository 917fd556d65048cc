/** `npm run audit`: checks the audit trail of the configured database for an auditor, or erases values in it for an administrator. */
import type { Database, DatabaseSetting } from '@portal/db/database.ts';
import { countMissingMigrations } from '@portal/db/migrate-database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { parseArgs } from 'node:util';
import { eraseAuditValues, type AuditErasure } from '../apps/server/src/features/audit/erase-audit.ts';
import { loadWrittenHeads } from '../apps/server/src/features/audit/load-written-heads.ts';
import { verifyAudit } from '../apps/server/src/features/audit/verify-audit.ts';
import { readSettingValues } from '../apps/server/src/setting-values.ts';
import { runAsSystem } from '../apps/server/src/run-as-system.ts';
import { parseSettings } from '../apps/server/src/settings.ts';

const HELP = `npm run audit -- verify [--heads FILE]...

Checks every hash chain of the audit trail in the database that npm start uses (DATABASE_URL or DATA_DIR): that no entry
was changed, added or removed, and that the chains still contain what was written outside the database (AUDIT_HEADS_FILE,
and each further file of another instance or an older copy with --heads). An embedded database can be open in one process
only, so stop the portal first.

npm run audit -- erase (--person ID | --company ID) [--early REASON]

Erases the values of the entries about a person or a company: what changed, and from which address. The entries and
their chains stay. The portal does this by itself six years after an account was closed; before that, say why with
--early, which is recorded. On PostgreSQL it needs MIGRATION_DATABASE_URL, the role that owns the tables.

Exit code 0: the trail is whole, or the values are erased. 1: the problems are listed. Without any hash from such a file
verify exits with 1 too: then nothing shows whether entries are missing at the end of a chain.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function fail(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  heads: { type: 'string', multiple: true, default: [] as string[] },
  person: { type: 'string' },
  company: { type: 'string' },
  early: { type: 'string' },
} as const;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  if (values.help) return void process.stdout.write(HELP);
  const [command] = positionals;
  if (positionals.length !== 1 || (command !== 'verify' && command !== 'erase')) return fail([`Say what to do: verify or erase.`, HELP]);
  const parsed = parseSettings(process.env);
  if (!parsed.ok) return fail(parsed.problems);
  const { settings } = parsed;
  if (command === 'verify') return runOnDatabase(settings.database, (database) => verify(database, settings.auditHeadsFile, values.heads));
  const erasure = readErasure(values);
  if (erasure === undefined) return fail(['Name one person or one company by its ID: --person ID or --company ID.']);
  const readValues = readSettingValues(process.env);
  const ownerUrl = readValues.ok ? readValues.values.MIGRATION_DATABASE_URL : undefined;
  await runOnDatabase(getOwnerDatabase(settings.database, ownerUrl), (database) => erase(database, erasure));
}

async function runOnDatabase(setting: DatabaseSetting, work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(setting, (error) => fail([error.message]));
  try {
    if ((await countMissingMigrations(database)) > 0)
      return fail(['The database isn’t this version’s. Run `npm run migrate`, or start the portal once on an embedded one.']);
    await runAsSystem('command', () => work(database));
  } finally {
    await database.close();
  }
}

async function verify(database: Database, auditHeadsFile: string, furtherFiles: readonly string[]): Promise<void> {
  const writtenHeads = await loadWrittenHeads(auditHeadsFile, furtherFiles);
  for (const note of writtenHeads.notes) print(note);
  const { chains, entries, erased, problems } = await verifyAudit(database.db, writtenHeads.heads);
  print(
    `${chains} chains, ${entries} entries (the values of ${erased} erased), compared with ${writtenHeads.heads.length} hashes from outside the database.`,
  );
  const foundProblems = problems.map(({ companyId, sequence, problem }) => `company ${companyId}, entry ${sequence}: ${problem}`);
  if (foundProblems.length + writtenHeads.problems.length > 0) return fail([...foundProblems, ...writtenHeads.problems]);
  print('The audit trail is whole.');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readErasure({ person, company, early }: { person?: string; company?: string; early?: string }): AuditErasure | undefined {
  const id = person ?? company;
  if (id === undefined || (person !== undefined && company !== undefined) || !UUID.test(id)) return undefined;
  return { kind: person === undefined ? 'company' : 'person', id: id.toLowerCase(), earlyBecause: early?.trim() || undefined };
}

/** The portal's own roles may only add entries. */
function getOwnerDatabase(setting: DatabaseSetting, ownerUrl: string | undefined): DatabaseSetting {
  if (setting.kind === 'embedded') return setting;
  return { ...setting, url: ownerUrl ?? setting.url, role: 'owner' };
}

async function erase(database: Database, erasure: AuditErasure): Promise<void> {
  const { erased, notErasable } = await eraseAuditValues(database.db, systemClock, erasure);
  print(`The values of ${erased} entries were erased. Check the trail with npm run audit -- verify.`);
  if (notErasable > 0) print(`${notErasable} older entries have no digest of their values, so erasing them would break their chain.`);
}

await main().catch((error: unknown) => fail([error instanceof Error ? error.message : String(error)]));
