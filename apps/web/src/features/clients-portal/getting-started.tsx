/** Lists what the practice still needs from this user, each step with a link to the place to do it. Hidden once all steps are done. */
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { securityApi } from '@portal/contract/security.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './clients-portal.module.css';

type ToDo = EndpointOutput<typeof clientPortalApi.overview>['to_do'];
type GettingStartedProps = { companyId: string; practice: string; toDo: ToDo };

export function GettingStarted({ companyId, practice, toDo }: GettingStartedProps) {
  if (!toDo.letter && !toDo.consent && !toDo.phone) return null;
  return (
    <SectionCard title={clientText('start.title')}>
      <Stack gap={16}>
        <Text tone="quiet">{clientText('start.lead')}</Text>
        <Stack as="ol" gap={0}>
          {toDo.letter && (
            <li className={styles.item}>
              <Stack gap={8} align="start">
                <Text weight="medium">{clientText('start.letter')}</Text>
                <Button size="small" to={getPageLink('clientsPortalPapers', { company_id: companyId })}>
                  {clientText('start.letter.open')}
                </Button>
              </Stack>
            </li>
          )}
          {toDo.consent && (
            <li className={styles.item}>
              <Consent companyId={companyId} practice={practice} />
            </li>
          )}
          {toDo.phone && (
            <li className={styles.item}>
              <PhoneForm practice={practice} />
            </li>
          )}
        </Stack>
      </Stack>
    </SectionCard>
  );
}

function useRefreshOverview(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: [clientPortalApi.overview.path] });
}

function Consent({ companyId, practice }: { companyId: string; practice: string }) {
  const refresh = useRefreshOverview();
  const giveConsent = useMutation({
    mutationFn: () => apiRequest(clientPortalApi.consent, { company_id: companyId, agree: true }),
    onSuccess: refresh,
  });
  return (
    <Stack gap={8} align="start">
      <Text weight="medium">{clientText('start.consent')}</Text>
      <Text>{clientText('start.consent.text', { practice })}</Text>
      {giveConsent.error !== null && <Failure error={giveConsent.error} />}
      <Button size="small" isBusy={giveConsent.isPending} onClick={() => giveConsent.mutate()}>
        {clientText('start.consent.save')}
      </Button>
    </Stack>
  );
}

function PhoneForm({ practice }: { practice: string }) {
  const { session, check } = useSession();
  const fullName = session.status === 'signed_in' ? (session.person.full_name ?? '') : '';
  const [phone, setPhone] = useState('');
  const refresh = useRefreshOverview();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => apiRequest(onboardingApi.saveAbout, { full_name: fullName, phone }),
    onSuccess: async () => {
      await check();
      await queryClient.invalidateQueries({ queryKey: [securityApi.get.path] });
      await refresh();
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (phone.trim() !== '' && !save.isPending) save.mutate();
      }}
    >
      <Stack gap={8} align="start">
        <Text weight="medium">{clientText('start.phone', { practice })}</Text>
        <FieldFrame id="start-phone" label={clientText('start.phone.label')}>
          <TextInput
            id="start-phone"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            widthInCharacters={20}
            value={phone}
            onChange={({ target: { value } }) => setPhone(value)}
          />
        </FieldFrame>
        {save.error !== null && <Failure error={save.error} />}
        <Row gap={8}>
          <SubmitButton size="small" isBusy={save.isPending} missing={phone.trim() === '' ? clientText('start.phone.missing') : undefined}>
            {clientText('start.phone.save')}
          </SubmitButton>
        </Row>
      </Stack>
    </form>
  );
}

function Failure({ error }: { error: Error }) {
  return (
    <Text role="alert" tone="error">
      {clientText('start.failed')}. {getErrorText(error)}
    </Text>
  );
}
