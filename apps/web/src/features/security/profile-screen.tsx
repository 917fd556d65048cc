/** A person's profile: who they are, their company and its bank account, and account security. */
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { ProviderNotice } from '../../ui/provider-notice.tsx';
import { AuthenticatorCard } from './authenticator-card.tsx';
import { CompanyCards } from './company-cards.tsx';
import { LinkedCard } from './linked-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PersonCard } from './person-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { useSecurity } from './use-security.ts';

export function ProfileScreen() {
  const query = useSecurity();
  const { session } = useSession();
  const hasCompanies = session.status === 'signed_in' && (session.person.type === 'trader' || session.person.type === 'new');
  return (
    <Page
      title="Profile"
      maxWidth="text"
      actions={
        <>
          <Button component={Link} to={PAGES.home.path} variant="outlined" size="small">
            Home
          </Button>
          <Button component={Link} to={PAGES.logout.path} variant="outlined" size="small">
            Log out
          </Button>
        </>
      }
    >
      <ProviderNotice />
      <LoadState query={query}>
        {(security) => (
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
            <PersonCard security={security} />
            {hasCompanies && <CompanyCards />}
            <Typography component="h2" variant="h2" sx={{ mt: 2 }}>
              Security
            </Typography>
            <PasswordCard security={security} />
            <PasskeysCard security={security} />
            <AuthenticatorCard security={security} />
            <LinkedCard security={security} />
            <SessionsCard security={security} />
          </Box>
        )}
      </LoadState>
    </Page>
  );
}
