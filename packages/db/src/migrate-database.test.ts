import { readFileSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { describe, expect, it } from 'vitest';
import { readMigrations } from './read-migrations.ts';
import * as schema from './schema/schema.ts';
import { findMigrationProblems } from './testing/find-migration-problems.ts';

// drizzle-kit gives every array an enumerable method, which libraries loaded by this process's other tests don't accept.
Reflect.deleteProperty(Array.prototype, 'random');

const metaFolder = new URL('./migrations/meta/', import.meta.url);

describe('migrations', () => {
  it('match the schema: run `npm run migration` after changing it', async () => {
    const journal: { entries: { idx: number }[] } = JSON.parse(readFileSync(new URL('_journal.json', metaFolder), 'utf8'));
    const snapshots = journal.entries.map(({ idx }) => `${String(idx).padStart(4, '0')}_snapshot.json`);
    const latestSnapshot = JSON.parse(readFileSync(new URL(snapshots.at(-1) ?? '', metaFolder), 'utf8')) as Parameters<
      typeof generateMigration
    >[0];
    expect(await generateMigration(latestSnapshot, generateDrizzleJson(schema))).toEqual([]);
  });

  // Earlier migrations ran while every portal was stopped.
  it('leave the portals of the previous version working, from 0043', () => {
    const { version }: { version: string } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    const newerMigrations = readMigrations().filter(({ name }) => name >= '0043');
    const problems = newerMigrations.flatMap(({ name, statements }) =>
      findMigrationProblems({ name, text: statements.join('--> statement-breakpoint') }, version),
    );
    expect(problems).toEqual([]);
  });
});

const STATEMENT_BREAK = '--> statement-breakpoint\n';
const findStatementProblems = (...statements: string[]): string[] =>
  findMigrationProblems({ name: '0099_x', text: statements.join(STATEMENT_BREAK) }, '0.3.0');

describe('the rules for migrations', () => {
  it.each([
    ['an index on an existing table', ['CREATE INDEX "a_b" ON "a" USING btree ("b");'], /existing table a blocks its writers/],
    ['a unique one', ['CREATE UNIQUE INDEX "a_b" ON "a" USING btree ("b");'], /existing table a/],
    ['a concurrent one in a transaction', ['CREATE INDEX CONCURRENTLY "a_b" ON "a" ("b");'], /begin the file with/],
    [
      'one that can’t be repeated',
      ['-- outside a transaction\nCREATE INDEX CONCURRENTLY "a_b" ON "a" ("b");'],
      /drop index concurrently if exists "a_b"/,
    ],
    ['another statement outside a transaction', ['-- outside a transaction\nALTER TABLE "a" ADD COLUMN "b" text;'], /can’t be repeated/],
    ['a renamed column', ['ALTER TABLE "a" RENAME COLUMN "b" TO "c";'], /don’t rename in a/],
    ['a renamed table', ['ALTER TABLE "a" RENAME TO "c";'], /don’t rename in a/],
    ['a dropped column', ['ALTER TABLE "a" DROP COLUMN "b";'], /still use what is dropped/],
    ['a dropped table', ['DROP TABLE "a";'], /still use what is dropped/],
    [
      'a column dropped in the version that stops using it',
      ['-- contract: unused since 0.3.0\nALTER TABLE "a" DROP COLUMN "b";'],
      /later version/,
    ],
    ['another type', ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE text;'], /rewrites the table/],
    ['a column that becomes required', ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;'], /may still write null/],
    ['a required column without a default', ['ALTER TABLE "a" ADD COLUMN "b" text NOT NULL;'], /needs a default or null/],
    [
      'a checked foreign key',
      ['ALTER TABLE "a" ADD CONSTRAINT "a_b" FOREIGN KEY ("b") REFERENCES "public"."c"("id") ON DELETE no action;'],
      /not valid/,
    ],
  ])('reject %s', (_case, statements, problem) => {
    expect(findStatementProblems(...statements)).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ['an index on a new table', ['CREATE TABLE "a" ("b" text);', 'CREATE INDEX "a_b" ON "a" USING btree ("b");']],
    [
      'a concurrent index that can be repeated',
      ['-- outside a transaction\nDROP INDEX CONCURRENTLY IF EXISTS "a_b";', 'CREATE UNIQUE INDEX CONCURRENTLY "a_b" ON "a" ("b");'],
    ],
    ['a column dropped in a later version', ['-- contract: unused since 0.2.10\nALTER TABLE "a" DROP COLUMN "b";']],
    ['a new column', ['ALTER TABLE "a" ADD COLUMN "b" text;', 'ALTER TABLE "a" ADD COLUMN "c" boolean DEFAULT false NOT NULL;']],
    [
      'a foreign key that is checked later',
      ['ALTER TABLE "a" ADD CONSTRAINT "a_b" FOREIGN KEY ("b") REFERENCES "public"."c"("id") NOT VALID;'],
    ],
    ['its check', ['-- outside a transaction\nALTER TABLE "a" VALIDATE CONSTRAINT "a_b";']],
    ['changed rows', ['UPDATE "a" SET "b" = \'drop column\';']],
  ])('accept %s', (_case, statements) => {
    expect(findStatementProblems(...statements)).toEqual([]);
  });
});
