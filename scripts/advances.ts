/**
 * `npm run advances -- --count 10000 --seed 7`: adds generated companies and advances in every state to a stopped sandbox portal, to fill
 * the operators' desk. Once the portal is running again, it processes them like any others.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { migrateDatabase } from '@portal/db/migrate-database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { operators as operatorTable } from '@portal/db/schema/schema.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { addAdvances } from '../apps/server/src/testing/add-advances.ts';

const HELP = `npm run advances -- [--count 10000] [--seed 7] [--data-dir .data]

Adds generated advances to the database of a sandbox portal. Stop the portal first: only one process can open its database.
`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '7' },
    'data-dir': { type: 'string', default: process.env['DATA_DIR'] ?? '.data' },
    help: { type: 'boolean', default: false },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (values.help || !Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 1);
}
const dataDir = resolve(process.env['INIT_CWD'] ?? process.cwd(), values['data-dir']);
const database = await openDatabase({ kind: 'embedded', dataDir }, (error) => {
  throw error;
});
await migrateDatabase(database);
const operators = await database.db.select({ id: operatorTable.userId }).from(operatorTable);
const rows = await addAdvances(database, { count, seed, now: systemClock.now(), operatorIds: operators.map(({ id }) => id) });
for (const [table, addedCount] of Object.entries(rows)) process.stdout.write(`${table}: ${addedCount}\n`);
await database.close();
