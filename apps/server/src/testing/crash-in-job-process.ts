/** A process for tests: runs jobs until one of kind `fatal` kills it, as running out of memory would. */
import { migrateDatabase } from '@portal/db/migrate-database.ts';
import { openDatabase } from '@portal/db/open-database.ts';
import { pino } from 'pino';
import { openJobs } from '../jobs/open-jobs.ts';
import { fatalJobs } from './fatal-jobs.ts';

const [, , engine, location = ''] = process.argv;
const setting =
  engine === 'postgres'
    ? ({ kind: 'postgres', url: location, poolSize: 5, role: 'owner' } as const)
    : ({ kind: 'embedded', dataDir: location } as const);
const database = await openDatabase(setting, (error) => {
  throw error;
});
await migrateDatabase(database);
const jobs = await openJobs({ database, table: fatalJobs, logger: pino({ level: 'silent' }) });
const parkedKinds: string[] = [];
await jobs.start(
  {
    fatal: async (_payload, { id, attempt }) => {
      process.stdout.write(`run ${attempt} of ${id}\n`);
      process.kill(process.pid, 'SIGKILL');
    },
    sound: async () => undefined,
  },
  { fatal: async ({ name }) => void parkedKinds.push(name) },
);
while ((await jobs.listFailed(1)).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(`parked ${parkedKinds.join()}\n`);
