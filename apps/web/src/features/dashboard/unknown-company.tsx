import { PAGES } from '@portal/contract/pages.ts';
import { Page } from '../../ui/page.tsx';
import { LinkButton } from '../../ui/plain-button.tsx';

/** The company in the URL isn't available to this person: mistyped, someone else's, or no longer theirs. The page doesn't reveal which. */
export function UnknownCompany() {
  return (
    <Page
      title="We cannot find this company"
      maxWidth="text"
      lead="The link may be mistyped, or the company belongs to another login. Nothing has changed at your own companies."
    >
      <LinkButton to={PAGES.company.path}>Choose one of your companies</LinkButton>
    </Page>
  );
}
