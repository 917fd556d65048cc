import { OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import { isOpenTaxPath } from '@portal/contract/pages/open-tax-path.ts';
import { useId } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Page } from '../ui/page.tsx';
import { Button } from '../ui/button.tsx';
import { ButtonRow } from '../ui/button-row.tsx';
import { TextInput } from '../ui/input.tsx';
import { Stack, Row } from '../ui/layout.tsx';
import { Text } from '../ui/text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useSession } from '../core/session.tsx';

/** Shown for a path that is not a page of the portal. */
export function NotFoundScreen() {
  const isOpenTax = isOpenTaxPath(useLocation().pathname);
  const { session } = useSession();
  const help = isOpenTax ? OPEN_TAX_HELP : PAGES.help.path;
  return (
    <Page
      title="Page not found"
      maxWidth="text"
      lead="Check that the web address is correct, or use one of the links below. Everything you’ve saved is safe."
    >
      <Stack gap={24}>
        <ButtonRow>
          {session.status === 'signed_out' ? (
            // The landing page is a separate document.
            <Button to={isOpenTax ? PAGES.openTaxLanding.path : PAGES.instantVatLanding.path} reloadDocument>
              Go to the home page
            </Button>
          ) : (
            <Button to={PAGES.home.path}>Go to your home page</Button>
          )}
          <Button to={isOpenTax ? PAGES.openTaxContact.path : PAGES.contact.path} variant="outlined">
            Contact us
          </Button>
        </ButtonRow>
        <SearchHelp help={help} />
        <Text>
          You can also <TextLink to={help}>browse all help articles</TextLink>
          {!isOpenTax && (
            <>
              {' '}
              or <TextLink to={PAGES.demo.path}>try the demo</TextLink>
            </>
          )}
          .
        </Text>
      </Stack>
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
      <Stack gap={4}>
        <Text as="label" htmlFor={id} weight="medium">
          Search help
        </Text>
        <Row wrap={false}>
          <TextInput id={id} name="q" type="search" />
          <Button type="submit" variant="outlined">
            Search
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
