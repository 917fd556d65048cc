/** The user's profile, how they log in, who else can see the company's taxes, and leaving the company. */
import { clientPortalApi } from '@portal/contract/client-portal.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { securityApi } from '@portal/contract/security.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { DataCard } from '../../components/data-protection/data-card.tsx';
import { useSession } from '../../core/session.tsx';
import { clientInstant, clientText } from '../../lib/client-texts/client-texts.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './clients-portal.module.css';

type PeopleOutput = EndpointOutput<typeof clientPortalApi.people>;
type Security = EndpointOutput<typeof securityApi.get>;

export function ProfileCards({ companyId, client }: { companyId: string; client: PeopleOutput }) {
  const query = useQuery(apiQuery(securityApi.get, {}));
  return (
    <Stack gap={24}>
      <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
        {(security) => <YourDetailsCard security={security} />}
      </LoadState>
      <People companyId={companyId} client={client} />
      <DataCard account={{ of: 'person' }} />
    </Stack>
  );
}

function YourDetailsCard({
  security: { email, full_name: fullName, phone, has_password, authenticator, passkeys },
}: {
  security: Security;
}) {
  return (
    <>
      <SectionCard title={clientText('you.title')}>
        <Stack gap={24}>
          <FactList facts={[{ label: clientText('you.email'), value: email }]} />
          <PersonForm fullName={fullName} phone={phone ?? ''} />
        </Stack>
      </SectionCard>
      <SectionCard title={clientText('login.title')}>
        <Stack gap={16} align="start">
          <FactList
            facts={[
              { label: clientText('login.password'), value: clientText(has_password ? 'login.password_set' : 'login.password_none') },
              { label: clientText('login.passkeys'), value: passkeys.length === 0 ? clientText('login.none') : String(passkeys.length) },
              { label: clientText('login.app'), value: clientText(authenticator === null ? 'login.app_none' : 'login.app_on') },
            ]}
          />
          <Button to={PAGES.profile.path} variant="outlined">
            {clientText('login.change')}
          </Button>
        </Stack>
      </SectionCard>
    </>
  );
}

function PersonForm({ fullName, phone }: { fullName: string; phone: string }) {
  const { check } = useSession();
  const toast = useToast();
  const queryClient = useQueryClient();
  const form = useContractForm<typeof onboardingApi.saveAbout, { full_name: string; phone: string }>(onboardingApi.saveAbout, {
    defaults: { full_name: fullName, phone },
    send: async (input) => {
      await apiRequest(onboardingApi.saveAbout, input);
      await check();
      await queryClient.invalidateQueries({ queryKey: [securityApi.get.path] });
      toast('success', clientText('you.saved'));
    },
  });
  return (
    <FormPanel form={form} submitLabel={clientText('you.save')} busyLabel={clientText('you.saving')}>
      <FormField form={form} name="full_name" label={clientText('you.name')} autoComplete="name" />
      <FormField
        form={form}
        name="phone"
        label={clientText('start.phone.label')}
        optional
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        widthInCharacters={20}
      />
    </FormPanel>
  );
}

function People({ companyId, client: { name, practice, people } }: { companyId: string; client: PeopleOutput }) {
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <SectionCard title={clientText('people.title', { name })}>
      <Stack gap={16} align="start">
        <Stack as="ul" gap={12}>
          {people.map(({ email, full_name: fullName, joined_at: joinedAt, is_you: isYou }) => (
            <li key={email} className={styles.person}>
              <Text weight="medium">{isYou ? clientText('people.you', { name: fullName }) : fullName}</Text>
              <Text size="small" tone="quiet">
                {clientText('people.since', { email, at: clientInstant(joinedAt) })}
              </Text>
            </li>
          ))}
        </Stack>
        <Text size="small" tone="quiet">
          {clientText('people.hint', { practice })}
        </Text>
        <Button variant="outlined" tone="error" onClick={() => setIsLeaving(true)}>
          {clientText('leave.open', { name })}
        </Button>
      </Stack>
      {isLeaving && <LeaveDialog companyId={companyId} name={name} practice={practice} onClose={() => setIsLeaving(false)} />}
    </SectionCard>
  );
}

type LeaveDialogProps = { companyId: string; name: string; practice: string; onClose: () => void };

function LeaveDialog({ companyId, name, practice, onClose }: LeaveDialogProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { check } = useSession();
  const leave = useMutation({
    mutationFn: () => apiRequest(clientPortalApi.leave, { company_id: companyId, confirm: true }),
    onSuccess: async () => {
      // Opens the user's other companies, if they have any.
      await navigate(PAGES.clientsPortalDashboard.path, { replace: true });
      await check();
      await queryClient.invalidateQueries({ queryKey: [identityApi.userCompanies.path] });
    },
  });
  return (
    <ModalDialog
      open
      small
      heading={clientText('leave.title', { name })}
      onClose={onClose}
      loading={leave.isPending}
      actions={
        <>
          <Button variant="outlined" onClick={onClose}>
            {clientText('leave.cancel')}
          </Button>
          <Button tone="error" disabled={leave.isPending} onClick={() => leave.mutate()}>
            {clientText('leave.confirm')}
          </Button>
        </>
      }
    >
      {leave.error !== null && (
        <Notice tone="error" title={clientText('leave.failed')} role="alert">
          {getErrorText(leave.error)}
        </Notice>
      )}
      <Text>{clientText('leave.text', { name, practice })}</Text>
    </ModalDialog>
  );
}
