/**
 * Turns the list of clients in a practice's bookkeeping software into a client file, which is processed like any other: validated, shown,
 * imported.
 */
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatCsvLine } from '@portal/domain/books/csv-text.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatInstant, addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import type { ListedClient } from '@portal/providers/connected-books/books-provider.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { type BooksGrantRow, findBooksGrant, getGrantOwner } from '../books-connection/find-books-grant.ts';
import { BooksLostError } from '../books-connection/books-tokens.ts';
import { SINGLE_ATTEMPT } from '../practice-books/list-covered.ts';
import { postponeGrant } from '../practice-books/read-details.ts';
import { withGrantToken } from '../practice-books/with-grant-token.ts';
import { validateClientsFile } from './validate-clients-file.ts';

type ProviderImport = { readonly practiceId: string; readonly provider: 'freeagent'; readonly ip: string };

export async function importFromProvider(deps: AppDeps, actor: Actor, { practiceId, provider, ip }: ProviderImport): Promise<ClientImport> {
  const name = BOOKS_PROVIDER_NAMES[provider];
  const grant = await findBooksGrant(deps.database.db, { companyId: practiceId, provider });
  const listClients = deps.practiceBooks[provider]?.listClients;
  if (grant?.status !== 'connected' || !listClients) throw createNotConnectedError(name);
  if (grant.waitsUntil !== null && grant.waitsUntil > deps.clock.now()) throw createBusyError(name, grant.waitsUntil);
  const read = () => withGrantToken(deps, grant, (token) => listClients(token, SINGLE_ATTEMPT));
  const clients = await readList(deps, name, grant, read);
  if (clients.length === 0) {
    throw new AppError('conflict', 'clients.program_empty', `${name} has no active clients for the user who connected it.`);
  }
  const fileName = `Clients in ${name}, ${formatDate(deps.clock.today())}`;
  return validateClientsFile(deps, actor, { companyId: practiceId, fileName, source: `${provider}_list`, bytes: toFile(clients) }, ip);
}

/** Reads in progress in this process, by authorisation. A second click waits for the first click's list and makes no further calls. */
const pendingReads = new Map<string, Promise<ListedClient[]>>();

function shareRunningRead(grant: BooksGrantRow, read: () => Promise<ListedClient[]>): Promise<ListedClient[]> {
  const key = `${getGrantOwner(grant)} ${grant.connectedAt}`;
  const sharedRead = pendingReads.get(key) ?? read().finally(() => pendingReads.delete(key));
  pendingReads.set(key, sharedRead);
  return sharedRead;
}

const DEFAULT_WAIT_SECONDS = 60;

/** The user is waiting for the response, so report a rate limit instead of waiting. */
async function readList(deps: AppDeps, name: string, grant: BooksGrantRow, read: () => Promise<ListedClient[]>): Promise<ListedClient[]> {
  try {
    return await shareRunningRead(grant, read);
  } catch (error) {
    if (error instanceof BooksLostError) throw createNotConnectedError(name);
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === 'throttled') {
      const seconds = error.facts.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS;
      await postponeGrant(deps, grant, seconds);
      throw createBusyError(name, addMilliseconds(deps.clock.now(), seconds * 1_000));
    }
    deps.logger.warn({ err: error, companyId: grant.companyId }, 'could not read a practice’s list of clients');
    throw new AppError(
      'unavailable',
      'clients.program_unavailable',
      `${name} isn’t responding as expected. Nothing has changed. Try again in a few minutes, or upload a file instead.`,
      undefined,
      error,
    );
  }
}

function createBusyError(name: string, busyUntil: Instant): AppError {
  return new AppError(
    'conflict',
    'clients.program_busy',
    `We’ve reached ${name}’s limit on calls for now. Nothing has changed. Try again after ${formatInstant(busyUntil)}, or upload a file instead.`,
    { until: busyUntil },
  );
}

function createNotConnectedError(name: string): AppError {
  return new AppError(
    'conflict',
    'clients.program_not_connected',
    `${name} isn’t connected. Connect it under Clients’ books, then import again.`,
  );
}

async function* toFile(clients: readonly ListedClient[]): AsyncGenerator<Uint8Array> {
  const lines = [IMPORT_COLUMNS, ...clients.map(toCells)].map((cells) => formatCsvLine(cells));
  yield Buffer.from(`${lines.join('\r\n')}\r\n`);
}

function toCells(client: ListedClient): readonly string[] {
  const cells: Partial<Record<ImportColumn, string | undefined>> = {
    name: client.name,
    kind: client.kind,
    vrn: client.vatNumber,
    company_number: client.companyNumber,
    postcode: client.postcode,
    year_end: client.yearEnd,
    email: client.email,
    phone: client.phone,
  };
  return IMPORT_COLUMNS.map((column) => cells[column] ?? '');
}
