import type { BooksConnection } from '@portal/contract/books-connection.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { DateText, InstantText } from '../formats/date-text.tsx';

const NOT_RECORDED =
  'Not recorded in QuickBooks: no supplier has a tax registration number there. This means claims from suppliers without a VAT number aren’t flagged.';

/** The known facts about the connected books, and any missing permissions. */
export function BooksFacts({ connection }: { connection: BooksConnection }) {
  const {
    program,
    organisation_name: organisation,
    vat_number: vatNumber,
    basis,
    last_read_at: readAt,
    locked_until: lockedUntil,
  } = connection;
  return (
    <FactList
      facts={[
        { label: 'Software', value: BOOKS_PROVIDER_NAMES[program] },
        { label: 'Organisation', value: organisation ?? 'Not chosen yet' },
        ...(vatNumber === null ? [] : [{ label: 'VAT number', value: formatVrn(vatNumber) }]),
        ...(basis === null
          ? []
          : [
              {
                label: 'VAT accounting',
                value: basis === 'cash' ? 'Cash accounting: by payment date' : 'Standard accounting: by invoice date',
              },
            ]),
        ...(readAt === null ? [] : [{ label: 'Last read', value: <InstantText at={readAt} /> }]),
        ...(lockedUntil === null ? [] : [{ label: 'Locked until', value: <DateText date={lockedUntil} /> }]),
        ...(connection.not_permitted.length > 0
          ? [{ label: 'Suppliers’ VAT numbers', value: describeMissingPermission(connection) }]
          : connection.has_no_supplier_numbers
            ? [{ label: 'Suppliers’ VAT numbers', value: NOT_RECORDED }]
            : []),
      ]}
    />
  );
}

function describeMissingPermission({ program, is_by_practice: isByPractice }: BooksConnection): string {
  const name = BOOKS_PROVIDER_NAMES[program];
  return `Not read, because our permission in ${name} doesn’t include contacts. This means claims from suppliers without a VAT number aren’t flagged. To add it, connect ${name} again${isByPractice ? ' for all clients' : ''}.`;
}
