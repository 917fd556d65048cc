import { PAGES } from '@portal/contract/pages.ts';
import { useOtherHome } from '../../core/other-home.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

/** Shown if no company is given, and neither the user nor the browser has one yet. */
export function NoCompany() {
  const home = useOtherHome();
  if (home !== undefined) {
    return (
      <Page title="This page is for companies" maxWidth="text" lead={`You don’t have a company of your own here. ${home.meaning}`}>
        <Button to={home.to}>{home.action}</Button>
      </Page>
    );
  }
  return (
    <Page title="Add your company first" maxWidth="text" lead="It takes about five minutes, and you can stop and come back at any time.">
      <Button to={PAGES.stepCompany.path}>Add your company</Button>
    </Page>
  );
}
