/**
 * Copies a company's books from the bookkeeping software, page by page. Pages are stored together with the position of the next one, so that
 * a read can resume after a crash, a rate limit or the end of its time budget.
 */
import type { Tx } from '@portal/db/database.ts';
import { booksReads } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import type { BooksCopier, BooksProvider, BooksResource } from '@portal/providers/connected-books/books-provider.ts';
import { isAccessDenied } from '@portal/providers/connected-books/is-access-denied.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobRun } from '../../jobs/job-table.ts';
import { applyBooks, findSettingsProblemBeforeRead } from './apply-books.ts';
import { deleteUnseenObjects, hasUnseenObjects, savePage } from './books-objects.ts';
import { APPLY_STEP, enqueueBooksRead, finishRead, startRead } from './books-reads.ts';
import { acquireSlotFor } from './call-limits.ts';
import { combinePages } from './combine-pages.ts';
import { type RunningMapping, startMapping } from './map-books.ts';
import { readAhead } from './read-ahead.ts';
import { BooksLostError, getBooksToken, markBooksLost } from './books-tokens.ts';
import { type BooksConnectionRow, findBooksConnection, findBooksProvider } from './find-books-connection.ts';
import { listOrganisationsForGrant, wasRemoved } from './was-removed.ts';

type BooksRead = typeof booksReads.$inferSelect;
type BooksReading = { readonly connection: BooksConnectionRow; readonly booksProvider: BooksProvider; readonly read: BooksRead };

/** Well below the time after which a job is reassigned to another instance. */
const MAX_RUN_MS = 120_000;
/** Much less than a token is valid for: many small pages needn't look it up each time. */
const TOKEN_REUSE_MS = 1_000;

export async function readBooks(deps: AppDeps, companyId: string, run: Pick<JobRun, 'signal' | 'isLastAttempt'>): Promise<void> {
  const reading = await findReading(deps, companyId);
  if (!reading) return;
  const { db } = deps.database;
  try {
    const copiedPages = reading.read.resource === APPLY_STEP ? {} : await copyWithToken(deps, reading, run.signal);
    if (copiedPages) await applyBooks(deps, reading, run.signal, copiedPages.mapping);
    else await enqueueBooksRead(deps, db, reading.read);
  } catch (error) {
    if (error instanceof BooksLostError) return;
    if (error instanceof ProviderError) return handleFailure(deps, reading, error, run.isLastAttempt);
    if (run.isLastAttempt) await finishRead(deps, reading.read, { problem: 'unavailable' });
    throw error;
  }
}

async function findReading(deps: AppDeps, companyId: string): Promise<BooksReading | undefined> {
  const connection = await findBooksConnection(deps.database.db, companyId);
  const [read] = await deps.database.db.select().from(booksReads).where(eq(booksReads.companyId, companyId));
  const booksProvider = connection && findBooksProvider(deps, connection);
  if (connection?.status !== 'connected' || connection.organisationId === null || !booksProvider || read?.status !== 'reading')
    return undefined;
  return { connection, booksProvider, read };
}

/** If a token that should be valid is rejected, it is renewed once. If it is rejected again, the connection is lost. */
async function copyWithToken(deps: AppDeps, reading: BooksReading, signal: AbortSignal): Promise<Copied | undefined> {
  let token: string | undefined;
  let checkedAt = 0;
  const getToken = async () => {
    if (token !== undefined && performance.now() - checkedAt < TOKEN_REUSE_MS) return token;
    checkedAt = performance.now();
    return (token = await getBooksToken(deps, reading.connection));
  };
  try {
    return await copyBooks(deps, reading, getToken, signal);
  } catch (error) {
    if (!isRejected(error)) throw error;
    token = await getBooksToken(deps, reading.connection, token);
    // Reload the read, because it has progressed since it started.
    const current = await findReading(deps, reading.connection.companyId);
    if (current?.read.readId !== reading.read.readId) throw new BooksLostError();
    try {
      return await copyBooks(deps, current, getToken, signal, { isRenewed: true });
    } catch (retryError) {
      if (!isRejected(retryError) || token === undefined) throw retryError;
      // The failure concerns only one of a practice's organisations: if the software still returns the list, the authorisation is still
      // valid.
      if (reading.connection.isByGrant && (await isListAvailable(reading, token))) throw retryError;
      // Since this token was requested, another worker may have renewed it, or a user may have reconnected.
      await markBooksLost(deps, reading.connection, { reason: 'refused', tokens: { access: token } }, retryError);
      throw new BooksLostError();
    }
  }
}

