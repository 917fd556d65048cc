/** Checks that PostgreSQL meets the portal's requirements. Changes nothing. */
import type { Database } from '@portal/db/database.ts';
import { countMissingMigrations } from '@portal/db/migrate-database.ts';
import { sql } from '@portal/db/sql.ts';
import type { DoctorCheck } from './check-providers.ts';

const MIN_VERSION = 15;
const MAX_CLOCK_DIFFERENCE_SECONDS = 2;
const DAY_MS = 86_400_000;
const MIN_CERTIFICATE_DAYS = 14;

export function listDatabaseChecks(database: Database): DoctorCheck[] {
  return [
    {
      name: 'PostgreSQL’s version',
      fix: `Use PostgreSQL ${MIN_VERSION} or later.`,
      run: async () => {
        const { rows } = await database.db.execute<{ version: number }>(
          sql`select current_setting('server_version_num')::int / 10000 as version`,
        );
        const version = rows[0]?.version ?? 0;
        if (version < MIN_VERSION) throw new Error(`it is version ${version}`);
        return `${version}`;
      },
    },
    {
      name: 'the database’s schema',
      fix: 'Run `npm run migrate`.',
      run: async () => {
        const missingCount = await countMissingMigrations(database);
        if (missingCount > 0) throw new Error(`${missingCount} migrations are missing`);
        return 'matches this version';
      },
    },
    {
      name: 'the database’s clock',
      fix: 'Synchronise both computers with NTP, because sign-in codes and expiry times rely on accurate clocks.',
      run: async () => {
        const { rows } = await database.db.execute<{ seconds: number }>(sql`select extract(epoch from now())::float8 as seconds`);
        const difference = Math.abs((rows[0]?.seconds ?? 0) - Date.now() / 1000);
        if (difference > MAX_CLOCK_DIFFERENCE_SECONDS) throw new Error(`it differs from this computer’s by ${difference.toFixed(1)} s`);
        return 'matches this computer’s clock';
      },
    },
    {
      name: 'the database’s certificate',
      fix: 'Replace it and reload PostgreSQL: no portal can connect once it has ended (docs/operations.md, PortalDatabaseCertificate).',
      run: async () => {
        await database.db.execute(sql`select 1`);
        const end = database.findCertificateEnd();
        if (!end) return 'not known, because the connection doesn’t verify it';
        const text = `on ${end.toISOString().slice(0, 10)}`;
        if (end.getTime() - Date.now() < MIN_CERTIFICATE_DAYS * DAY_MS) throw new Error(`it ends ${text}`);
        return `ends ${text}`;
      },
    },
  ];
}
