import { PAGES } from '@portal/contract/pages.ts';
import { useLocation } from 'react-router';
import { useSearchParams } from '../../lib/search-params.ts';
import { isSentEmail, findSentEmail } from '../../lib/sent-email.ts';
import { getSandboxUrl, PORTAL_BASE } from '../../lib/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './email-address.module.css';

/** Confirms that an email has been sent. The text is the same whether or not the address has an account. */
export function CheckMailScreen() {
  const { state } = useLocation();
  const sentEmail = isSentEmail(state) ? state : findSentEmail();
  const [search] = useSearchParams();
  const provider = search.get('provider');
  // Xero doesn't verify email addresses, so after signing up with Xero the link proves the address, but only in this browser.
  const isXeroSignUp = provider === 'xero';
  const sandbox = getSandboxUrl();
  return (
    <Page title="Check your email" maxWidth="form">
      <SectionCard>
        <Stack>
          <Icon name="mail" size={48} tone="primary" />
          <Text size="large" weight="medium" className={styles.address}>
            {isXeroSignUp || sentEmail === undefined ? getSentText(provider) : `We sent a link to ${sentEmail.sentTo}`}
          </Text>
          <Text>
            {isXeroSignUp
              ? 'Open the link in this browser. It confirms your address, and then you choose the organisation you want a VAT refund for. It works once and expires after 30 minutes.'
              : `The link opens a page with a button to ${sentEmail?.purpose ?? 'continue'}. It works once, and you can open it on another device.`}
          </Text>
          <Text tone="quiet">
            If it hasn’t arrived after two minutes, check your spam folder, and check that the address is right. You can also{' '}
            {isXeroSignUp ? (
              <TextLink href={`${PORTAL_BASE}/xero_sso_signup`}>sign up with Xero again</TextLink>
            ) : (
              <TextLink to={PAGES.loginV2.path}>request another link</TextLink>
            )}
            .
          </Text>
          {sandbox !== '' && (
            <Text tone="quiet">
              The sandbox doesn’t send emails. You’ll find this one in the{' '}
              <TextLink href={`${sandbox}/mailbox`} target="_blank" rel="noreferrer">
                sandbox’s mailbox
              </TextLink>
              .
            </Text>
          )}
        </Stack>
      </SectionCard>
    </Page>
  );
}

function getSentText(provider: string | null): string {
  if (provider === 'hmrc') return 'We sent a link to the company’s owner';
  return provider === 'xero' ? 'We sent a link to the email address of your Xero login' : 'We sent you a link';
}
