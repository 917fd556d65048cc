/** Tests what an auditor finds after someone with access to the whole database has changed the trail. */
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@portal/db/database.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAuditHeads, writeAuditHeads } from './audit-heads.ts';
import { eraseAuditValues } from './erase-audit.ts';
import { loadWrittenHeads } from './load-written-heads.ts';
import { NO_COMPANY, recordAudit } from './record-audit.ts';
import { verifyAudit } from './verify-audit.ts';

let database: Database;
let companyId: string;
let auditHeadsFile: string;
const folder = mkdtempSync(join(tmpdir(), 'audit-'));
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const record = (action: string, id = companyId) =>
  database.db.transaction((tx) =>
    recordAudit(tx, {
      companyId: id,
      at: systemClock.now(),
      actor: 'rules',
      action,
      subject: id,
      after: { name: 'Tess Trader' },
      ip: '203.0.113.9',
    }),
  );

/** Changes rows as the owner of the tables could, without the trigger. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await database.db.execute(sql`alter table audit_entries disable trigger user`);
  await database.db.execute(statement);
  await database.db.execute(sql`alter table audit_entries enable trigger user`);
}

const listProblems = async (files: readonly string[] = []) => {
  const writtenHeads = await Promise.all(files.map(readAuditHeads));
  return (
    await verifyAudit(
      database.db,
      writtenHeads.flatMap(({ heads }) => heads),
    )
  ).problems.map(({ sequence, problem }) => `${sequence}: ${problem}`);
};

beforeEach(async () => {
  await tamper(sql`truncate audit_entries, audit_heads`);
  companyId = randomUUID();
  auditHeadsFile = join(folder, `${randomUUID()}.jsonl`);
  for (const action of ['one', 'two', 'three']) await record(action);
  await record('other', randomUUID());
});

describe('the audit trail', () => {
  it('is valid although a caller wrote a company’s ID in capitals, which PostgreSQL stores in lower case', async () => {
    await record('four', companyId.toUpperCase());
    expect(await listProblems()).toEqual([]);
    expect(await verifyAudit(database.db)).toMatchObject({ chains: 2, entries: 5 });
  });

  it('is valid while only its own writer has written to it', async () => {
    await writeAuditHeads({ database, auditHeadsFile });
    await record('four');
    expect(await verifyAudit(database.db, (await readAuditHeads(auditHeadsFile)).heads)).toEqual({
      chains: 2,
      entries: 5,
      erased: 0,
      problems: [],
    });
  });

  it('can be verified while portals write', async () => {
    const writes = Array.from({ length: 20 }, (_, count) => record(`during ${count}`));
    const reports = await Promise.all(Array.from({ length: 5 }, () => verifyAudit(database.db)));
    await Promise.all(writes);
    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it.each([
    ['an action', sql`update audit_entries set action = 'nothing' where sequence = 2`, ['2: was changed: its hash doesn’t match']],
    ['a value', sql`update audit_entries set after = '{}' where sequence = 2`, ['2: had its values changed: their digest doesn’t match']],
    ['the middle', sql`delete from audit_entries where sequence = 2`, ['3: entry 2 is missing', '3: doesn’t follow the previous entry']],
    ['the end', sql`delete from audit_entries where sequence = 3`, ['2: the chain doesn’t end with the hash of its head']],
  ])('reveals a change of %s', async (_case, statement, expected) => {
    await tamper(statement);
    expect(await listProblems()).toEqual(expected);
  });

  it('reveals with the external file what was truncated or recomputed', async () => {
    await writeAuditHeads({ database, auditHeadsFile });
    await tamper(sql`delete from audit_entries where company_id = ${companyId} and sequence > 1`);
    await database.db.execute(
      sql`update audit_heads h set sequence = 1, hash = (select hash from audit_entries e where e.company_id = h.company_id) where company_id = ${companyId}`,
    );
    expect(await listProblems()).toEqual([]);
    expect(await listProblems([auditHeadsFile])).toEqual([expect.stringMatching(/^3: is missing: the chain had it at 20/)]);
    await record('invented');
    await record('invented too');
    expect(await listProblems([auditHeadsFile])).toEqual([expect.stringMatching(/^3: isn’t the entry that the chain had at 20/)]);
  });

  it('stays valid when an entry’s values are erased, and the database only allows erasing all of them', async () => {
    const erase = (assignments: ReturnType<typeof sql>) =>
      database.db.execute(sql`update audit_entries set ${assignments} where sequence = 2`);
    await expect(erase(sql`after = null`)).rejects.toMatchObject({ cause: { message: expect.stringContaining('append-only') } });
    await expect(erase(sql`before = null, after = '{"name": "Someone else"}', ip = '', salt = null`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('append-only') },
    });
    await expect(erase(sql`before = null, after = null, ip = '', salt = null, action = 'nothing'`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('append-only') },
    });
    await expect(database.db.execute(sql`delete from audit_entries where sequence = 2`)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('append-only') },
    });
    await erase(sql`before = null, after = null, ip = '', salt = null`);
    const { rows } = await database.db.execute(sql`select * from audit_entries where sequence = 2`);
    expect(JSON.stringify(rows)).not.toMatch(/Tess Trader|203\.0\.113\.9/);
    expect(await verifyAudit(database.db)).toEqual({ chains: 2, entries: 4, erased: 1, problems: [] });
  });

  it('has a company’s values erased by the administrator’s command, before their time only with a recorded reason', async () => {
    const erase = (earlyBecause?: string) => eraseAuditValues(database.db, systemClock, { kind: 'company', id: companyId, earlyBecause });
    await expect(erase()).rejects.toThrow(/no closed account has this ID/);
    expect(await erase('A court ordered it')).toEqual({ erased: 3, notErasable: 0 });
    const { rows } = await database.db.execute(sql`select * from audit_entries where company_id = ${companyId}`);
    expect(JSON.stringify(rows)).not.toContain('Tess Trader');
    expect(JSON.stringify(rows)).toContain('A court ordered it');
    expect(await verifyAudit(database.db)).toMatchObject({ entries: 5, erased: 3, problems: [] });
  });

  it('has a person’s actions and account changes erased, in every chain', async () => {
    const person = randomUUID();
    const entry = { at: systemClock.now(), action: 'did', after: { name: 'Tess Trader' } };
    for (const part of [
      { companyId, actor: person, subject: companyId },
      { companyId: NO_COMPANY, actor: 'rules', subject: person },
      { companyId: NO_COMPANY, actor: 'rules', subject: randomUUID() },
    ])
      await database.db.transaction((tx) => recordAudit(tx, { ...entry, ...part }));
    const erasure = { kind: 'person', id: person, earlyBecause: 'Asked by the person' } as const;
    expect((await eraseAuditValues(database.db, systemClock, erasure)).erased).toBe(2);
    expect((await verifyAudit(database.db)).problems).toEqual([]);
  });

  it('is written to the external file only where it has changed, even after a process died while writing', async () => {
    await writeAuditHeads({ database, auditHeadsFile });
    appendFileSync(auditHeadsFile, '{"read_at":"2026-');
    await database.db.execute(sql`update audit_heads set changed_at = now() - interval '1 day'`);
    await record('four');
    await writeAuditHeads({ database, auditHeadsFile });
    const { heads, unreadableLines } = await readAuditHeads(auditHeadsFile);
    expect(heads.map(({ company_id, sequence }) => [company_id, sequence]).slice(2)).toEqual([[companyId, 4]]);
    expect(unreadableLines).toEqual([3]);
  });
});

describe('the hashes outside the database', () => {
  it('are necessary: without a file, or with one that doesn’t exist or is empty, nothing is proved', async () => {
    await record('company.created');
    const missingFile = join(folder, 'nowhere.jsonl');
    const missingHeads = await loadWrittenHeads(missingFile, []);
    expect(missingHeads.heads).toEqual([]);
    expect(missingHeads.problems).toEqual([`${missingFile}: this file doesn’t exist.`, expect.stringContaining('Set AUDIT_HEADS_FILE')]);
    const empty = join(folder, 'empty.jsonl');
    appendFileSync(empty, '');
    expect((await loadWrittenHeads(empty, [])).problems).toEqual([expect.stringContaining('No hash stored outside')]);
    expect((await loadWrittenHeads(empty, [])).notes).toEqual([`${empty}: no hashes yet.`]);
  });

  it('can come from another instance’s file, and reports a named file that is missing', async () => {
    await record('company.created');
    await writeAuditHeads({ database, auditHeadsFile });
    const missingFile = join(folder, 'nowhere.jsonl');
    const { heads, problems } = await loadWrittenHeads(missingFile, [auditHeadsFile]);
    expect(problems).toEqual([]);
    expect(heads.map((head) => head.company_id)).toContain(companyId);
    expect((await loadWrittenHeads(auditHeadsFile, [missingFile])).problems).toEqual([`${missingFile}: this file doesn’t exist.`]);
  });
});
