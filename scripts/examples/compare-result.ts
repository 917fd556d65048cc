import { parsePounds, toPoundsText } from '@portal/domain/money.ts';
import type { Pence } from '@portal/domain/money.ts';
import { Amount } from './example-input.ts';
import type { ExampleResult } from './example-input.ts';

/** One key on which the example and the calculated answer differ. */
export type Mismatch = { readonly key: string; readonly expected: string; readonly actual: string };

/** Compares the keys in `expected` with the answer; other keys in the answer are ignored. */
export function compareResult(expected: Readonly<Record<string, unknown>>, result: ExampleResult): readonly Mismatch[] {
  return Object.keys(expected).flatMap((key) => {
    const actual = findValue(result, key);
    return isSame(expected[key], actual)
      ? []
      : [{ key, expected: JSON.stringify(expected[key]) ?? 'nothing', actual: formatValue(actual) }];
  });
}

function findValue(result: ExampleResult, key: string): unknown {
  if (Object.hasOwn(result, key)) return result[key];
  // "due_31_jan_2026" in an example matches "due_31_jan_YYYY" in the answer.
  const template = key.replace(/_\d{4}$/, '_YYYY');
  return Object.hasOwn(result, template) ? result[template] : undefined;
}

function isSame(expected: unknown, actual: unknown): boolean {
  if (actual instanceof Amount) return parsePounds(String(expected)) === actual.pence;
  if (typeof actual === 'number') return expected === actual || expected === String(actual);
  if (Array.isArray(actual)) {
    return Array.isArray(expected) && expected.length === actual.length && actual.every((item, index) => isSame(expected[index], item));
  }
  if (typeof actual === 'object' && actual !== null) {
    if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return false;
    return compareResult(expected as Record<string, unknown>, actual as ExampleResult).length === 0;
  }
  if (typeof actual === 'string' && typeof expected === 'number') return actual === String(expected);
  return actual !== undefined && expected === actual;
}

function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  return JSON.stringify(value, (_, item: unknown) => (item instanceof Amount ? toPoundsText(item.pence as Pence) : item));
}
