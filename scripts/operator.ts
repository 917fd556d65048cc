/** `npm run operator`: adds the first operator to the configured database, and restores access if no administrator can. */
import { openDatabase } from '@portal/db/open-database.ts';
import { migrateDatabase } from '@portal/db/migrate-database.ts';
import { requireMigrated } from '../apps/server/src/start/migrate-portal.ts';
import type { Database } from '@portal/db/database.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { OPERATOR_ROLE_NAMES } from '@portal/domain/identity/operator-roles.ts';
import {
  addOperator,
  COMMAND_LINE,
  createEnrolmentLink,
  disableOperator,
  getOperatorIdByEmail,
  renameOperator,
  restartEnrolment,
  setRoles,
} from '../apps/server/src/features/operator-people/operator-accounts.ts';
import { listOperators } from '../apps/server/src/features/operator-people/operator-people-queries.ts';
import { rejectSandboxAddress } from '../apps/server/src/start/reject-sandbox-people.ts';
import { runAsSystem } from '../apps/server/src/run-as-system.ts';
import { parseSettings } from '../apps/server/src/settings.ts';
import { HELP, readOperatorCommand, type OperatorCommand } from './operator/read-operator-command.ts';

const LINK_TTL_MS = 3_600_000;
const deps = { clock: systemClock, wallClock: systemClock };
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(command: OperatorCommand, database: Database, publicUrl: string): Promise<void> {
  const { db } = database;
  if (command.name === 'list') return printOperators(database);
  const token = await db.transaction(async (tx) => {
    const { email } = command;
    if (command.name === 'add') {
      const { roles, fullName, privateEmail = null } = command;
      if (fullName === undefined)
        print('Without --name, their own companies can only be found by their email addresses. Use rename to add it.');
      const userId = await addOperator(deps, tx, COMMAND_LINE, { email, fullName, roles, privateEmail });
      return createEnrolmentLink(deps, tx, userId, LINK_TTL_MS);
    }
    const userId = await getOperatorIdByEmail(tx, email);
    if (command.name === 'role') {
      await setRoles(deps, tx, COMMAND_LINE, userId, command.roles);
      return undefined;
    }
    if (command.name === 'rename') {
      await renameOperator(deps, tx, COMMAND_LINE, userId, command.fullName);
      return undefined;
    }
    if (command.name === 'disable') {
      await disableOperator(deps, tx, COMMAND_LINE, userId);
      return undefined;
    }
    await restartEnrolment(deps, tx, COMMAND_LINE, userId);
    return createEnrolmentLink(deps, tx, userId, LINK_TTL_MS);
  });
  if (token === undefined) return print(`Done: ${command.name} ${command.email}`);
  print(`Open this link within an hour. It works once, and the person who opens it becomes ${command.email}:`);
  print(`${publicUrl}/portal${PAGES.useLink.path}?token=${token}`);
}

async function printOperators(database: Database): Promise<void> {
  const operatorList = await listOperators({ database, clock: systemClock, wallClock: systemClock });
  if (operatorList.length === 0) print('No operators yet. Add one: npm run operator -- add EMAIL --role administrator');
  for (const { email, full_name, status, roles } of operatorList)
    print(`${email}  ${full_name}  ${status}  ${roles.map((role) => OPERATOR_ROLE_NAMES[role].toLowerCase()).join(', ')}`);
}

function fail(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\nnpm run operator -- --help explains the command.\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const command = readOperatorCommand(process.argv.slice(2));
  if (command.name === 'help') return print(HELP);
  const parsed = parseSettings(process.env);
  if (!parsed.ok) return fail(parsed.problems);
  const { settings } = parsed;
  if (command.name === 'add') rejectSandboxAddress(command.email, settings);
  const database = await openDatabase(settings.database, (error) => fail([error.message]));
  try {
    if (database.kind === 'postgres') await requireMigrated(database);
    else await migrateDatabase(database);
    await runAsSystem('command', () => run(command, database, settings.publicUrl));
  } finally {
    await database.close();
  }
}

await main().catch((error: unknown) => fail([error instanceof Error ? error.message : String(error)]));
