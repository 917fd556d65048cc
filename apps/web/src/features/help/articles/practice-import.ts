import { MAX_CLIENTS_FILE_BYTES, MAX_CLIENTS_FILE_ROWS } from '@portal/contract/client-imports.ts';
import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import type { Article } from './article.ts';

export const PRACTICE_IMPORT: Article = {
  key: 'practice-import',
  title: 'Importing clients from a file',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceStepImport', 'clientImport', 'openTaxFreeagent', 'openTaxNomi', 'practiceClients'],
  words: 'import csv xlsx excel template columns duplicates undo dry run ambiguous freeagent nomi spreadsheet upload',
  write: () => [
    `Upload a CSV or XLSX file of up to ${MAX_CLIENTS_FILE_BYTES / 1024 / 1024} MB and ${MAX_CLIENTS_FILE_ROWS.toLocaleString('en-GB')} clients. Only a name is required, and you can add references later. We recognise the usual column names in other products’ exports.`,
    'Our template has these columns:',
    { list: IMPORT_COLUMNS },
    'Here’s what happens:',
    {
      list: [
        'You see a preview first: what each row would do, and why we can’t read a row. Nothing changes yet.',
        'We match existing clients by a reference, or by name and postcode. We fill in missing details and never overwrite anything.',
        'If a row could be more than one client, you choose.',
        'You can stop an import, and it continues where it left off after an error. You can undo it for 24 hours. Anything changed by hand since then stays.',
      ],
    },
    'HMRC doesn’t give software a list of an agent’s clients, so the list has to come from you.',
  ],
};
