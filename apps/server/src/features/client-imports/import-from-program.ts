/** A practice's list of clients in its bookkeeping program becomes a file of clients, and goes the way of every file: validated, shown, imported. */
import type { ClientImport } from '@portal/contract/client-imports.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatCsvLine } from '@portal/domain/books/csv-text.ts';
import { IMPORT_COLUMNS, type ImportColumn } from '@portal/domain/client-imports/import-columns.ts';
import { BOOKS_PROGRAM_NAMES } from '@portal/domain/connected-books/books-programs.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import type { ListedClient } from '@portal/providers/connected-books/books-program.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { findBooksGrant } from '../books-connection/find-books-grant.ts';
import { BooksLostError } from '../books-connection/books-tokens.ts';
import { withGrantToken } from '../practice-books/with-grant-token.ts';
import { validateClientsFile } from './validate-clients-file.ts';

type FromProgram = { readonly practiceId: string; readonly provider: 'freeagent'; readonly ip: string };

export async function importFromProgram(deps: AppDeps, actor: Actor, { practiceId, provider, ip }: FromProgram): Promise<ClientImport> {
  const name = BOOKS_PROGRAM_NAMES[provider];
  const grant = await findBooksGrant(deps.database.db, { companyId: practiceId, provider });
  const listClients = deps.practiceBooks[provider]?.listClients;
  if (grant?.status !== 'connected' || !listClients) throw createNotConnected(name);
  const clients = await readList(name, () => withGrantToken(deps, grant, listClients));
  if (clients.length === 0) {
    throw new AppError('conflict', 'clients.program_empty', `${name} lists no active clients for the person who connected it.`);
  }
  const fileName = `Clients in ${name}, ${formatDate(deps.clock.today())}.csv`;
  return validateClientsFile(deps, actor, { companyId: practiceId, fileName, source: provider, bytes: toFile(clients) }, ip);
}

async function readList(name: string, read: () => Promise<ListedClient[]>): Promise<ListedClient[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BooksLostError) throw createNotConnected(name);
    throw error;
  }
}

function createNotConnected(name: string): AppError {
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
