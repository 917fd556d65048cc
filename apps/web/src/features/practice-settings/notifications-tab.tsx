/** The user's notifications in this practice: each kind, the digest, quiet hours and muted clients. */
import { staffNotificationsApi, type StaffNotificationChoices } from '@portal/contract/staff-notifications.ts';
import { NOTIFICATION_GROUPS, NOTIFICATION_KIND_FACTS } from '@portal/domain/staff-notifications/notification-kind-facts.ts';
import type { Digest } from '@portal/domain/staff-notifications/notification-kinds.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { Radio } from '../../ui/choice.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { getMissingText, SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import { KindChoice } from './kind-choice.tsx';
import { MutedClientsCard } from './muted-clients-card.tsx';
import { QuietHoursFields } from './quiet-hours-fields.tsx';
import styles from './settings.module.css';

export function NotificationsTab({ profile }: { profile: PracticeProfile }) {
  const companyId = profile.company_id;
  const query = useQuery(apiQuery(staffNotificationsApi.choices, { company_id: companyId }));
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={10} />}>
      {(savedPreferences) => (
        <Stack>
          <ChoicesForm key={companyId} companyId={companyId} saved={savedPreferences} />
          <MutedClientsCard companyId={companyId} muted={savedPreferences.muted} />
        </Stack>
      )}
    </LoadState>
  );
}

const DIGEST_CHOICES: readonly { readonly digest: Digest; readonly label: string; readonly hint?: string }[] = [
  {
    digest: 'daily',
    label: 'Every morning',
    hint: 'Between 7am and noon, if there’s anything to report. Later that day if we couldn’t send it then.',
  },
  { digest: 'weekly', label: 'On Monday mornings' },
  { digest: 'off', label: 'No digest', hint: 'Notifications set to “In the digest” won’t be emailed.' },
];

function ChoicesForm({ companyId, saved }: { companyId: string; saved: StaffNotificationChoices }) {
  const [chosenPreferences, setChosen] = useState(saved);
  const queryClient = useQueryClient();
  const toast = useToast();
  const save = useMutation({
    mutationFn: () => {
      const { digest, quiet } = chosenPreferences;
      const kinds = chosenPreferences.kinds.map(({ kind, portal, email }) => ({ kind, portal, email }));
      return apiRequest(staffNotificationsApi.saveChoices, { company_id: companyId, kinds, digest, quiet });
    },
    onSuccess: async () => {
      toast('success', 'Notifications saved');
      await queryClient.invalidateQueries({ queryKey: [staffNotificationsApi.choices.path] });
    },
  });
  const isChanged = JSON.stringify({ ...chosenPreferences, muted: [] }) !== JSON.stringify({ ...saved, muted: [] });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack>
        <SectionCard title="Digest" source="Changes in your clients’ figures, what’s due in the next seven days, and your tasks.">
          <Stack as="fieldset" gap={8} className={styles.choices}>
            <Text as="legend" weight="medium">
              Email me a digest
            </Text>
            {DIGEST_CHOICES.map(({ digest, label, hint }) => (
              <Radio
                key={digest}
                name="digest"
                label={label}
                {...(hint === undefined ? {} : { hint })}
                checked={chosenPreferences.digest === digest}
                onChange={() => setChosen({ ...chosenPreferences, digest })}
              />
            ))}
          </Stack>
        </SectionCard>
        {NOTIFICATION_GROUPS.map((group) => (
          <SectionCard key={group} title={group}>
            <Stack gap={24}>
              {chosenPreferences.kinds
                .filter(({ kind }) => NOTIFICATION_KIND_FACTS[kind].group === group)
                .map((choice) => (
                  <KindChoice
                    key={choice.kind}
                    choice={choice}
                    onChange={(next) =>
                      setChosen({
                        ...chosenPreferences,
                        kinds: chosenPreferences.kinds.map((kind) => (kind.kind === next.kind ? next : kind)),
                      })
                    }
                  />
                ))}
            </Stack>
          </SectionCard>
        ))}
        <SectionCard title="Quiet hours">
          <QuietHoursFields quiet={chosenPreferences.quiet} onChange={(quiet) => setChosen({ ...chosenPreferences, quiet })} />
        </SectionCard>
        {save.error !== null && (
          <Notice tone="error" title="Your notifications haven’t changed" role="alert">
            {getErrorText(save.error)}
          </Notice>
        )}
        <div>
          <SubmitButton missing={getMissingText([], isChanged)} isBusy={save.isPending}>
            Save notifications
          </SubmitButton>
        </div>
        <Text size="small" tone="quiet">
          We always email you about your account’s security, your access to the practice and its legal documents.
        </Text>
      </Stack>
    </form>
  );
}
