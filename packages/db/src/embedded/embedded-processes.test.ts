/**
 * Tests that need real processes: the lock on the folder, and recovery after a kill. They apply only to the embedded engine, so they run
 * once.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from '../sql.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';

const writerScript = fileURLToPath(new URL('../testing/write-until-killed.ts', import.meta.url));

type Writer = {
  readonly process: ChildProcess;
  readonly getLastAcknowledged: () => number;
  readonly ended: Promise<unknown>;
  waitForAcknowledgement(number: number): Promise<void>;
};

let fresh: string;
let folder: string;
let runningWriters: Writer[] = [];

beforeAll(async () => {
  fresh = mkdtempSync(join(tmpdir(), 'portal-embedded-fresh-'));
  // A killed start leaves this folder behind.
  mkdirSync(join(fresh, 'database.new-1', 'base'), { recursive: true });
  await (await open(fresh)).close();
});
afterAll(() => rmSync(fresh, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-embedded-'));
  // Copying is faster than creating a database, which would take seconds.
  cpSync(fresh, folder, { recursive: true });
});
afterEach(async () => {
  for (const child of runningWriters) child.process.kill('SIGKILL');
  await Promise.all(runningWriters.map((child) => child.ended));
  runningWriters = [];
  rmSync(folder, { recursive: true, force: true });
});

function startWriter(): Writer {
  const child = spawn(process.execPath, [writerScript, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // Only a complete line counts as an acknowledgement.
  const getLastAcknowledged = (): number => Number(text.slice(0, text.lastIndexOf('\n') + 1).match(/(\d+)\n$/)?.[1] ?? 0);
  const exitPromise = new Promise((resolve) => child.once('close', resolve));
  const waitForAcknowledgement = async (number: number): Promise<void> => {
    while (getLastAcknowledged() < number) {
      if (child.exitCode !== null) throw new Error(`the writer ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const startedWriter: Writer = { process: child, getLastAcknowledged, ended: exitPromise, waitForAcknowledgement };
  runningWriters.push(startedWriter);
  return startedWriter;
}

function open(dataDir = folder): Promise<Database> {
  return openDatabase({ kind: 'embedded', dataDir }, (error) => {
    throw error;
  });
}

describe('an embedded database in a folder', () => {
  it('is created completely or not at all, and removes what a killed start left', () => {
    expect(readdirSync(fresh).filter((name) => name.startsWith('database'))).toEqual(['database']);
    expect(existsSync(join(fresh, 'database', 'PG_VERSION'))).toBe(true);
  });

  it('rejects a second process, naming the folder and the process that holds it, until the first is killed', async () => {
    const first = startWriter();
    await first.waitForAcknowledgement(1);
    await expect(open()).rejects.toThrow(`The data folder ${folder} is in use by another process (${first.process.pid}).`);
    first.process.kill('SIGKILL');
    await first.ended;
    const database = await open();
    await database.close();
  });

  it('rejects a second open in the same process', async () => {
    const database = await open();
    await expect(open()).rejects.toThrow(/is in use/);
    await database.close();
    await (await open()).close();
  });

  it('keeps every acknowledged row when its process is killed repeatedly', async () => {
    let last = 0;
    for (const round of [1, 2, 3, 4]) {
      const firstWriter = startWriter();
      await firstWriter.waitForAcknowledgement(last + 20 * round);
      firstWriter.process.kill('SIGKILL');
      await firstWriter.ended;
      last = firstWriter.getLastAcknowledged();
      const database = await open();
      const { rows } = await database.db.execute<{ most: number; many: number; half: number }>(
        sql`select max(number) as most, count(*) as many, count(*) filter (where padding not like 'y%') as half from written`,
      );
      await database.close();
      // The last row may have been committed before its acknowledgement was printed.
      expect([last, last + 1]).toContain(rows[0]?.most);
      expect(rows[0]).toMatchObject({ many: rows[0]?.most, half: 0 });
      last = rows[0]?.most ?? 0;
    }
  });
});
