import { MAX_CLIENTS_FILE_BYTES, MAX_CLIENTS_FILE_ROWS } from '@portal/contract/client-imports.ts';
import { IMPORT_COLUMNS } from '@portal/domain/client-imports/import-columns.ts';
import type { Article } from './article.ts';

export const PRACTICE_IMPORT: Article = {
  key: 'practice-import',
  title: 'Importing clients from a file',
  group: 'Your practice',
  product: 'open_tax',
  pages: ['practiceStepImport', 'clientImport', 'openTaxFreeagent', 'openTaxNomi', 'practiceClients'],
  words:
    'status archived inactive former prospect lead import csv xlsx excel template columns duplicates undo dry run ambiguous freeagent nomi spreadsheet upload',
  write: () => [
    `Upload a CSV or XLSX file of up to ${MAX_CLIENTS_FILE_BYTES / 1024 / 1024} MB and ${MAX_CLIENTS_FILE_ROWS.toLocaleString('en-GB')} clients. Only a name is required, and you can add references later.`,
    'We recognise the columns of TaxDome, BrightManager, Senta, Karbon, Capium, IRIS, TaxCalc, Xero HQ, FreeAgent, Nomi and QuickBooks Online Accountant. Title rows, several sheets, semicolons, tabs and older text encodings are fine. You choose what any other column contains, and we remember it.',
    'Our template has these columns:',
    { list: IMPORT_COLUMNS },
    'Here’s what happens:',
    {
      list: [
        'You see a preview first: what each row would do. Nothing changes yet.',
        'A detail that we can’t read, such as a VAT number with a wrong digit, doesn’t stop the client. We import the client without it and list the row as “Needs fixing”. You can correct it before the import.',
        'We match existing clients by a reference, or by name and postcode, and show which one matched. We fill in missing details and never overwrite anything.',
        'A column such as “Client status” or “Archived” sets each client’s status. Active clients are imported as active, and former, inactive, lost or archived ones as archived. Prospects and leads are left out unless you choose to import them as archived clients. A status that we don’t know needs fixing, and the client is active until then.',
        'If the file gives an existing client another status, we say so and change nothing unless you choose it.',
        'If a row could be more than one client, you choose.',
        'You can download the rows that aren’t imported with the reasons, correct them and upload that file again.',
        'A year end without a year, such as 31 March, is the latest one. A UTR or National Insurance number of a person isn’t used for a company: many exports show a director’s.',
        'A “Taxes” column names exactly the taxes that you look after. A “Services” column adds to the taxes that follow from the client’s type: a company has corporation tax, also if you only do its VAT returns. If you look after nothing else, choose “Taxes” for that column.',
        'Members of a VAT group share a VAT number. We import each of them, leave the number and VAT with the first, so that they count once, and list the others as “Needs fixing”: check that the first is the representative member. A shared PAYE reference works the same.',
        'You can stop an import, and it continues where it left off after an error. You can undo it for 24 hours. Anything changed by hand since then stays.',
        'Your assignment rules (Settings, Team) assign the new clients to your colleagues by postcode area, tax or first letter of the name. The preview shows how many each would get.',
        'If HMRC is connected, we read the new clients’ VAT and Self Assessment figures as soon as the import ends.',
      ],
    },
    'HMRC doesn’t give software a list of an agent’s clients, so the list has to come from you.',
  ],
};
