import { PAGES } from '@portal/contract/pages.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

/**
 * Shown if the user can't access the company in the URL: it may be mistyped, someone else's, or no longer theirs. The page doesn't reveal
 * which.
 */
export function UnknownCompany() {
  return (
    <Page
      title="We can’t find this company"
      maxWidth="text"
      lead="The link may be wrong, or the company may belong to another login. Your own companies haven’t changed."
    >
      <Button to={PAGES.company.path}>Choose one of your companies</Button>
    </Page>
  );
}
