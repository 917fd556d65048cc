/**
 * `npm run doctor`: checks the configuration in the environment before a portal is started with it. Exits with 1 if there are any problems.
 */
import { openDatabase } from '@portal/db/open-database.ts';
import { findSimulated } from '../apps/server/src/check-settings.ts';
import { createAuditHeadsCheck } from '../apps/server/src/doctor/check-audit-heads.ts';
import { listDatabaseChecks } from '../apps/server/src/doctor/check-database.ts';
import { listSealedValueChecks } from '../apps/server/src/doctor/check-sealed-values.ts';
import { listProviderChecks, type DoctorCheck } from '../apps/server/src/doctor/check-providers.ts';
import { findProvidersInUse } from '../apps/server/src/find-real-providers.ts';
import { readSettingValues } from '../apps/server/src/setting-values.ts';
import { parseSettings } from '../apps/server/src/settings.ts';
import { describeInnermost, findAppError } from '../apps/server/src/start/find-app-error.ts';

const HELP = `npm run doctor

Reads the same environment variables as the portal, and checks them: what is missing or contradicts, whether the
database is ready, and whether each provider accepts the credentials. It calls each provider once and changes
nothing. Run it on the computer that will run the portal.

Exit code 0: everything is ready. 1: a line that starts with ✗ says what to do.
`;

let failedCount = 0;

if (process.argv.includes('--help')) process.stdout.write(HELP);
else await runDoctor();

async function runDoctor(): Promise<void> {
  const parsed = parseSettings(process.env);
  const readValues = readSettingValues(process.env);
  if (!parsed.ok || !readValues.ok) {
    for (const problem of parsed.ok ? [] : parsed.problems) fail('settings', problem);
    process.stdout.write('Correct the settings, then run this again: nothing was called.\n');
    process.exitCode = 1;
    return;
  }
  const { real, mixed } = findProvidersInUse(readValues.values);
  pass('settings', real.length === 0 ? 'every provider is on this computer' : `real providers: ${real.join(', ')}`);
  if (mixed.length > 0) pass('settings', `simulated, as every page says: ${mixed.join(', ')}`);
  const { database, paused } = parsed.settings;
  if (paused.size > 0) pass('settings', `stopped on purpose by PAUSED: ${[...paused].join(', ')}`);
  if (database.kind === 'embedded') pass('database', 'the embedded one, for trying out: PostgreSQL is required with a real provider');
  else {
    await runDatabaseChecks(database, parsed.settings.tokenEncryptionKeys);
    // With the embedded database, the file is in the same folder, which the portal creates.
    await runCheck(createAuditHeadsCheck(parsed.settings.auditHeadsFile));
  }
  for (const check of listProviderChecks(readValues.values, findSimulated(readValues.values))) await runCheck(check);
  process.stdout.write(failedCount === 0 ? 'Everything is ready.\n' : `${failedCount} to correct.\n`);
  if (failedCount > 0) process.exitCode = 1;
}

async function runDatabaseChecks(setting: Parameters<typeof openDatabase>[0], tokenKeys: readonly string[] | undefined): Promise<void> {
  const fix = 'Check DATABASE_URL, and that PostgreSQL runs and accepts connections from this computer.';
  await runCheck({
    name: 'the database',
    fix,
    run: async () => {
      const database = await openDatabase(setting, () => undefined);
      for (const check of [...listDatabaseChecks(database), ...listSealedValueChecks(database, tokenKeys)]) await runCheck(check);
      await database.close();
      return 'accepts the connection';
    },
  });
}

async function runCheck({ name, fix, run }: DoctorCheck): Promise<void> {
  try {
    pass(name, await run());
  } catch (error) {
    // Our own message explains the fix, whereas a database's message doesn't.
    fail(name, findAppError(error)?.message ?? `${describeInnermost(error)}. ${fix}`);
  }
}

function pass(name: string, text: string): void {
  process.stdout.write(`✓ ${name}: ${text}\n`);
}

function fail(name: string, text: string): void {
  failedCount += 1;
  process.stdout.write(`✗ ${name}: ${text}\n`);
}
