/** Opens the database through PgBouncer. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '@portal/db/postgres/open-postgres.ts';
import { createTestPostgresDatabase } from '@portal/db/testing/test-postgres.ts';
import { findFreePort } from '@portal/sandbox/testing/find-free-port.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findProgram, installOnDebian } from './testing/debian.ts';
import { getUnprivilegedOwner } from './testing/start-postgres.ts';

const names = ['pgbouncer', '/usr/sbin/pgbouncer'];
const pgbouncerPath = findProgram(names) ?? ((await installOnDebian('pgbouncer')) ? findProgram(names) : undefined);

describe.skipIf(pgbouncerPath === undefined)('a database behind PgBouncer', () => {
  let folder: string;
  let url: string;
  let drop: () => Promise<void>;
  let pooler: ChildProcess | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portal-pooler-'));
    chmodSync(folder, 0o755);
    ({ url, drop } = await createTestPostgresDatabase('migrated'));
  });
  afterEach(async () => {
    if (pooler?.exitCode !== null) return;
    pooler.kill('SIGKILL');
    await once(pooler, 'exit');
  });
  afterAll(async () => {
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function startPooler(mode: string): Promise<string> {
    const { hostname, port: serverPort, pathname, username } = new URL(url);
    const port = await findFreePort();
    const config = join(folder, `${mode}.ini`);
    const database = `portal = host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} user=${username}`;
    const settings = [`listen_port = ${port}`, 'listen_addr = 127.0.0.1', 'unix_socket_dir =', 'auth_type = any', `pool_mode = ${mode}`];
    writeFileSync(config, `[databases]\n${database}\n[pgbouncer]\n${settings.join('\n')}\n`);
    pooler = spawn(pgbouncerPath ?? '', [config], { ...getUnprivilegedOwner(), stdio: 'ignore' });
    const pooledUrl = `postgres://portal@127.0.0.1:${port}/portal`;
    await vi.waitFor(async () => {
      const client = new pg.Client({ connectionString: pooledUrl });
      try {
        await client.connect();
      } finally {
        await client.end();
      }
    });
    return pooledUrl;
  }

  it('isn’t opened if sessions are shared, because the tenant of a connection belongs to its session', async () => {
    const pooledUrl = await startPooler('transaction');
    await expect(openPostgres({ url: pooledUrl, poolSize: 2 }, () => undefined)).rejects.toMatchObject({
      code: 'database.sessions_shared',
      message: expect.stringContaining('pool_mode = session'),
    });
  });

  it('is opened if each connection keeps its session', async () => {
    const database = await openPostgres({ url: await startPooler('session'), poolSize: 2 }, () => undefined);
    expect((await database.executeSql('select current_user as role')).rows).toEqual([{ role: 'portal_runtime' }]);
    await database.close();
  });
});