const isRejected = (error: unknown): error is ProviderError => error instanceof ProviderError && error.failure === 'unauthorized';

async function isListAvailable({ connection, booksProvider }: BooksReading, token: string): Promise<boolean> {
  try {
    await listOrganisationsForGrant(connection, booksProvider, token);
    return true;
  } catch (error) {
    if (isRejected(error)) return false;
    throw error;
  }
}

/** `mapping`: has received all pages, unless the read began in an earlier run, or read only what changed. */
type Copied = { readonly mapping?: RunningMapping | undefined };

/** Returns undefined if time runs out before everything is copied. */
async function copyBooks(
  deps: AppDeps,
  reading: BooksReading,
  getToken: () => Promise<string>,
  signal: AbortSignal,
  { isRenewed = false }: { readonly isRenewed?: boolean } = {},
): Promise<Copied | undefined> {
  const { booksProvider, read, connection } = reading;
  const copier = createCopier(reading, getToken);
  const endsAt = addMilliseconds(deps.wallClock.now(), MAX_RUN_MS);
  const first = Math.max(
    0,
    booksProvider.resources.findIndex(({ name }) => name === read.resource),
  );
  let { objects } = read;
  let mapping: RunningMapping | undefined;
  for (const [index, resource] of booksProvider.resources.entries()) {
    const { name, isWhole, isOptional = false } = resource;
    if (index < first) continue;
    if (!isWhole && (index === 0 || booksProvider.resources[index - 1]?.isWhole === true)) {
      // By now the settings are known. If the books can't be used, don't spend hundreds of calls on them.
      const problem = await findSettingsProblemBeforeRead(deps, connection);
      if (problem) {
        await finishRead(deps, read, { problem });
        return {};
      }
      // From the second pass, the copy can also have objects that only the first one has seen.
      if (read.isFull && read.resource === '' && read.confirms === null)
        mapping = await startMapping(deps.database.db, connection, booksProvider);
    }
    let page = index === first && read.resource === name ? read.page : 1;
    const nextStep = { resource: booksProvider.resources[index + 1]?.name ?? APPLY_STEP, page: 1 };
    const copiedPages = readAhead(combinePages(copier.readPages(name, page)));
    const pages = isOptional ? readOptionalPages(deps, reading, copiedPages, { resource, isRenewed }) : copiedPages;
    for await (const combined of pages) {
      page += combined.pages;
      objects += isWhole || isOptional ? 0 : combined.objects.length;
      // A short list is read in one go, so the next position is the following resource.
      const place = isWhole ? nextStep : { resource: name, page };
      const objectsPage = { resource: name, isWhole, objects: combined.objects };
      if (isWhole) await saveWhole(deps, read, { ...place, objects }, objectsPage);
      else await saveDocuments(deps, read, { ...place, objects }, objectsPage, mapping);
      if (signal.aborted || deps.wallClock.now() > endsAt) return undefined;
    }
    mapping?.endResource(name);
    // Before the last step, objects that a complete read hasn't seen must be deleted.
    if (nextStep.resource !== APPLY_STEP) await saveProgress(deps.database.db, read, nextStep);
  }
  if (read.isFull && !(await deleteMissingObjects(deps, reading))) return undefined;
  if (!(await saveProgress(deps.database.db, read, { resource: APPLY_STEP, page: 1 }))) throw new BooksLostError();
  return { mapping };
}

/** Maps a page while the database stores it. */
async function saveDocuments(
  deps: AppDeps,
  read: BooksRead,
  place: Parameters<typeof savePage>[2],
  page: Parameters<typeof savePage>[3],
  mapping: RunningMapping | undefined,
): Promise<void> {
  const saving = savePage(deps.database.db, read, place, page);
  mapping?.addPage(page.resource, page.objects);
  const saved = await saving;
  if (!saved) throw new BooksLostError();
  if (!saved.isExact) mapping?.discard();
}

/** Stores a short list, which replaces the earlier one. */
async function saveWhole(
  deps: AppDeps,
  read: BooksRead,
  place: Parameters<typeof savePage>[2],
  page: Parameters<typeof savePage>[3],
): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    if (!(await savePage(tx, read, place, page))) throw new BooksLostError();
    await deleteUnseenObjects(tx, read.companyId, [page.resource], read.number);
  });
}

