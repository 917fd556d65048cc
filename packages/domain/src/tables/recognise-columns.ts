/** Finds the header of a table from an unknown program, and what its columns hold. */
import type { ColumnTargets } from './mapped-table.ts';

/** What was chosen for a heading before, by the heading in normal form. Null: not read. */
export type RememberedTargets<Target extends string> = Readonly<Record<string, Target | null>>;

/** The columns of one kind of table. */
export type ColumnRecogniser<Target extends string> = {
  /** The target that a heading names. Undefined for an unknown one, null for one that is not read. */
  readonly recognise: (heading: string) => Target | null | undefined;
  /** Two columns of one of these would lose a value, so a person decides. */
  readonly single: ReadonlySet<Target>;
  /** Whether the columns are enough to read a row. */
  readonly isComplete: (columns: ColumnTargets<Target>) => boolean;
  /** Whether the values below a heading speak against its target. */
  readonly contradicts?: (target: Target, samples: readonly string[]) => boolean;
  /** The target of a heading that is only used when no other column has it; null while one has. Undefined for any other heading. */
  readonly findSecondChoice?: (heading: string, columns: ColumnTargets<Target>) => Target | null | undefined;
  /** Whether the values of an unknown column are of no use, so that no person needs to look at it. */
  readonly isWithoutUse?: (samples: readonly string[]) => boolean;
};

/** A suggestion for each column. `isSettled`: every column with content is recognised, so no person needs to look at them. */
export type SuggestedTargets<Target extends string> = { readonly columns: ColumnTargets<Target>; readonly isSettled: boolean };

/** Index of the row that most looks like a header, because exports begin with a title, a date or empty lines. */
export function findHeaderRow<Target extends string>(
  rows: readonly (readonly string[])[],
  recogniser: ColumnRecogniser<Target>,
  remembered: RememberedTargets<Target>,
): number {
  const scores = rows.map((cells) => cells.filter((cell) => recogniseHeading(cell, recogniser, remembered) !== undefined).length);
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.indexOf(best);
  const widths = rows.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const widest = Math.max(0, ...widths);
  return Math.max(
    0,
    widths.findIndex((width) => width > 0 && width >= widest / 2),
  );
}

/** Suggests what each column holds, from its heading, what a person chose before, and the values below it. */
export function suggestTargets<Target extends string>(
  headings: readonly string[],
  samples: readonly (readonly string[])[],
  recogniser: ColumnRecogniser<Target>,
  remembered: RememberedTargets<Target>,
): SuggestedTargets<Target> {
  const recognised = headings.map((heading, index) => {
    const target = recogniseHeading(heading, recogniser, remembered);
    return target && recogniser.contradicts?.(target, samples[index] ?? []) ? undefined : target;
  });
  const firstChoice = recognised.map((target) => target ?? null);
  const found = recognised.map((target, index) =>
    target === undefined ? recogniser.findSecondChoice?.(normaliseHeading(headings[index] ?? ''), firstChoice) : target,
  );
  const columns = found.map((target) => target ?? null);
  const isKnown = (index: number): boolean => {
    const values = (samples[index] ?? []).filter((value) => value.trim() !== '');
    return found[index] !== undefined || values.length === 0 || recogniser.isWithoutUse?.(values) === true;
  };
  const used = columns.filter((target) => target !== null && recogniser.single.has(target));
  const isSettled = recogniser.isComplete(columns) && columns.every((_, index) => isKnown(index)) && new Set(used).size === used.length;
  return { columns, isSettled };
}

/** Adds the choices of a file to those made before. */
export function rememberTargets<Target extends string>(
  remembered: RememberedTargets<Target>,
  headings: readonly string[],
  columns: ColumnTargets<Target>,
): RememberedTargets<Target> {
  const chosen = headings.map((heading, index) => [normaliseHeading(heading), columns[index] ?? null] as const);
  return { ...remembered, ...Object.fromEntries(chosen.filter(([heading]) => heading !== '')) };
}

/** A heading in lower case letters and digits only. */
export function normaliseHeading(cell: string): string {
  return cell
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '')
    .slice(0, 100);
}

function recogniseHeading<Target extends string>(
  cell: string,
  { recognise }: ColumnRecogniser<Target>,
  remembered: RememberedTargets<Target>,
): Target | null | undefined {
  const heading = normaliseHeading(cell);
  if (heading === '') return undefined;
  return Object.hasOwn(remembered, heading) ? remembered[heading] : recognise(cell);
}
