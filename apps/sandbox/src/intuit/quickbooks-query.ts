/** Parses the part of QuickBooks' query language used to read documents (docs/reference/providers.md section 2). */
import type { RecordedObject } from '../simulator/recordings.ts';

type QueryCondition = { readonly path: readonly string[]; readonly operator: string; readonly values: readonly string[] };
export type QuickBooksQuery = {
  readonly entity: string;
  readonly conditions: readonly QueryCondition[];
  readonly orderBy: readonly string[] | undefined;
  readonly start: number;
  readonly max: number;
};

const QUERY_PATTERN =
  /^\s*select\s+\*\s+from\s+(\w+)(?:\s+where\s+(.+?))?(?:\s+orderby\s+([\w.]+)(?:\s+asc)?)?(?:\s+startposition\s+(\d+))?(?:\s+maxresults\s+(\d+))?\s*$/i;
const CONDITION_PATTERN = /^([\w.]+)\s*(?:(>=|<=|=|>|<)\s*'((?:[^'\\]|\\.)*)'|(in)\s*\(([^)]*)\))$/i;
const DEFAULT_RESULTS = 100;
export const MAX_RESULTS = 1_000;

/** Returns undefined for text that isn't a query or uses other parts of the language. */
export function parseQuickBooksQuery(text: string): QuickBooksQuery | undefined {
  const match = QUERY_PATTERN.exec(text);
  if (!match) return undefined;
  const [, entity = '', whereClause, orderBy, start = '1', max = String(DEFAULT_RESULTS)] = match;
  const conditions = whereClause === undefined ? [] : whereClause.split(/\s+and\s+/i).map(parseCondition);
  if (conditions.some((condition) => condition === undefined)) return undefined;
  return {
    entity,
    conditions: conditions.flatMap((condition) => condition ?? []),
    orderBy: orderBy?.split('.'),
    start: Number(start),
    max: Number(max),
  };
}

export function runQuickBooksQuery(query: QuickBooksQuery, items: readonly RecordedObject[]): readonly RecordedObject[] {
  const { conditions, orderBy, start, max } = query;
  const matchingItems = items.filter((item) => isListed(item, conditions) && conditions.every((condition) => matches(item, condition)));
  const orderedItems =
    orderBy === undefined ? matchingItems : matchingItems.toSorted((a, b) => compareValues(getValueAt(a, orderBy), getValueAt(b, orderBy)));
  return orderedItems.slice(start - 1, start - 1 + max);
}

function parseCondition(text: string): QueryCondition | undefined {
  const match = CONDITION_PATTERN.exec(text.trim());
  if (!match) return undefined;
  const [, path = '', operator, value = '', isIn, list = ''] = match;
  const values = isIn === undefined ? [value] : list.split(',').map((entry) => entry.trim().replaceAll("'", ''));
  return { path: path.split('.'), operator: operator ?? 'in', values };
}

/** Lists omit inactive entries unless the query requests them. */
function isListed(item: RecordedObject, conditions: readonly QueryCondition[]): boolean {
  return item['Active'] !== false || conditions.some(({ path }) => path[0] === 'Active');
}

function matches(item: RecordedObject, { path, operator, values }: QueryCondition): boolean {
  const value = getValueAt(item, path);
  if (operator === 'in') return values.some((expected) => compareValues(value, expected) === 0);
  const order = compareValues(value, values[0] ?? '');
  if (operator === '=') return order === 0;
  return operator.startsWith('>') ? order > 0 || (operator === '>=' && order === 0) : order < 0 || (operator === '<=' && order === 0);
}

/** A missing flag is true, as in QuickBooks. */
function getValueAt(item: RecordedObject, path: readonly string[]): string {
  const value = path.reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], item);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return path[0] === 'Active' ? 'true' : '';
}

function compareValues(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