/**
 * Reads pages that the figures don't need. If the permission is missing, no pages are read, and that is recorded. If it is granted later,
 * everything is read again, because the earlier copy doesn't include the documents' contacts.
 */
async function* readOptionalPages<Page>(
  deps: AppDeps,
  { connection, read }: BooksReading,
  pages: AsyncGenerator<Page>,
  { resource: { name }, isRenewed }: { readonly resource: BooksResource; readonly isRenewed: boolean },
): AsyncGenerator<Page> {
  const { db } = deps.database;
  const otherResources = read.notPermitted.filter((other) => other !== name);
  try {
    yield* pages;
  } catch (error) {
    // Renew a rejected token first, because Xero also returns 401 for a missing permission.
    const isMissing = error instanceof ProviderError && (isAccessDenied(error) || (isRenewed && isRejected(error)));
    if (!isMissing) throw error;
    if (!(await saveProgress(db, read, { notPermitted: [...otherResources, name] }))) throw new BooksLostError();
    return;
  }
  if (otherResources.length === read.notPermitted.length) return;
  if (!(await saveProgress(db, read, { notPermitted: otherResources }))) throw new BooksLostError();
  if (read.isFull) return;
  await db.transaction((tx) => startRead(deps, tx, connection, { isFull: true }));
  throw new BooksLostError();
}

/**
 * Deletes what the software no longer lists. A document deleted during a read shifts others to a page already read, so only objects missed
 * by two complete passes are deleted. Returns false if the second pass is still to come.
 */
async function deleteMissingObjects(deps: AppDeps, { booksProvider, read }: BooksReading): Promise<boolean> {
  const { db } = deps.database;
  const documents = booksProvider.resources.filter(({ isWhole }) => !isWhole).map(({ name }) => name);
  if (read.confirms !== null) {
    const first = read.confirms;
    await db.transaction((tx) => deleteUnseenObjects(tx, read.companyId, documents, first));
    return true;
  }
  if (!(await hasUnseenObjects(db, read.companyId, documents, read.number))) return true;
  const confirmingRead = { resource: '', page: 1, objects: 0, number: read.number + 1, confirms: read.number };
  if (!(await saveProgress(db, read, confirmingRead))) throw new BooksLostError();
  return false;
}

function createCopier({ connection, booksProvider, read }: BooksReading, getAccessToken: () => Promise<string>): BooksCopier {
  return booksProvider.createCopier({
    organisationId: connection.organisationId ?? '',
    getAccessToken,
    acquireSlot: acquireSlotFor(connection),
    ...(read.modifiedSince === null ? {} : { modifiedSince: read.modifiedSince }),
  });
}

/** Returns false if another read has since begun, or the books were disconnected. */
async function saveProgress(
  db: Tx | AppDeps['database']['db'],
  { companyId, readId }: BooksRead,
  progress: Partial<typeof booksReads.$inferInsert>,
): Promise<boolean> {
  const savedReads = await db
    .update(booksReads)
    .set(progress)
    .where(and(eq(booksReads.companyId, companyId), eq(booksReads.readId, readId), eq(booksReads.status, 'reading')))
    .returning({ companyId: booksReads.companyId });
  return savedReads.length > 0;
}

/** Continues later after a rate limit, and reports lost access. Other failures are retried, and shown after the last attempt. */
async function handleFailure(
  deps: AppDeps,
  { connection, booksProvider, read }: BooksReading,
  error: ProviderError,
  isLast: boolean,
): Promise<void> {
  const { companyId } = connection;
  if (error.failure === 'throttled') {
    const seconds = error.facts.retryAfterSeconds ?? 60;
    await saveProgress(deps.database.db, read, { waitsUntil: addMilliseconds(deps.clock.now(), seconds * 1_000) });
    await enqueueBooksRead(deps, deps.database.db, connection, seconds);
    return;
  }
  const isRefused = error.facts.status === 403 || (connection.isByGrant && (error.facts.status === 401 || error.facts.status === 404));
  if (isRefused) {
    if (await wasRemoved(deps, connection, booksProvider)) await markBooksLost(deps, connection, { reason: 'removed' }, error);
    else await finishRead(deps, read, { problem: 'no_access' });
    return;
  }
  if (!isLast && error.failure !== 'refused') throw error;
  deps.logger.warn({ err: error, companyId }, 'could not read connected books');
  await finishRead(deps, read, { problem: 'unavailable' });
}
