import { BOOKS_OUTCOMES, type BooksOutcome } from '@portal/contract/books-connection.ts';
import { BOOKS_PROVIDER_NAMES, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Notice } from '../../ui/notice.tsx';

type Messages = Readonly<Record<Exclude<BooksOutcome, 'books_connected'>, (name: string) => { title: string; text: string }>>;

const MESSAGES: Messages = {
  books_declined: (name) => ({
    title: 'You didn’t give permission',
    text: `Nothing has changed. You can connect ${name} at any time, or upload a file of your books.`,
  }),
  books_no_permission: (name) => ({
    title: `${name} didn’t let us read your books`,
    text: `Either a permission wasn’t granted, or your role in ${name} doesn’t include it. Connect again and allow everything on the list, or ask someone with full access to connect.`,
  }),
  books_not_allowed: (name) => ({
    title: 'You can’t connect books for this company',
    text: `Nothing has changed. Ask an owner of the company to connect ${name}.`,
  }),
  books_no_organisation: (name) => ({
    title: 'No organisation was connected',
    text:
      name === 'Xero'
        ? 'Xero lets an organisation connect two apps that it hasn’t certified yet. If yours already has two, remove one in Xero under Settings, Connected apps. You also need a role that can connect apps, such as Adviser or Standard. Then connect again.'
        : `${name} didn’t tell us which company’s books to read. Connect again and choose your company.`,
  }),
  books_failed: (name) => ({
    title: 'Your books weren’t connected',
    text: `${name} couldn’t complete the connection. Try again in a few minutes.`,
  }),
};

/** For accountants connecting a client's books. */
const CLIENT_MESSAGES: Messages = {
  books_declined: (name) => ({
    title: 'You didn’t give permission',
    text: `Nothing has changed. You can connect ${name} at any time, or upload a file of the client’s books.`,
  }),
  books_no_permission: (name) => ({
    title: `${name} didn’t let us read the client’s books`,
    text: `Either a permission wasn’t granted, or your role in ${name} doesn’t include it. Connect again and allow everything on the list, or ask someone with full access to connect.`,
  }),
  books_not_allowed: (name) => ({
    title: 'You can’t connect this client’s books',
    text: `Nothing has changed. Ask an admin of your practice to connect ${name}, or to give you the “Manage connections” permission.`,
  }),
  books_no_organisation: (name) => ({
    title: 'No company was connected',
    text: `${name} didn’t tell us which company’s books to read. Connect again and choose the client’s company.`,
  }),
  books_failed: (name) => ({
    title: 'The client’s books weren’t connected',
    text: `${name} couldn’t complete the connection. Try again in a few minutes.`,
  }),
};

/** Shows the outcome of connecting, taken from the URL that the browser returned to. Renewing an existing connection can fail too. */
export function BooksOutcomeNotice({ isOfClient }: { isOfClient: boolean }) {
  const params = useSearchParams()[0];
  const outcome = BOOKS_OUTCOMES.find((item) => item === params.get('outcome'));
  if (outcome === undefined || outcome === 'books_connected') return null;
  const providerName = params.get('program') ?? '';
  const name = Object.hasOwn(BOOKS_PROVIDER_NAMES, providerName) ? BOOKS_PROVIDER_NAMES[providerName as BooksProviderName] : 'The software';
  const { title, text } = (isOfClient ? CLIENT_MESSAGES : MESSAGES)[outcome](name);
  return (
    <Notice tone={outcome === 'books_declined' ? 'info' : 'warning'} title={title} role="status">
      {text}
    </Notice>
  );
}
