import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Page } from '../../ui/page.tsx';

/** Shown to users who don't belong to a practice, or who opened another practice's settings. */
export function NoPractice() {
  return (
    <Page
      title="You don’t have access to this practice"
      maxWidth="text"
      lead="These settings are for an accounting practice. You can go to your own pages or set up a practice. It takes about five minutes, and you can stop and come back."
    >
      <ButtonRow>
        <Button to={PAGES.home.path}>Go to my pages</Button>
        <Button to={getPracticeStepPath('practice')} variant="outlined">
          Set up a practice
        </Button>
      </ButtonRow>
    </Page>
  );
}
