import { GRANT_OUTCOMES, type BooksGrant, type GrantOutcome } from '@portal/contract/practice-books.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Notice } from '../../ui/notice.tsx';

const MESSAGES: Readonly<Record<Exclude<GrantOutcome, 'books_connected'>, (name: string) => { title: string; text: string }>> = {
  books_declined: (name) => ({
    title: 'You didn’t give permission',
    text: `Nothing has changed. You can connect ${name} at any time.`,
  }),
  books_no_permission: (name) => ({
    title: `${name} didn’t let us read clients’ books`,
    text: `A permission was left out, or your role in ${name} doesn’t include it. Connect again and allow everything on the list, or ask a colleague with full access to connect.`,
  }),
  books_not_allowed: (name) => ({
    title: 'You can’t connect clients’ books',
    text: `Nothing has changed. Ask an admin of your practice to connect ${name}, or to give you the “Manage connections” permission.`,
  }),
  books_no_organisation: (name) => ({
    title: 'No organisation was connected',
    text:
      name === 'FreeAgent'
        ? 'FreeAgent lists no clients for this login. Log in as an account manager who has access to your clients.'
        : 'In Xero, choose at least one client’s organisation. An organisation can have two apps that Xero hasn’t certified yet. If it already has two, remove one in Xero under Settings, Connected apps.',
  }),
  books_missing_organisations: (name) => ({
    title: `This ${name} login doesn’t have access to some of your clients’ organisations`,
    text: `Nothing has changed. Use a ${name} login that has access to them, or unlink them first.`,
  }),
  books_failed: (name) => ({
    title: 'The books weren’t connected',
    text: `${name} couldn’t complete the connection. Try again in a few minutes.`,
  }),
};

/** The outcome of connecting, from the URL that the provider redirected the browser to. */
export function GrantOutcomeNotice({ grants }: { grants: readonly BooksGrant[] }) {
  const params = useSearchParams()[0];
  const outcome = GRANT_OUTCOMES.find((item) => item === params.get('outcome'));
  const grant = grants.find(({ program }) => program === params.get('program'));
  // The card itself shows whether the bookkeeping software is connected. Adding organisations can still fail afterwards.
  if (outcome === undefined || outcome === 'books_connected' || grant === undefined) return null;
  // Reloading the page must not show an outcome that a later login has superseded.
  if (grant.connected_at !== null && grant.connected_at > (params.get('at') ?? '')) return null;
  const { title, text } = MESSAGES[outcome](BOOKS_PROVIDER_NAMES[grant.program]);
  return (
    <Notice tone={outcome === 'books_declined' ? 'info' : 'warning'} title={title} role="status">
      {text}
    </Notice>
  );
}
