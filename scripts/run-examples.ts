/** `npm run examples -- FILE.json`: runs worked examples of the tax rules, prints each mismatch, and exits with 1 if there are any. */
import { readFile } from 'node:fs/promises';
import { CALENDAR_TOPICS } from './examples/calendar-topics.ts';
import { COMPANY_TOPICS } from './examples/company-topics.ts';
import { compareResult } from './examples/compare-result.ts';
import type { ExampleInput, ExampleResult } from './examples/example-input.ts';
import { REFERENCE_TOPICS } from './examples/reference-topics.ts';
import { SELF_ASSESSMENT_TOPICS } from './examples/self-assessment-topics.ts';
import { VAT_TOPICS } from './examples/vat-topics.ts';

/** All supported topics by name: docs/reference/uk-tax.md section 9. */
export const TOPICS: Readonly<Record<string, (input: ExampleInput) => ExampleResult>> = {
  ...REFERENCE_TOPICS,
  ...CALENDAR_TOPICS,
  ...VAT_TOPICS,
  ...COMPANY_TOPICS,
  ...SELF_ASSESSMENT_TOPICS,
};

type ExampleOutcome = { readonly state: 'passed' | 'failed' | 'skipped'; readonly lines: readonly string[] };

/** Runs one example. Always returns a state and lines to print; never throws. */
export function runExample(example: unknown, index: number): ExampleOutcome {
  if (!isRecord(example)) return { state: 'failed', lines: [`#${index}: expected an example, got ${JSON.stringify(example)}`] };
  const { topic, input, expected } = example;
  const name = `${typeof example['id'] === 'string' ? example['id'] : `#${index}`} ${String(topic)}`;
  if (typeof topic !== 'string' || !Object.hasOwn(TOPICS, topic))
    return { state: 'skipped', lines: [`${name}: skipped, not a topic of these rules`] };
  if (!isRecord(input) || !isRecord(expected))
    return { state: 'failed', lines: [`${name}: expected an input and an expected answer, got none`] };
  try {
    const exampleResult = TOPICS[topic]?.(input) ?? {};
    const lines = compareResult(expected, exampleResult).map(
      (mismatch) => `${name}: ${mismatch.key}: expected ${mismatch.expected}, got ${mismatch.actual}`,
    );
    return { state: lines.length === 0 ? 'passed' : 'failed', lines };
  } catch (error) {
    // Invalid input has no result, so the reason is printed as the actual value.
    const reason = error instanceof Error ? error.message : String(error);
    return { state: 'failed', lines: [`${name}: expected ${JSON.stringify(expected)}, got ${reason}`] };
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readExamples(file: string): Promise<readonly unknown[]> {
  const content: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!Array.isArray(content)) throw new Error('the file must contain a JSON array of examples');
  return content;
}

async function main(file: string | undefined): Promise<void> {
  if (file === undefined) throw new Error('pass a file: npm run examples -- FILE.json');
  const outcomes = (await readExamples(file)).map(runExample);
  for (const line of outcomes.flatMap((outcome) => outcome.lines)) console.log(line);
  const count = (state: ExampleOutcome['state']): number => outcomes.filter((outcome) => outcome.state === state).length;
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  if (count('failed') > 0) process.exitCode = 1;
}

if (import.meta.main) {
  await main(process.argv[2]).catch((error: unknown) => {
    console.error(`These examples could not be run: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
