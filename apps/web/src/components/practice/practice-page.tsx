import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import type { PageBodyProps } from '../../ui/page-body.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { PracticeNav } from './practice-nav.tsx';

type PracticePageProps = Omit<PageBodyProps, 'before'> & {
  /** For steps and for people outside the practice, who see one page only. */
  hidesNavigation?: boolean | undefined;
};

/** A page about the practice in the URL, with OpenTax's navigation. Without a practice of the user's, it shows the way to one. */
export function PracticePage({ hidesNavigation = false, ...page }: PracticePageProps) {
  const { companyId, isSettled } = useCompanyId();
  const profile = usePracticeProfile(companyId);
  if ((isSettled && companyId === '') || profile.error?.status === 404) return <NoPractice title={page.title} />;
  return <Page {...page} before={hidesNavigation ? undefined : <PracticeNav companyId={companyId} />} />;
}

/** Shown if an OpenTax page is opened without a practice, or for a company that isn't one of the user's practices. */
function NoPractice({ title }: { title: string }) {
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
