import { booksConnections, booksReads } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { PortalJobHandlers } from '../../jobs/job-kinds.ts';
import { tryEach } from '../../jobs/try-each.ts';
import { enqueueBooksRead, startRead } from './books-reads.ts';
import { CAN_BE_READ, findBooksProvider, IS_LINKED } from './find-books-connection.ts';
import { sweepPracticeBooks } from '../practice-books/sweep-practice-books.ts';
import { readBooks } from './read-books.ts';
import { readVatFigures } from './read-vat-figures.ts';

const HOUR_MS = 3_600_000;
/** Software that doesn't report deletions is read completely each day. */
const FULL_READ_INTERVAL_MS = { hidden: 24 * HOUR_MS, stated: 7 * 24 * HOUR_MS } as const;

export function booksConnectionJobs(deps: AppDeps): Pick<PortalJobHandlers, 'books.read' | 'books.vat_figures' | 'books.sweep'> {
  return {
    'books.read': ({ company_id, client_id }, run) => readBooks(deps, client_id ?? company_id, run),
    'books.vat_figures': ({ company_id, client_id }, run) => readVatFigures(deps, client_id ?? company_id, run),
    // Resumes reads whose job was lost, and starts new reads after an hour.
    'books.sweep': async () => {
      const { db } = deps.database;
      const now = deps.clock.now();
      await sweepPracticeBooks(deps, now);
      const rows = await db
        .select({ read: booksReads, provider: booksConnections.provider, isByGrant: booksConnections.isByGrant })
        .from(booksReads)
        .innerJoin(booksConnections, eq(booksConnections.companyId, booksReads.companyId))
        .where(and(CAN_BE_READ, IS_LINKED, isNotNull(booksConnections.organisationId)));
      await tryEach(rows, async ({ read, ...connection }) => {
        const { status, waitsUntil, finishedAt } = read;
        if (status === 'reading') {
          if (waitsUntil === null || waitsUntil <= now) await enqueueBooksRead(deps, db, read);
          return;
        }
        if (!isOlder(finishedAt, HOUR_MS, now)) return;
        const fullEvery = FULL_READ_INTERVAL_MS[findBooksProvider(deps, connection)?.hidesDeleted === false ? 'stated' : 'hidden'];
        await db.transaction((tx) => startRead(deps, tx, read, { isFull: isOlder(read.lastFullAt, fullEvery, now) }));
      });
    },
  };
}

function isOlder(at: Instant | null, ms: number, now: Instant): boolean {
  return at === null || at <= addMilliseconds(now, -ms);
}
