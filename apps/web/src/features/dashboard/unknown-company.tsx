import { PAGES } from '@portal/contract/pages.ts';
import { Page } from '../../ui/page.tsx';
import { LinkButton } from '../../ui/plain-button.tsx';

/** The address names a company that is not here for this person: mistyped, of somebody else, or not theirs any more. Which of these is not said. */
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
