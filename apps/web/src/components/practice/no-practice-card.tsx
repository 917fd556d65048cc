import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

/** Shown if an OpenTax page is opened without a practice, or for a company that isn't one of the user's practices. */
export function NoPracticeCard({ title }: { title: string }) {
  return (
    <Page title={title} maxWidth="text">
      <SectionCard title="You don’t have access to this practice">
        <Stack align="start">
          <Text>Choose one of your companies, or set up a practice on OpenTax.</Text>
          <ButtonRow>
            <Button to={PAGES.company.path} variant="outlined">
              Your companies
            </Button>
            <Button to={getPracticeStepPath('practice')} variant="outlined">
              Set up a practice
            </Button>
          </ButtonRow>
        </Stack>
      </SectionCard>
    </Page>
  );
}
