import { MAX_CLIENTS_FILE_BYTES, MAX_CLIENTS_FILE_ROWS } from '@portal/contract/client-imports.ts';
import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import type { Article } from './article.ts';

export const PRACTICE_IMPORT: Article = {
  key: 'practice-import',
  title: 'Bringing your clients in from a file',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceStepImport', 'clientImport', 'openTaxFreeagent', 'openTaxNomi', 'practiceClients'],
  words: 'import csv xlsx excel template columns duplicates undo dry run ambiguous freeagent nomi spreadsheet upload',
  write: () => [
    `A CSV or XLSX file of at most ${MAX_CLIENTS_FILE_BYTES / 1024 / 1024} MB and ${MAX_CLIENTS_FILE_ROWS.toLocaleString('en-GB')} clients. Only a name is needed; every reference can follow later. The columns of other products’ exports are known by their usual names.`,
    { table: { caption: 'The columns of our template', head: ['Column'], rows: IMPORT_COLUMNS.map((column) => [column]) } },
    {
      list: [
        'First comes a dry run: what each row would do, and why a row cannot be read. Nothing is changed by it.',
        'A client is known again by a reference, or else by name and postcode. It gets what is missing; nothing is overwritten.',
        'Where a row could be one client or another, you choose.',
        'An import can be stopped, goes on after a fault where it stood, and can be undone for 24 hours. What was changed by hand since stays.',
      ],
    },
    'HMRC gives no software a list of an agent’s clients. So the list comes from you.',
  ],
};
