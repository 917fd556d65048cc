import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runExample, TOPICS } from './run-examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'examples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const validExample = { id: 'a', topic: 'tax_year_label', input: { date: '2026-04-05' }, expected: { label: '2025-26' } };
const scriptFile = join(import.meta.dirname, 'run-examples.ts');

function writeExamples(content: unknown): string {
  const file = join(folder, 'examples.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

describe('the examples command', () => {
  it('passes every published example', () => {
    const file = join(import.meta.dirname, 'examples/published-examples.json');
    expect(execFileSync(process.execPath, [scriptFile, file], { encoding: 'utf8' })).toBe('86 passed, 0 failed, 0 skipped\n');
  });

  it('passes matching examples, skips unknown topics, and ends with the counts', () => {
    const output = execFileSync(process.execPath, [scriptFile, writeExamples([validExample, { ...validExample, topic: 'stamp_duty' }])], {
      encoding: 'utf8',
    });
    expect(output.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed, 1 skipped');
  });

  it('prints the example, the topic, the expected and the actual value, and exits 1', () => {
    const run = spawnSync(
      process.execPath,
      [scriptFile, writeExamples([{ ...validExample, id: undefined, expected: { label: '2026-27' } }])],
      {
        encoding: 'utf8',
      },
    );
    expect(run.stdout).toBe('#0 tax_year_label: label: expected "2026-27", got "2025-26"\n0 passed, 1 failed, 0 skipped\n');
    expect(run.status).toBe(1);
  });

  it.each(['no JSON', '{}', '7'])('reports that a file with %s contains no examples, and exits 1', (content) => {
    const run = spawnSync(process.execPath, [scriptFile, writeExamples(content)], { encoding: 'utf8' });
    expect([run.status, run.stderr.startsWith('These examples could not be run: ')]).toEqual([1, true]);
  });
});

describe('one example', () => {
  it('compares amounts as money, and only the expected keys', () => {
    const input = { frequency: 'monthly', returns: [{ due: '2025-03-07', received: '2025-03-09' }], as_of: '2025-05-01' };
    const run = (expected: object) => runExample({ topic: 'vat_late_submission_points', input, expected }, 0).state;
    expect([run({ penalty_amount: '0' }), run({ penalty_amount: '0.00', points: 1 }), run({ points: 2 }), run({ colour: 'red' })]).toEqual(
      'passed passed failed failed'.split(' '),
    );
  });

  it('reads the kind of company from the question, numbers as text, and a missing box as zero', () => {
    const listDates = (question: string) =>
      runExample(
        { topic: 'ct_instalments', input: { start: '2025-01-01', end: '2025-03-31', question }, expected: { dates: ['2025-07-14'] } },
        0,
      ).state;
    expect([listDates('large'), listDates('not very large'), listDates('very large')]).toEqual(['passed', 'passed', 'failed']);
    const runStateExample = (topic: string, input: object, expected: object) => runExample({ topic, input, expected }, 0).state;
    expect(runStateExample('utr', { utr: '1097172564' }, { expected_first_digit: 1 })).toBe('passed');
    expect(runStateExample('vat_nine_box', { box1: '10', box4: '4.00' }, { box5: '6.00', direction: 'payment' })).toBe('passed');
    expect(runStateExample('vrn', { vrn: 'GB 123 4567 89' }, { valid: false, normalised: '123456789' })).toBe('passed');
  });

  it('never throws, whatever the input', () => {
    const values = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constantFrom('2199-12-31', '1900-01-01', '2026-02-30', '2190-91', '99999999999.99', 'quarterly', '961PX'),
    );
    const names = `amount as_of cap date deadline delivered due end filed filing_date frequency incorporated last9 late_amounts liability missed_due month n
      number paid payments period_end period_start quarter rate reference repaid returns stagger start tax tax_year update utr vat_due vrn year year_end
      period_number nino poa_paid return_due return_filed`;
    const keys = fc.constantFrom(...names.split(/\s+/));
    const inputs = fc.dictionary(keys, fc.oneof(values, fc.array(fc.oneof(values, fc.dictionary(keys, values)), { maxLength: 3 })), {
      maxKeys: 12,
    });
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(TOPICS)), inputs, (topic, input) => {
        const outcome = runExample({ topic, input, expected: { nothing: 'at all' } }, 0);
        return outcome.state === 'failed' && outcome.lines.length > 0;
      }),
      { numRuns: 3_000 },
    );
    for (const invalidExample of [
      null,
      7,
      'text',
      [],
      { topic: 'vrn' },
      { topic: 'vrn', input: [], expected: {} },
      { topic: '__proto__' },
      { topic: 'toString' },
    ]) {
      expect(['failed', 'skipped']).toContain(runExample(invalidExample, 0).state);
    }
  });
});
