/** The portal knows when the certificate of a PostgreSQL with TLS ends, before no connection works any more. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDatabaseChecks } from '../apps/server/src/doctor/check-database.ts';
import { openPostgres } from '@portal/db/postgres/open-postgres.ts';
import { migrateDatabase } from '@portal/db/migrate-database.ts';
import { sql } from '@portal/db/sql.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPostgresBinaries, getUnprivilegedOwner, startPostgres, type TestServer } from './testing/start-postgres.ts';

const DAY_MS = 86_400_000;
const binaries = findPostgresBinaries();

describe.skipIf(binaries === undefined)('a database whose certificate ends', () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portal-certificate-'));
    chmodSync(folder, 0o755);
    server = await startPostgres(binaries ?? '');
  });
  afterAll(() => {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const CERTIFICATE_DAYS = [30, 10] as const;
  const toPath = (name: string | number, kind: 'key' | 'crt') => join(folder, `${name}.${kind}`);

  /** Makes certificates that sign themselves, and a file with all of them, which the portal trusts. */
  function createCertificates(): void {
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    for (const days of CERTIFICATE_DAYS) {
      const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...name];
      const files = ['-keyout', toPath(days, 'key'), '-out', toPath(days, 'crt')];
      execFileSync('openssl', [...request, '-days', String(days), ...files], { stdio: 'ignore' });
      const owner = getUnprivilegedOwner();
      if (owner) chownSync(toPath(days, 'key'), owner.uid, owner.gid);
    }
    writeFileSync(toPath('trusted', 'crt'), CERTIFICATE_DAYS.map((days) => readFileSync(toPath(days, 'crt'), 'utf8')).join(''));
  }

  async function useCertificate(days: (typeof CERTIFICATE_DAYS)[number]): Promise<void> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(`alter system set ssl_cert_file = '${toPath(days, 'crt')}'`);
    await client.query(`alter system set ssl_key_file = '${toPath(days, 'key')}'`);
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
    await client.end();
  }

  it('is read from each new connection, and the doctor says so in the last two weeks', async () => {
    createCertificates();
    await useCertificate(30);
    const url = new URL(server.url);
    url.hostname = 'localhost';
    url.search = `?sslmode=verify-full&sslrootcert=${toPath('trusted', 'crt')}`;
    const database = await openPostgres({ url: url.href, poolSize: 1, role: 'owner' }, () => undefined);
    try {
      await migrateDatabase(database);
      const check = listDatabaseChecks(database).find(({ name }) => name === 'the database’s certificate');
      const readDaysLeft = async () => {
        await database.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => undefined);
        await database.db.execute(sql`select 1`);
        return Math.round(((database.findCertificateEnd()?.getTime() ?? NaN) - Date.now()) / DAY_MS);
      };
      await vi.waitFor(async () => expect(await readDaysLeft()).toBe(30), { timeout: 20_000, interval: 200 });
      expect(await check?.run()).toMatch(/^ends on 2/);
      await useCertificate(10);
      await vi.waitFor(async () => expect(await readDaysLeft()).toBe(10), { timeout: 20_000, interval: 200 });
      await expect(check?.run()).rejects.toThrow(/^it ends on 2/);
    } finally {
      await database.close();
    }
  });
});
