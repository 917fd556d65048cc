import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { securityApi } from '@portal/contract/security.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { DataCard } from '../../components/data-protection/data-card.tsx';
import { PersonForm } from '../../components/people/person-form.tsx';
import { useSession } from '../../core/session.tsx';
import { apiQuery } from '../../lib/api.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { useConfirmSaved } from './use-confirm-saved.ts';
import styles from './settings.module.css';

/** The user's name as colleagues see it, and account security. */
export function ProfileTab({ profile }: { profile: PracticeProfile }) {
  const query = useQuery(apiQuery(securityApi.get, {}));
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={12} />}>
      {(security) => <ProfileCards profile={profile} security={security} />}
    </LoadState>
  );
}

function ProfileCards({ profile, security }: { profile: PracticeProfile; security: EndpointOutput<typeof securityApi.get> }) {
  const confirmSaved = useConfirmSaved();
  const { check } = useSession();
  const { has_password, authenticator, passkeys, sessions } = security;
  return (
    <Stack gap={24} className={styles.tab}>
      <SectionCard title="You">
        <Stack gap={24}>
          <FactList
            facts={[
              { label: 'Email', value: profile.email },
              { label: 'Role in the practice', value: profile.role === 'admin' ? 'Admin' : 'Team member' },
            ]}
          />
          <PersonForm
            person={security}
            submitLabel="Save"
            onSaved={async () => {
              await check();
              await confirmSaved('Your details are saved');
            }}
          />
        </Stack>
      </SectionCard>
      <SectionCard title="Security">
        <Stack gap={16} align="start">
          <FactList
            facts={[
              { label: 'Password', value: has_password ? 'Set' : 'None: we email you a link to log in' },
              { label: 'Authenticator app', value: authenticator === null ? 'Not set up' : 'On' },
              { label: 'Passkeys', value: passkeys.length === 0 ? 'None' : String(passkeys.length) },
              { label: 'Logged-in devices', value: String(sessions.length) },
            ]}
          />
          <Text tone="quiet">
            You can see other people’s tax figures here, so we recommend that everyone in a practice uses a second check when they log in.
          </Text>
          <Button to={PAGES.profile.path} variant="outlined">
            Change how you log in
          </Button>
        </Stack>
      </SectionCard>
      <DataCard account={{ of: 'person' }} />
    </Stack>
  );
}
