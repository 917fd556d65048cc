import { PAGES } from '@portal/contract/pages.ts';
import { useOtherWork } from '../../core/other-work.ts';
import { Page } from '../../ui/page.tsx';
import { LinkButton } from '../../ui/plain-button.tsx';

/** Shown when no company is given and the person or browser has none yet. */
export function NoCompany() {
  const work = useOtherWork();
  if (work !== undefined) {
    return (
      <Page title="This dashboard is for traders" maxWidth="text" lead={`You have no company of your own here. ${work.meaning}`}>
        <LinkButton to={work.to}>{work.action}</LinkButton>
      </Page>
    );
  }
  return (
    <Page
      title="Add your company first"
      maxWidth="text"
      lead="We need to know whose VAT this is about. It takes about five minutes, and you can stop and come back."
    >
      <LinkButton to={PAGES.stepCompany.path}>Add your company</LinkButton>
    </Page>
  );
}
