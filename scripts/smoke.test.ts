/** Runs the command against the real portal and simulators, and compares its figures with `npm run boxes`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTestServerUrl } from '@portal/db/testing/test-postgres.ts';
import { createPortalDatabase } from '../apps/server/src/testing/create-portal-database.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFilingTestBed, type FilingTestBed } from './chaos/filing-test-bed.ts';
import { writeSampleBooks } from './smoke/sample-books.ts';
import { runCommand } from './testing/run-command.ts';

const HEADER = 'date,kind,reference,counterparty,description,net,vat,treatment';
let testBed: FilingTestBed;
let folder = '';
let dropDatabase: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portal-smoke-'));
  const database = getTestServerUrl() === undefined ? undefined : await createPortalDatabase();
  testBed = await openFilingTestBed(database?.url);
  if (database) dropDatabase = database.drop;
}, 120_000);

afterAll(async () => {
  await testBed.close();
  await dropDatabase();
  rmSync(folder, { recursive: true, force: true });
}, 30_000);

function writeBooks(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const run = (script: string, args: readonly string[]) => runCommand(process.execPath, [join(import.meta.dirname, script), ...args]);
const runSmoke = (file: string) => run('smoke.ts', ['--file', file, '--url', testBed.site.portalUrl]);
const findLine = (output: string, stage: string) => output.split('\n').find((line) => line.startsWith(stage)) ?? '';

describe('npm run smoke', () => {
  it('takes an advance to settlement, with the same boxes as npm run boxes', async () => {
    const file = writeBooks('books.csv', writeSampleBooks(plainDate('2024-12-01')));
    const { exitCode, output } = await runSmoke(file);
    expect(output).not.toContain('NOT REACHED');
    expect(exitCode).toBe(0);
    const { output: boxesOutput } = await run('boxes.ts', [file, '--from', '2024-12-01', '--to', '2025-02-28']);
    const { boxes, direction } = JSON.parse(boxesOutput) as { boxes: Record<string, string | number>; direction: string };
    const boxTexts = Object.entries(boxes).map(([box, value]) => `${box} ${value}`);
    expect(findLine(output, 'VAT return')).toContain(`${boxTexts.join('  ')}  ${direction}`);
    expect(findLine(output, 'clock')).toContain('2025-03-10');
    expect(findLine(output, 'quote')).toContain('refund £31,934.23, fee £319.34, net £31,614.89');
    expect(findLine(output, 'fraud headers')).not.toContain('wrong or missing');
    expect(findLine(output, 'release')).toContain('omar@operator.example and otis@operator.example');
    expect(findLine(output, 'ledger')).toContain('difference £0.00');
    expect(findLine(output, 'exactly once')).toContain('1 return at HMRC, 1 payout at the bank');
  }, 90_000);

  // Tests of the command's own messages need only one database engine.
  if (getTestServerUrl() === undefined) {
    it('stops at an invalid file and names the line', async () => {
      const { exitCode, output } = await runSmoke(
        writeBooks(
          'bad.csv',
          `${HEADER}\n2026-01-05,sale,S1,Acme,Goods,10.00,2.00,standard\n2026-01-06,sale,S2,Acme,Goods,ten,2.00,standard\n`,
        ),
      );
      expect(exitCode).toBe(1);
      expect(findLine(output, 'books')).toMatch(/NOT REACHED: the file was rejected: line 3, net: /);
    }, 30_000);

    it('stops when there is no refund to advance', async () => {
      const { exitCode, output } = await runSmoke(
        writeBooks('owing.csv', `${HEADER}\n2026-01-05,sale,S1,Acme,Goods,10.00,2.00,standard\n`),
      );
      expect(exitCode).toBe(1);
      expect(output.trimEnd().split('\n').at(-1)).toMatch(/^quote .*NOT REACHED: .*no refund to advance/);
    }, 60_000);

    it('reports that the portal cannot be reached', async () => {
      const { exitCode, output } = await run('smoke.ts', ['--url', 'http://localhost:4999']);
      expect(exitCode).toBe(1);
      expect(findLine(output, 'portal')).toMatch(/NOT REACHED: (nothing is running there|no connection)/);
    }, 30_000);
  }
});
