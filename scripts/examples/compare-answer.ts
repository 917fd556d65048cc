import { parsePounds, poundsText } from '@portal/domain/money.ts';
import type { Pence } from '@portal/domain/money.ts';
import { Amount } from './example-input.ts';
import type { Answer } from './example-input.ts';

/** One key on which the example and the calculated answer differ. */
export type Mismatch = { readonly key: string; readonly expected: string; readonly got: string };

/** Compares the keys of `expected` with the answer; other keys of the answer are ignored. */
export function compareAnswer(expected: Readonly<Record<string, unknown>>, answer: Answer): readonly Mismatch[] {
  return Object.keys(expected).flatMap((key) => {
    const got = valueFor(answer, key);
    return isSame(expected[key], got) ? [] : [{ key, expected: JSON.stringify(expected[key]) ?? 'nothing', got: wordsFor(got) }];
  });
}

function valueFor(answer: Answer, key: string): unknown {
  if (Object.hasOwn(answer, key)) return answer[key];
  // "due_31_jan_2026" in an example matches "due_31_jan_YYYY" in the answer.
  const template = key.replace(/_\d{4}$/, '_YYYY');
  return Object.hasOwn(answer, template) ? answer[template] : undefined;
}

function isSame(expected: unknown, got: unknown): boolean {
  if (got instanceof Amount) return parsePounds(String(expected)) === got.pence;
  if (typeof got === 'number') return expected === got || expected === String(got);
  if (Array.isArray(got)) {
    return Array.isArray(expected) && expected.length === got.length && got.every((one, index) => isSame(expected[index], one));
  }
  if (typeof got === 'object' && got !== null) {
    if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return false;
    return compareAnswer(expected as Record<string, unknown>, got as Answer).length === 0;
  }
  if (typeof got === 'string' && typeof expected === 'number') return got === String(expected);
  return got !== undefined && expected === got;
}

function wordsFor(value: unknown): string {
  if (value === undefined) return 'nothing';
  return JSON.stringify(value, (_, one: unknown) => (one instanceof Amount ? poundsText(one.pence as Pence) : one));
}
