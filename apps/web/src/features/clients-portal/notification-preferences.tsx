import { clientPortalApi, REMIND_DAYS, type NotificationPreference } from '@portal/contract/client-portal.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Checkbox, Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './clients-portal.module.css';

type Props = { companyId: string; name: string };

export function NotificationPreferences({ companyId, name }: Props) {
  const query = useQuery(apiQuery(clientPortalApi.preference, { company_id: companyId }));
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
      {(preference) => <PreferenceForm key={companyId} companyId={companyId} name={name} saved={preference} />}
    </LoadState>
  );
}

const CHOICES = [...REMIND_DAYS, null] as const;
const getLabel = (days: (typeof CHOICES)[number]): string =>
  days === null ? clientText('remind.never') : clientText('remind.days', { count: days });

function PreferenceForm({ companyId, name, saved }: Props & { saved: NotificationPreference }) {
  const [chosenPreferences, setChosen] = useState(saved);
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => apiRequest(clientPortalApi.savePreference, { company_id: companyId, ...chosenPreferences }),
    onSuccess: async () => {
      toast('success', clientText('preferences.saved'));
      await queryClient.invalidateQueries({ queryKey: [clientPortalApi.preference.path] });
    },
  });
  const isChanged = chosenPreferences.remind_days !== saved.remind_days || chosenPreferences.people_emails !== saved.people_emails;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <SectionCard title={clientText('preferences.title')}>
        <Stack gap={24}>
          <Stack as="fieldset" gap={8} className={styles.choices}>
            <Text as="legend" weight="medium">
              {clientText('remind.title', { name })}
            </Text>
            {CHOICES.map((days) => (
              <Radio
                key={String(days)}
                name="remind_days"
                label={getLabel(days)}
                checked={chosenPreferences.remind_days === days}
                onChange={() => setChosen({ ...chosenPreferences, remind_days: days })}
              />
            ))}
          </Stack>
          <Checkbox
            label={clientText('preferences.people')}
            hint={clientText('preferences.people_hint', { name })}
            checked={chosenPreferences.people_emails}
            onChange={({ target }) => setChosen({ ...chosenPreferences, people_emails: target.checked })}
          />
          {save.error !== null && (
            <Notice tone="error" title={clientText('preferences.failed')} role="alert">
              {getErrorText(save.error)}
            </Notice>
          )}
          <div>
            <SubmitButton missing={getMissingText([], isChanged)} isBusy={save.isPending}>
              {clientText('preferences.save')}
            </SubmitButton>
          </div>
          <Text size="small" tone="quiet">
            {clientText('preferences.always')}
          </Text>
        </Stack>
      </SectionCard>
    </form>
  );
}
