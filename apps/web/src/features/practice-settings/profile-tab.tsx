import { securityApi } from '@portal/contract/security.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { useConfirmSaved, type PracticeProfile } from './practice-profile.ts';

/** The person: their name as colleagues see it, and account security. */
export function ProfileTab({ profile }: { profile: PracticeProfile }) {
  const security = useQuery(apiQuery(securityApi.get, {}));
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)', maxWidth: 760 }}>
      <SectionCard title="You">
        <FactList
          facts={[
            { label: 'Email', value: profile.email },
            { label: 'Role in the practice', value: profile.role === 'admin' ? 'Admin' : 'Team member' },
          ]}
        />
        <Box sx={{ mt: 3 }}>
          <LoadState query={security} skeleton={<CardSkeleton lines={2} />}>
            {({ full_name, phone }) => <PersonForm fullName={full_name} phone={phone ?? ''} />}
          </LoadState>
        </Box>
      </SectionCard>
      <SectionCard title="Security">
        <LoadState query={security} skeleton={<CardSkeleton lines={2} />}>
          {({ has_password, authenticator, passkeys, sessions }) => (
            <FactList
              facts={[
                { label: 'Password', value: has_password ? 'Set' : 'None: you log in by an emailed link' },
                { label: 'Authenticator app', value: authenticator === null ? 'Not set up' : 'On' },
                { label: 'Passkeys', value: passkeys.length === 0 ? 'None' : String(passkeys.length) },
                { label: 'Logged-in devices', value: String(sessions.length) },
              ]}
            />
          )}
        </LoadState>
        <Typography sx={{ mt: 2, color: 'text.secondary' }}>
          You see tax figures of other people here. We recommend a second factor for everybody in a practice.
        </Typography>
        <Button component={Link} to={PAGES.profile.path} variant="outlined" sx={{ mt: 2 }}>
          Change how you sign in
        </Button>
      </SectionCard>
    </Box>
  );
}

function PersonForm({ fullName, phone }: { fullName: string; phone: string }) {
  const confirmSaved = useConfirmSaved();
  const { check } = useSession();
  const form = useContractForm<typeof onboardingApi.saveAbout, { full_name: string; phone: string }>(onboardingApi.saveAbout, {
    defaults: { full_name: fullName, phone },
    draft: { name: 'about', fields: ['full_name', 'phone'] },
    send: async (input) => {
      await apiRequest(onboardingApi.saveAbout, input);
      await check();
      await confirmSaved('Your details are saved');
    },
  });
  return (
    <FormPanel form={form} submitLabel="Save" busyLabel="Saving ...">
      <FormField form={form} name="full_name" label="Full name" autoComplete="name" />
      <FormField
        form={form}
        name="phone"
        label="Phone number"
        optional
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        widthInCharacters={24}
      />
    </FormPanel>
  );
}
