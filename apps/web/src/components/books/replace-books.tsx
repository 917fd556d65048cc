/** Asks before an organisation replaces a client's existing books, from its own connection or an uploaded file. */
import type { OwnBooks } from '@portal/contract/own-books.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { Checkbox } from '../../ui/choice.tsx';

type ReplaceBooksProps = { books: OwnBooks; isChosen: boolean; onChange: (isChosen: boolean) => void };

export function ReplaceBooks({ books, isChosen, onChange }: ReplaceBooksProps) {
  const ownBooks =
    books.program === null
      ? `the file ${books.file_name ?? 'that was uploaded'}`
      : `${BOOKS_PROVIDER_NAMES[books.program]}, connected for this client only`;
  return (
    <Checkbox
      label="Replace the client’s current books"
      hint={`These came from ${ownBooks}. Replacing them removes their figures and cancels any approvals.`}
      checked={isChosen}
      onChange={({ target: { checked } }) => onChange(checked)}
    />
  );
}
