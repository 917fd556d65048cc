/** Finds the header of a table from unknown software, and works out the contents of its columns. */
import type { ColumnTargets } from './mapped-table.ts';

/** Earlier choices, by heading in normal form. Null: not read. */
export type RememberedTargets<Target extends string> = Readonly<Record<string, Target | null>>;

/** How to recognise the columns of one kind of table. */
export type ColumnRecogniser<Target extends string> = {
  /** Returns a heading's target. Undefined for an unknown heading, null for one that isn't read. */
  readonly recognise: (heading: string) => Target | null | undefined;
  /** If two columns had one of these targets, a value would be lost, so the user decides. */
  readonly singleColumnTargets: ReadonlySet<Target>;
  /** Returns true if the columns are enough to read a row. */
  readonly isComplete: (columns: ColumnTargets<Target>) => boolean;
  /** Returns true if the values below a heading contradict its target. */
  readonly isContradicted?: (target: Target, samples: readonly string[]) => boolean;
  /**
   * Returns the target of a heading that is used only if no other column has that target; null if another does. Undefined for any other
   * heading.
   */
  readonly findSecondChoice?: (heading: string, columns: ColumnTargets<Target>) => Target | null | undefined;
  /** Returns true if an unknown column's values are useless, so that users needn't review it. */
  readonly isUnusable?: (samples: readonly string[]) => boolean;
};

/** A suggestion for each column. `isSettled`: every column with content is recognised, so users needn't review them. */
export type SuggestedTargets<Target extends string> = { readonly columns: ColumnTargets<Target>; readonly isSettled: boolean };

/** Returns the index of the row most likely to be the header, because exports begin with a title, a date or empty lines. */
export function findHeaderRow<Target extends string>(
  rows: readonly (readonly string[])[],
  recogniser: ColumnRecogniser<Target>,
  rememberedTargets: RememberedTargets<Target>,
): number {
  const scores = rows.map((cells) => cells.filter((cell) => recogniseHeading(cell, recogniser, rememberedTargets) !== undefined).length);
  const bestScore = Math.max(0, ...scores);
  if (bestScore > 0) return scores.indexOf(bestScore);
  const widths = rows.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const maxWidth = Math.max(0, ...widths);
  return Math.max(
    0,
    widths.findIndex((width) => width > 0 && width >= maxWidth / 2),
  );
}

/** Suggests the contents of each column, based on its heading, the user's earlier choices, and the values below it. */
export function suggestTargets<Target extends string>(
  headings: readonly string[],
  samples: readonly (readonly string[])[],
  recogniser: ColumnRecogniser<Target>,
  rememberedTargets: RememberedTargets<Target>,
): SuggestedTargets<Target> {
  const recognisedTargets = headings.map((heading, index) => {
    const target = recogniseHeading(heading, recogniser, rememberedTargets);
    return target && recogniser.isContradicted?.(target, samples[index] ?? []) ? undefined : target;
  });
  const firstChoices = recognisedTargets.map((target) => target ?? null);
  const columnTargets = recognisedTargets.map((target, index) =>
    target === undefined ? recogniser.findSecondChoice?.(normaliseHeading(headings[index] ?? ''), firstChoices) : target,
  );
  const columns = columnTargets.map((target) => target ?? null);
  const isKnown = (index: number): boolean => {
    const values = (samples[index] ?? []).filter((value) => value.trim() !== '');
    return columnTargets[index] !== undefined || values.length === 0 || recogniser.isUnusable?.(values) === true;
  };
  const usedTargets = columns.filter((target) => target !== null && recogniser.singleColumnTargets.has(target));
  const isSettled =
    recogniser.isComplete(columns) && columns.every((_, index) => isKnown(index)) && new Set(usedTargets).size === usedTargets.length;
  return { columns, isSettled };
}

/** Adds the choices for a file to earlier ones. */
export function rememberTargets<Target extends string>(
  rememberedTargets: RememberedTargets<Target>,
  headings: readonly string[],
  columns: ColumnTargets<Target>,
): RememberedTargets<Target> {
  const chosenTargets = headings.map((heading, index) => [normaliseHeading(heading), columns[index] ?? null] as const);
  return { ...rememberedTargets, ...Object.fromEntries(chosenTargets.filter(([heading]) => heading !== '')) };
}

/** Returns a heading in lower-case letters and digits only. */
export function normaliseHeading(cell: string): string {
  return cell
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '')
    .slice(0, 100);
}

function recogniseHeading<Target extends string>(
  cell: string,
  { recognise }: ColumnRecogniser<Target>,
  rememberedTargets: RememberedTargets<Target>,
): Target | null | undefined {
  const heading = normaliseHeading(cell);
  if (heading === '') return undefined;
  return Object.hasOwn(rememberedTargets, heading) ? rememberedTargets[heading] : recognise(cell);
}
