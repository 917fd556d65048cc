import type { connectionsApi } from '@portal/contract/connections.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { DateText } from '../../components/formats/date-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { toLondonDate } from '@portal/domain/clock.ts';
import styles from './sign-in-connections.module.css';

type SignIn = EndpointOutput<typeof connectionsApi.list>['sign_in'];

const PROVIDER_LABELS: Readonly<Record<SignIn['linked'][number]['provider'], string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  xero: 'Xero',
  intuit: 'Intuit QuickBooks',
  freeagent: 'FreeAgent',
  hmrc: 'HMRC',
};

/** The user's sign-in methods, which can be changed in the profile. */
export function SignInConnections({ signIn }: { signIn: SignIn }) {
  const ownConnections = [
    ...(signIn.has_password ? ['a password'] : []),
    ...(signIn.passkeys > 0 ? [`${signIn.passkeys} ${signIn.passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
    'an emailed link',
  ];
  return (
    <SectionCard
      title="How you log in"
      aside={
        <Button to={getPageLink('profile', { tab: 'security' })} variant="outlined" size="small">
          Change this in your profile
        </Button>
      }
    >
      <Stack as="ul" gap={12}>
        <SignInMethod
          icon={<Icon name="mail" className={styles.icon} />}
          name={signIn.email}
          detail={`With ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ownConnections)}.`}
        />
        {signIn.linked.map(({ provider, email, linked_at }) => (
          <SignInMethod
            key={provider}
            icon={<BrandMark brand={BRAND_MARKS[provider]} />}
            name={PROVIDER_LABELS[provider]}
            detail={
              <>
                {email === null ? '' : `${email}, `}since <DateText date={toLondonDate(linked_at)} />. Used only to confirm who you are.
              </>
            }
          />
        ))}
      </Stack>
    </SectionCard>
  );
}

const BRAND_MARKS = {
  google: 'google',
  microsoft: 'microsoft',
  xero: 'xero',
  intuit: 'quickbooks',
  freeagent: 'freeagent',
  hmrc: 'hmrc',
} as const;

function SignInMethod({ icon, name, detail }: { icon: React.ReactNode; name: string; detail: React.ReactNode }) {
  return (
    <Row as="li" gap={16} align="start" wrap={false}>
      {icon}
      <div className={styles.method}>
        <Text weight="medium">{name}</Text>
        <Text size="small" tone="quiet">
          {detail}
        </Text>
      </div>
    </Row>
  );
}
