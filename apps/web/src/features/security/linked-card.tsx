import { securityApi } from '@portal/contract/security.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { apiRequest } from '../../lib/api.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { LOGIN_PROVIDERS, providerSignInUrl, getProviderName } from '../../lib/sign-in-providers.ts';
import { BrandButton } from '../../ui/brand-button.tsx';
import { BrandList } from '../../ui/brand-list.tsx';
import { ActionError } from './action-error.tsx';
import { ItemList, ItemRow } from './item-row.tsx';
import { useSecurityAction, type Security } from './use-security.ts';

type Linked = Security['linked'][number];

export function LinkedCard({ security }: { security: Security }) {
  const unlink = useSecurityAction(
    (provider: Linked['provider']) => apiRequest(securityApi.unlink, { provider }),
    'You can no longer log in that way',
  );
  // HMRC's sign-in doesn't identify a person: it is a company's connection, not a sign-in method.
  const others = LOGIN_PROVIDERS.filter(({ name }) => name !== 'hmrc' && !security.linked.some(({ provider }) => provider === name));
  return (
    <SectionCard title="Other ways to log in" headingLevel={3}>
      {security.linked.length > 0 && (
        <ItemList label="Connected services">
          {security.linked.map((signInMethod) => (
            <ItemRow
              key={signInMethod.provider}
              title={getProviderName(signInMethod.provider)}
              facts={
                <>
                  {signInMethod.email !== null && <Box component="span">{signInMethod.email}; </Box>}
                  connected <InstantText at={signInMethod.linked_at} />
                </>
              }
              action={
                <Button
                  variant="text"
                  size="small"
                  color="error"
                  disabled={unlink.isPending}
                  onClick={() => unlink.mutate(signInMethod.provider)}
                >
                  Disconnect<HiddenText> {getProviderName(signInMethod.provider)}</HiddenText>
                </Button>
              }
            />
          ))}
        </ItemList>
      )}
      <ActionError error={unlink.error} />
      {others.length > 0 && (
        <>
          <Typography sx={{ my: 2, color: 'text.secondary' }}>Connect a service to log in with it, without a password.</Typography>
          <BrandList>
            {others.map(({ name, brand, displayName }) => (
              <li key={name}>
                <BrandButton brand={brand} label={`Connect ${displayName}`} href={providerSignInUrl(name, { link: true })} />
              </li>
            ))}
          </BrandList>
        </>
      )}
    </SectionCard>
  );
}
