/** Runs the command against the real portal and simulators, and compares its figures with `npm run boxes`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestPostgresDatabase, testServerUrl } from '@portal/db/testing/test-postgres.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorld, type World } from './chaos/world.ts';
import { writeSampleBooks } from './smoke/sample-books.ts';
import { runCommand } from './testing/run-command.ts';

const HEADER = 'date,kind,reference,counterparty,description,net,vat,treatment';
let world: World;
let folder = '';
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-smoke-'));
  const database = testServerUrl() === undefined ? undefined : await createTestPostgresDatabase('empty');
  world = await openWorld(database?.url);
  if (database) dropDatabase = database.drop;
}, 120_000);

afterAll(async () => {
  await world.close();
  await dropDatabase();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

function keepFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const run = (script: string, given: readonly string[]) => runCommand(process.execPath, [join(import.meta.dirname, script), ...given]);
const smoke = (file: string) => run('smoke.ts', ['--file', file, '--url', world.site.portalUrl]);
const lineOf = (output: string, stage: string) => output.split('\n').find((line) => line.startsWith(stage)) ?? '';

describe('npm run smoke', () => {
  it('takes a trader to settlement, with the same boxes as npm run boxes', async () => {
    const file = keepFile('books.csv', writeSampleBooks(plainDate('2024-12-01')));
    const { exitCode, output } = await smoke(file);
    expect(output).not.toContain('NOT REACHED');
    expect(exitCode).toBe(0);
    const { output: answer } = await run('boxes.ts', [file, '--from', '2024-12-01', '--to', '2025-02-28']);
    const { boxes, direction } = JSON.parse(answer) as { boxes: Record<string, string | number>; direction: string };
    const told = Object.entries(boxes).map(([box, value]) => `${box} ${value}`);
    expect(lineOf(output, 'VAT return')).toContain(`${told.join('  ')}  ${direction}`);
    expect(lineOf(output, 'clock')).toContain('2025-03-10');
    expect(lineOf(output, 'quote')).toContain('refund £31,934.23, fee £319.34, net £31,614.89');
    expect(lineOf(output, 'fraud headers')).not.toContain('wrong or missing');
    expect(lineOf(output, 'release')).toContain('olga@operator.example and omar@operator.example');
    expect(lineOf(output, 'ledger')).toContain('difference £0.00');
    expect(lineOf(output, 'exactly once')).toContain('1 return at HMRC, 1 payout at the bank');
  }, 90_000);

  // Tests of the command's own messages need only one database engine.
  if (testServerUrl() === undefined) {
    it('stops at an invalid file and names the line', async () => {
      const { exitCode, output } = await smoke(
        keepFile(
          'bad.csv',
          `${HEADER}\n2026-01-05,sale,S1,Acme,Goods,10.00,2.00,standard\n2026-01-06,sale,S2,Acme,Goods,ten,2.00,standard\n`,
        ),
      );
      expect(exitCode).toBe(1);
      expect(lineOf(output, 'books')).toMatch(/NOT REACHED: the file is refused: line 3, net: /);
    }, 30_000);

    it('stops when there is no refund to advance', async () => {
      const { exitCode, output } = await smoke(keepFile('owing.csv', `${HEADER}\n2026-01-05,sale,S1,Acme,Goods,10.00,2.00,standard\n`));
      expect(exitCode).toBe(1);
      expect(output.trimEnd().split('\n').at(-1)).toMatch(/^quote .*NOT REACHED: .*no refund to buy/);
    }, 60_000);

    it('reports that the portal cannot be reached', async () => {
      const { exitCode, output } = await run('smoke.ts', ['--url', 'http://localhost:4999']);
      expect(exitCode).toBe(1);
      expect(lineOf(output, 'portal')).toMatch(/NOT REACHED: (nothing answers there|no connection)/);
    }, 30_000);
  }
});
