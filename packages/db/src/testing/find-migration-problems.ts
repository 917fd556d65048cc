/**
 * Checks for operations that a migration must not perform while portals of the previous version use the same database: holding a table's
 * lock while reading or writing the whole table, or removing anything those portals use (CONTRIBUTING, "A migration").
 */

type MigrationText = { readonly name: string; readonly text: string };

const CONTRACT_COMMENT = /^-- contract: unused since (\d+\.\d+\.\d+)\b/m;
const OUTSIDE_TRANSACTION = /^-- outside a transaction\b/;
const TABLE_NAME_PATTERN = String.raw`(?:"?public"?\.)?"?(\w+)"?`;

/** `version` is the product's version. Anything last used by an older version may be removed. */
export function findMigrationProblems({ name, text }: MigrationText, version: string): string[] {
  const statements = splitStatements(text);
  const createdTables = new Set(statements.map((statement) => match(statement, `^create table (?:if not exists )?${TABLE_NAME_PATTERN}`)));
  const problems = statements.flatMap((statement, index) => {
    if (OUTSIDE_TRANSACTION.test(text)) return findRepeatProblems(statement, statements[index - 1] ?? '');
    return [...findIndexProblems(statement, createdTables), ...findChangeProblems(statement, createdTables, getUnusedSince(text), version)];
  });
  return problems.map((problem) => `${name}: ${problem}`);
}

function splitStatements(text: string): string[] {
  return text
    .split('--> statement-breakpoint')
    .map((part) => part.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

function match(statement: string, pattern: string): string | undefined {
  return new RegExp(pattern, 'i').exec(statement)?.[1];
}

/** Checks that a migration can be repeated, because it starts again from its first statement if the process ends midway. */
function findRepeatProblems(statement: string, previous: string): string[] {
  const index = match(statement, `^create (?:unique )?index concurrently ${TABLE_NAME_PATTERN} on`);
  if (index !== undefined) {
    if (match(previous, `^drop index concurrently if exists ${TABLE_NAME_PATTERN}`) === index) return [];
    return [`write \`drop index concurrently if exists "${index}"\` before the statement that creates it: a build that failed leaves it`];
  }
  if (/^drop index concurrently if exists|^alter table \S+ validate constraint|^(update|delete from) /i.test(statement)) return [];
  return [`outside a transaction, only indexes, validate constraint, update and delete: “${statement.slice(0, 80)}” can’t be repeated`];
}

function findIndexProblems(statement: string, createdTables: ReadonlySet<string | undefined>): string[] {
  if (/^(create|drop) (unique )?index concurrently/i.test(statement)) return ['begin the file with “-- outside a transaction”'];
  const table = match(statement, `^create (?:unique )?index .*? on (?:only )?${TABLE_NAME_PATTERN}`);
  if (table === undefined || createdTables.has(table)) return [];
  return [`an index on the existing table ${table} blocks its writers: create it concurrently, in a migration of its own`];
}

/** Changes that remove something. `unused since` must name a version older than this one. */
const CONTRACT_CHANGES: readonly (readonly [RegExp, string])[] = [
  [/^drop table|drop column/i, 'portals of the previous version still use what is dropped'],
  [/alter column \S+ (set data )?type/i, 'changing a type rewrites the table under a lock'],
  [/alter column \S+ set not null/i, 'portals of the previous version may still write null'],
];

function findChangeProblems(
  statement: string,
  createdTables: ReadonlySet<string | undefined>,
  unusedSince: string | undefined,
  version: string,
): string[] {
  const table = match(statement, `^(?:alter|drop) table (?:if exists )?(?:only )?${TABLE_NAME_PATTERN}`);
  if (table === undefined || createdTables.has(table)) return [];
  if (/\brename (to|column|"?\w+"? to)\b/i.test(statement))
    return [`don’t rename in ${table}: add the new name, use it in this version, and drop the old one in a later version`];
  if (/add column(?!.*\bdefault\b).*\bnot null\b/i.test(statement))
    return [`a new column of ${table} needs a default or null: portals of the previous version don’t write it`];
  if (/add (constraint \S+ )?(foreign key|check)(?!.*\bnot valid$)/i.test(statement.replace(/;$/, '')))
    return [`add the constraint of ${table} as “not valid” and validate it in a migration outside a transaction`];
  const change = CONTRACT_CHANGES.find(([pattern]) => pattern.test(statement));
  if (change === undefined || (unusedSince !== undefined && isOlder(unusedSince, version))) return [];
  return [
    `${change[1]} (${table}): do it in a later version, with the line “-- contract: unused since VERSION”, where VERSION is older than this one (${version})`,
  ];
}

function getUnusedSince(text: string): string | undefined {
  return CONTRACT_COMMENT.exec(text)?.[1];
}

function isOlder(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}
