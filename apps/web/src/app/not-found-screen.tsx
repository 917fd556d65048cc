import './shell.css';
import { isOpenTaxPath, OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import { useId } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Page } from '../ui/page.tsx';
import { LinkButton, PlainButton } from '../ui/plain-button.tsx';
import { useSession } from '../core/session.tsx';

/** Shown for a path that is not a page of the portal. */
export function NotFoundScreen() {
  const isOpenTax = isOpenTaxPath(useLocation().pathname);
  const { session } = useSession();
  const help = isOpenTax ? OPEN_TAX_HELP : PAGES.help.path;
  return (
    <Page
      title="We cannot find this page"
      maxWidth="text"
      lead="The address may be mistyped, or the page is not part of this version of the portal. Nothing you saved is lost."
    >
      <div className="p-row p-ways p-not-found-ways">
        {session.status === 'signed_out' ? (
          // The landing page is a separate document.
          <LinkButton to={isOpenTax ? PAGES.openTaxLanding.path : PAGES.instantVatLanding.path} reloadDocument>
            Go to the start page
          </LinkButton>
        ) : (
          <LinkButton to={PAGES.home.path}>Go to your home page</LinkButton>
        )}
        <LinkButton to={isOpenTax ? PAGES.openTaxContact.path : PAGES.contact.path} variant="outlined">
          Contact us
        </LinkButton>
      </div>
      <SearchHelp help={help} />
      <p className="p-not-found-more">
        Or see{' '}
        <Link className="p-link" to={help}>
          all of the help
        </Link>
        {!isOpenTax && (
          <>
            , or{' '}
            <Link className="p-link" to={PAGES.demo.path}>
              the demo
            </Link>
          </>
        )}
        .
      </p>
    </Page>
  );
}

function SearchHelp({ help }: { help: string }) {
  const id = useId();
  const navigate = useNavigate();
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const question = new FormData(event.currentTarget).get('q');
        void navigate({
          pathname: help,
          search: `?${new URLSearchParams({ q: typeof question === 'string' ? question : '' })}`,
        });
      }}
    >
      <label htmlFor={id} className="p-label">
        Search the help
      </label>
      <div className="p-not-found-search">
        <input id={id} name="q" type="search" />
        <PlainButton type="submit" variant="outlined">
          Search
        </PlainButton>
      </div>
    </form>
  );
}
