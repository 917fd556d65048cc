import { readFileSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { describe, expect, it } from 'vitest';
import * as schema from './schema/schema.ts';

const metaFolder = new URL('./migrations/meta/', import.meta.url);

describe('migrations', () => {
  it('match the schema: run `npm run migration` after changing it', async () => {
    const journal: { entries: { idx: number }[] } = JSON.parse(readFileSync(new URL('_journal.json', metaFolder), 'utf8'));
    const snapshots = journal.entries.map(({ idx }) => `${String(idx).padStart(4, '0')}_snapshot.json`);
    const latest = JSON.parse(readFileSync(new URL(snapshots.at(-1) ?? '', metaFolder), 'utf8')) as Parameters<typeof generateMigration>[0];
    expect(await generateMigration(latest, generateDrizzleJson(schema))).toEqual([]);
  });
});
