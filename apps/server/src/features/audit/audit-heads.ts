/**
 * Writes the latest hash of every audit chain to a file outside the database. Someone who controls the whole database could recompute the
 * chains, but not this file.
 */
import { open, readFile } from 'node:fs/promises';
import type { Db } from '@portal/db/database.ts';
import { auditHeads } from '@portal/db/schema/schema.ts';
import { addMilliseconds, toInstant, type Instant } from '@portal/domain/clock.ts';
import { asc, gt, sql } from '@portal/db/sql.ts';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';

/** A transaction may commit this long after the time recorded in it. */
const OVERLAP_MS = 15 * 60_000;
/** The file's last line is always within this many bytes of its end. */
const TAIL_BYTES = 4_096;

const headLineSchema = z.object({ read_at: z.string(), company_id: z.string(), sequence: z.int(), hash: z.string() });
export type WrittenHead = z.output<typeof headLineSchema>;

/** Adds a line for each chain that has changed since the file's last line, and syncs it to the disk. */
export async function writeAuditHeads({ database, auditHeadsFile }: Pick<AppDeps, 'database' | 'auditHeadsFile'>): Promise<void> {
  const file = await open(auditHeadsFile, 'a+', 0o640);
  try {
    const tail = await readTail(file);
    const since = parseLines(tail).heads.at(-1)?.read_at;
    const lines = await formatNewHeads(
      database.db,
      since === undefined ? undefined : addMilliseconds(toInstant(Date.parse(since)), -OVERLAP_MS),
    );
    if (lines === '') return;
    // A process that crashed while writing leaves an unfinished line.
    await file.appendFile(tail === '' || tail.endsWith('\n') ? lines : `\n${lines}`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readTail(file: Awaited<ReturnType<typeof open>>): Promise<string> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, Math.max(0, size - TAIL_BYTES));
  return buffer.toString('utf8', 0, bytesRead);
}

async function formatNewHeads(db: Db, since: Instant | undefined): Promise<string> {
  const heads = await db
    .select({ companyId: auditHeads.companyId, sequence: auditHeads.sequence, hash: auditHeads.hash, readAt: sql<string>`now()` })
    .from(auditHeads)
    .where(since === undefined ? undefined : gt(auditHeads.changedAt, since))
    .orderBy(asc(auditHeads.companyId));
  return heads
    .map(({ companyId, sequence, hash, readAt }) => {
      const line: WrittenHead = { read_at: new Date(readAt).toISOString(), company_id: companyId, sequence, hash };
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}

/** Reads a file. `unreadableLines` are the numbers of lines without a hash: cut off by a crash, or changed. */
export async function readAuditHeads(path: string): Promise<{ heads: WrittenHead[]; unreadableLines: number[] }> {
  return parseLines(await readFile(path, 'utf8'));
}

function parseLines(text: string): { heads: WrittenHead[]; unreadableLines: number[] } {
  const [heads, unreadableLines]: [WrittenHead[], number[]] = [[], []];
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const parsed = headLineSchema.safeParse(parseJson(line));
    if (parsed.success) heads.push(parsed.data);
    else unreadableLines.push(index + 1);
  }
  return { heads, unreadableLines };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
