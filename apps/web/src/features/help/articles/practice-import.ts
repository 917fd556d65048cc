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
    'turnover status archived inactive former prospect lead import csv xlsx excel template columns duplicates undo dry run ambiguous freeagent nomi spreadsheet upload',
  write: () => [
    `Upload a CSV or XLSX file of up to ${MAX_CLIENTS_FILE_BYTES / 1024 / 1024} MB and ${MAX_CLIENTS_FILE_ROWS.toLocaleString('en-GB')} clients. Only a name is required, and you can add references later.`,
    'We recognise the columns of TaxDome, BrightManager, Senta, Karbon, Capium, IRIS, TaxCalc, Xero HQ, FreeAgent, Nomi and QuickBooks Online Accountant. Title rows, several sheets, semicolons, tabs and older text encodings are fine. You choose what any other column contains, and we remember it.',
    'Our template has these columns:',
    { list: IMPORT_COLUMNS },
    'Here’s what happens:',
    {
      list: [
        'You see a preview first, with what each row would do. Nothing changes yet.',
        'If we can’t read a detail, such as a VAT number with a wrong digit, we import the client without it and list the row as “Needs fixing”. You can correct it before the import.',
        'We match existing clients by a reference, or by name and postcode, and show what matched. We fill in missing details and never overwrite anything.',
        'A column such as “Client status” or “Archived” sets each client’s status. Active clients are imported as active, and former, inactive, lost or archived ones as archived. Prospects and leads are left out unless you choose to import them as archived clients. A status we don’t recognise needs fixing; until you fix it, the client is active.',
        'If the file gives an existing client a different status, we tell you and change nothing unless you choose to.',
        'If a row matches more than one client, you choose.',
        'You can download the rows that weren’t imported with the reasons, correct them and upload the file again.',
        'A year end without a year, such as 31 March, is assumed to be the latest one. We don’t use a person’s UTR or National Insurance number for a company, because many exports contain a director’s.',
        'Two columns state a client’s taxable turnover: “taxable_turnover” in pounds, excluding VAT, and “turnover_to”, the last day of the 12 months, which is the end of one of the last six months. It’s stored as your practice’s own figure, and the assistant uses it for the VAT registration threshold and VAT schemes. If you already have a figure for the same 12 months, we keep yours. A column with just “Turnover” isn’t imported unless you choose it, because it may be the turnover in the accounts.',
        'A “Taxes” column lists exactly the taxes you look after. A “Services” column adds to the taxes that follow from the client’s type: a company has corporation tax, even if you only do its VAT returns. If you don’t look after anything else, choose “Taxes” for that column.',
        'Members of a VAT group share a VAT number, and only the representative member files and pays. A column “VAT group role” with representative, member or no tells us who is which. Without it, we record the number and VAT for the first client, so that they count once, and list the others as “Needs fixing”: choose “Set VAT group” there once, and later imports won’t ask again. You can also set a VAT group on a client’s page. For a shared PAYE reference, check which client is the employer.',
        'You can stop an import, and it continues where it left off after an error. You can undo it for 24 hours. Anything changed manually since then is kept.',
        'Your assignment rules (Settings, Team) assign the new clients to your colleagues by postcode area, tax or first letter of the name. The preview shows how many each person would get.',
        'If HMRC is connected, we get the new clients’ VAT and Self Assessment figures as soon as the import ends.',
      ],
    },
    'HMRC doesn’t give software a list of an agent’s clients, so you need to supply the list.',
  ],
};
