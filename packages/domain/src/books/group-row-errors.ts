import type { RowError } from './books-row.ts';

/** Errors of the same kind in one column. `reason` names up to three of the values; `lines` lists the first twenty of `count`. */
export type RowErrorGroup = {
  readonly column: string;
  readonly reason: string;
  readonly count: number;
  readonly lines: readonly number[];
};

const QUOTED_TEXT = /“[^”]*”/;
const MAX_EXAMPLES = 3;
export const MAX_GROUP_LINES = 20;

type OpenGroup = { readonly column: string; readonly first: string; readonly values: Set<string>; count: number; readonly lines: number[] };

/** Groups errors that differ only in the quoted value, ordered by first line. */
export function groupRowErrors(errors: readonly RowError[]): RowErrorGroup[] {
  const groups = new Map<string, OpenGroup>();
  for (const { line, column, reason } of errors) {
    const key = `${column}\n${reason.replace(QUOTED_TEXT, '“”')}`;
    const group = groups.get(key) ?? { column, first: reason, values: new Set<string>(), count: 0, lines: [] };
    groups.set(key, group);
    group.count += 1;
    if (group.lines.length < MAX_GROUP_LINES) group.lines.push(line);
    const [value] = QUOTED_TEXT.exec(reason) ?? [];
    if (value !== undefined && group.values.size <= MAX_EXAMPLES) group.values.add(value);
  }
  return [...groups.values()].map(({ column, first, values, count, lines }) => ({
    column,
    reason: describeValues(first, values),
    count,
    lines,
  }));
}

function describeValues(first: string, values: ReadonlySet<string>): string {
  const [shownValue = '', ...otherValues] = [...values].slice(0, MAX_EXAMPLES);
  if (otherValues.length === 0) return first;
  const moreText = values.size > MAX_EXAMPLES ? ' and others' : '';
  return first.replace(QUOTED_TEXT, () => `${shownValue} (also ${otherValues.join(', ')}${moreText})`);
}
