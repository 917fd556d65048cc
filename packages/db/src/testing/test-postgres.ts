/** Temporary databases on the PostgreSQL server named by TEST_DATABASE_URL (`npm test` starts one). */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { applyAccess } from '../access/apply-access.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { getSchemaHash } from './schema-hash.ts';

export function getTestServerUrl(): string | undefined {
  return process.env['TEST_DATABASE_URL'] || undefined;
}

/** `migrated` copies a template created by the first caller; `empty` creates an empty database. */
export async function createTestPostgresDatabase(content: 'migrated' | 'empty'): Promise<{ url: string; drop: () => Promise<void> }> {
  const template = content === 'empty' ? 'template0' : await ensureTemplate();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withServerClient((client) => client.query(`create database ${name} template ${template}`));
  return {
    url: toDatabaseUrl(name),
    drop: async () => {
      await withServerClient((client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

async function ensureTemplate(): Promise<string> {
  const template = `portal_template_${getSchemaHash()}`;
  await withServerClient(async (client) => {
    // The session holds the lock until it ends, so that one test worker creates the template while the rest wait.
    await client.query('select pg_advisory_lock(7301)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount) return;
    const unfinishedDatabase = `${template}_new`;
    await client.query(`drop database if exists ${unfinishedDatabase} with (force)`);
    await client.query(`create database ${unfinishedDatabase} template template0`);
    const database = await openPostgres({ url: toDatabaseUrl(unfinishedDatabase), poolSize: 1, role: 'owner' }, () => undefined);
    await migrateDatabase(database);
    await applyAccess(database);
    await database.close();
    await client.query(`alter database ${unfinishedDatabase} rename to ${template}`);
  });
  return template;
}

async function withServerClient(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: toDatabaseUrl('postgres') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function toDatabaseUrl(database: string): string {
  const url = new URL(getTestServerUrl() ?? '');
  url.pathname = `/${database}`;
  return url.href;
}
