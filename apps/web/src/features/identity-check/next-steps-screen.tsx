/** Shows the status of the identity check and the next step. The provider redirects the browser back here. */
import { PAGES } from '@portal/contract/pages.ts';
import { tasksApi } from '@portal/contract/tasks.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { describeIdentityCheck, describeReason, type IdentityCheck } from './identity-check-labels.ts';
import { useIdentityCheck, useStartIdentityCheck } from './use-identity-check.ts';
import styles from './identity-check.module.css';

export function IdentityNextStepsScreen() {
  const query = useIdentityCheck();
  return (
    <Page title="Your identity check" maxWidth="form">
      <LoadState query={query} skeleton={<CardSkeleton lines={5} />}>
        {(check) => <CheckStatus check={check} />}
      </LoadState>
    </Page>
  );
}

function CheckStatus({ check }: { check: IdentityCheck }) {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const startCheck = useStartIdentityCheck();
  const checkDescription = describeIdentityCheck(check);
  // If a refund is waiting for this check, continue with the refund's next task.
  const tasks = useQuery({ ...apiQuery(tasksApi.list, {}), enabled: check.status === 'passed' });
  const refundTask = tasks.data?.tasks.find(({ subject }) => subject === 'advance');
  const goOn = () => void navigate(refundTask?.path ?? PAGES.getStarted.path);
  return (
    <SectionCard>
      {startCheck.error !== null && <ErrorSummary errors={[{ field: undefined, message: getErrorText(startCheck.error) }]} />}
      <StatusPanel
        state={startCheck.isPending ? 'loading' : checkDescription.state}
        heading={checkDescription.heading}
        // Set when the browser has just returned from the provider.
        isResult={search.has('check_id')}
        subHeading={checkDescription.text}
        onContinue={checkDescription.startLabel === undefined ? goOn : () => startCheck.mutate()}
        continueLabel={checkDescription.startLabel ?? 'Continue'}
      >
        <Stack gap={8}>
          {checkDescription.showsReasons && check.reasons.length > 0 && (
            <div className={styles.reasons}>
              <Text weight="medium">{check.reasons.length === 1 ? 'Reason' : 'Reasons'}</Text>
              <ul className={styles.bullets}>
                {[...new Set(check.reasons.map(describeReason))].map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            </div>
          )}
          {check.completed_at !== null && (
            <Text size="small" tone="quiet">
              Result from <InstantText at={check.completed_at} />
            </Text>
          )}
        </Stack>
      </StatusPanel>
      {checkDescription.startLabel !== undefined && (
        <Row justify="center">
          <Button to={PAGES.getStarted.path} variant="text">
            Back to your checklist
          </Button>
        </Row>
      )}
    </SectionCard>
  );
}
