import { securityApi } from '@portal/contract/security.ts';
import { useMutation } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { LOGIN_PROVIDERS, getProviderSignInUrl, getProviderName } from '../../lib/sign-in-providers.ts';
import { BrandButton } from '../../ui/brand-button.tsx';
import { BrandList } from '../../ui/brand-list.tsx';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { ActionError } from './action-error.tsx';
import { ItemList, ItemRow } from './item-row.tsx';
import { useSecurityAction, type Security } from './use-security.ts';

type LinkedProvider = Security['linked'][number];

export function LinkedCard({ security }: { security: Security }) {
  const unlink = useSecurityAction(
    (provider: LinkedProvider['provider']) => apiRequest(securityApi.unlink, { provider }),
    'Service disconnected. You can’t log in with it any more.',
  );
  // Asks the user to confirm their identity, if needed, before redirecting the browser to the provider.
  const connect = useMutation({
    mutationFn: async (name: LinkedProvider['provider']) => {
      await apiRequest(securityApi.checkConfirmed, {});
      globalThis.location.assign(getProviderSignInUrl(name, { link: true }));
    },
  });
  // HMRC's sign-in doesn't identify an individual, so it is a company's connection rather than a sign-in method.
  const otherLoginProviders = LOGIN_PROVIDERS.filter(
    ({ name }) => name !== 'hmrc' && !security.linked.some(({ provider }) => provider === name),
  );
  return (
    <SectionCard title="Other ways to log in">
      <Stack>
        {security.linked.length > 0 && (
          <ItemList label="Connected services">
            {security.linked.map((signInMethod) => (
              <ItemRow
                key={signInMethod.provider}
                title={getProviderName(signInMethod.provider)}
                facts={
                  <>
                    {signInMethod.email !== null && `${signInMethod.email} · `}
                    Connected <InstantText at={signInMethod.linked_at} />
                  </>
                }
                action={
                  <Button
                    variant="text"
                    size="small"
                    tone="error"
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
        <ActionError error={unlink.error ?? connect.error} />
        {otherLoginProviders.length > 0 && (
          <>
            <Text tone="quiet">Connect a service to log in without a password.</Text>
            <BrandList>
              {otherLoginProviders.map(({ name, brand, displayName }) => (
                <li key={name}>
                  <BrandButton brand={brand} label={`Connect ${displayName}`} onClick={() => connect.mutate(name)} />
                </li>
              ))}
            </BrandList>
          </>
        )}
      </Stack>
    </SectionCard>
  );
}
