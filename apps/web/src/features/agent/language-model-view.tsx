/** Shows whether draft texts may be sent to a language model (an admin must agree to this), and what has been sent. */
import { languageModelApi, type LanguageModelStatus } from '@portal/contract/language-model.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { InstantText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import styles from './agent.module.css';
import { ModelCallList } from './model-call-list.tsx';
import { useInvalidateAgent } from './use-agent.ts';

export function LanguageModelView({ companyId }: { companyId: string }) {
  const status = useQuery(apiQuery(languageModelApi.status, { company_id: companyId }));
  return (
    <LoadState query={status} skeleton={<CardSkeleton lines={8} />}>
      {(data) => (
        <Stack gap={16}>
          <AgreementCard companyId={companyId} status={data} />
          {data.may_manage && <ModelCallList companyId={companyId} />}
        </Stack>
      )}
    </LoadState>
  );
}

function AgreementCard({ companyId, status }: { companyId: string; status: LanguageModelStatus }) {
  const { endpoint, version, terms, is_agreed: hasConsent, agreement, may_manage: canManage } = status;
  const invalidate = useInvalidateAgent();
  const acceptAgreement = useMutation({
    mutationFn: (isWanted: boolean) =>
      apiRequest(languageModelApi.agree, { company_id: companyId, is_agreed: isWanted, version, host: endpoint?.host ?? '' }),
    onSettled: invalidate,
  });
  return (
    <SectionCard
      title="Rewording by a language model"
      aside={
        hasConsent ? <StateChip label="On" icon="checkCircle" tone="success" /> : <StateChip label="Off" icon="lock" tone="secondary" />
      }
      {...(endpoint === null ? {} : { source: `${endpoint.model} at ${endpoint.host}` })}
    >
      <Stack gap={12}>
        <Text>
          A language model can suggest another wording for a draft. It never decides or sends anything. We send it one draft at a time,
          without the figures, dates and names found in the text.
        </Text>
        {endpoint === null && (
          <Notice tone="info" title="Not available here">
            No language model is set up, so no text is sent to one. You can edit drafts yourself.
          </Notice>
        )}
        {agreement !== null && (
          <Text size="small" tone="quiet">
            {hasConsent ? 'Agreed' : 'Nothing is sent, because the terms or the endpoint have changed since this was agreed'} by{' '}
            {agreement.agreed_by}, <InstantText at={agreement.agreed_at} /> (version {agreement.version}, {agreement.host}).
          </Text>
        )}
        {endpoint !== null && (
          <>
            <Heading level={3} size="part">
              What’s sent outside the portal (version {version})
            </Heading>
            <ul className={styles.reasons}>
              {terms.map((term) => (
                <li key={term}>{term}</li>
              ))}
            </ul>
            <Text size="small">
              {status.sent_today.toLocaleString('en-GB')} of up to {status.per_day.toLocaleString('en-GB')} requests sent in the last 24
              hours.
            </Text>
          </>
        )}
        {acceptAgreement.error && (
          <Notice tone="error" title="Nothing has changed" role="alert">
            {getErrorText(acceptAgreement.error)}
          </Notice>
        )}
        {!canManage && endpoint !== null && !hasConsent && <Text size="small">Ask an admin of your practice to agree.</Text>}
        {canManage && (endpoint !== null || agreement !== null) && (
          <Row gap={8}>
            {!hasConsent && endpoint !== null && (
              <Button size="small" onClick={() => acceptAgreement.mutate(true)} isBusy={acceptAgreement.isPending}>
                Agree and switch on
              </Button>
            )}
            {agreement !== null && (
              <Button
                size="small"
                tone="error"
                variant="outlined"
                onClick={() => acceptAgreement.mutate(false)}
                isBusy={acceptAgreement.isPending}
              >
                Withdraw agreement
              </Button>
            )}
          </Row>
        )}
      </Stack>
    </SectionCard>
  );
}
