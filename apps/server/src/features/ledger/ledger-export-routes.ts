/** /portal/operator/ledger/export: the filtered postings as a CSV file, one line for each debit and credit. */
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import type { Db } from '@portal/db/database.ts';
import { LEDGER_ACCOUNTS, type LedgerAccount } from '@portal/domain/ledger/ledger.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import type { Cell } from '../exports/export-columns.ts';
import { serveCsvExport } from '../exports/csv-export-routes.ts';
import { listPostings, type LedgerFilters } from './list-ledger.ts';

const TITLES = ['Posting', 'Date', 'Company', 'Company ID', 'Advance ID', 'Description', 'Account', 'Debit', 'Credit'];
const BATCH_SIZE = 500;

export function serveLedgerExport(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  const endpoint = FILE_ENDPOINTS.operations.ledgerExport;
  serveCsvExport(app, deps, settings, { endpoint, subject: 'ledger', titles: TITLES, readRows });
}

async function* readRows(db: Db, filters: LedgerFilters): AsyncGenerator<readonly Cell[]> {
  let cursor: number | undefined;
  do {
    const postings = await listPostings(db, filters, cursor, BATCH_SIZE);
    for (const { position, on, company_name, company_id, advance_id, description, lines } of postings) {
      const head: Cell[] = [
        { kind: 'text', text: String(position) },
        { kind: 'day', day: on },
        ...[company_name, company_id, advance_id ?? '', description].map((text) => ({ kind: 'text' as const, text })),
      ];
      for (const { account, debit_pence, credit_pence } of lines) {
        yield [
          ...head,
          { kind: 'text', text: LEDGER_ACCOUNTS[account as LedgerAccount] ?? account },
          { kind: 'money', pence: debit_pence },
          { kind: 'money', pence: credit_pence },
        ];
      }
    }
    cursor = postings.length === BATCH_SIZE ? postings.at(-1)?.position : undefined;
  } while (cursor !== undefined);
}
