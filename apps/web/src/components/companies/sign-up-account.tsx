/** Creates the account of a new trader or practice. An emailed link completes it. */
import type { Product } from '@portal/domain/partners/partner.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useNavigate } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { getCurrentPartner } from '../../lib/partner.ts';
import { getDataPolicyUrl } from '../../lib/settings.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './sign-up-account.module.css';

type Values = { email: string; full_name: string; phone: string; password: string };

type SignUpAccountProps = {
  product: Product;
  /** The name that the draft is saved under. */
  draft: string;
  email?: string;
  emailLabel: string;
  /** Adds a phone field with this hint. */
  phoneHint?: string;
  /** What our emails are about: "... and to write to you about X". */
  subject: string;
  /** Called once the link has been sent, to save where it leads if it is opened in this browser. By default, a trader's next step. */
  onSent?: () => void;
};

export function SignUpAccount({ product, draft, email = '', emailLabel, phoneHint, subject, onSent }: SignUpAccountProps) {
  const navigate = useNavigate();
  const partner = getCurrentPartner();
  const form = useContractForm<typeof identityApi.signUp, Values>(identityApi.signUp, {
    defaults: { email, full_name: '', phone: '', password: '' },
    fixed: { product, ...(partner === 'organic' ? {} : { partner }) },
    draft: { name: draft, fields: ['email', 'full_name', 'phone'] },
    send: async (input) => {
      const { sent_to } = await apiRequest(identityApi.signUp, input);
      onSent?.();
      await navigate(PAGES.checkMail.path, { state: { sentTo: sent_to, purpose: 'open your account' } });
    },
  });
  return (
    <FormPanel form={form} submitLabel="Create account" busyLabel="Creating your account…">
      <FormField form={form} name="email" label={emailLabel} type="email" inputMode="email" autoComplete="username" />
      <FormField form={form} name="full_name" label="Full name" autoComplete="name" />
      {phoneHint !== undefined && (
        <FormField
          form={form}
          name="phone"
          label="Phone number"
          hint={phoneHint}
          optional
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          widthInCharacters={20}
        />
      )}
      <FormField
        form={form}
        name="password"
        label="Password"
        hint="At least 10 characters. Or leave it blank, and we’ll email you a link each time you log in."
        optional
        type="password"
        autoComplete="new-password"
      />
      <Text size="small" tone="quiet" className={styles.terms}>
        By creating an account, you agree to us storing these details to set up your account, keep it secure and contact you about {subject}
        . We don’t use them for anything else. See our{' '}
        <TextLink href={getDataPolicyUrl()} target="_blank" rel="noreferrer">
          data policy (opens in a new tab)
        </TextLink>
        .
      </Text>
    </FormPanel>
  );
}

export function LogInInstead() {
  return (
    <Text className={styles.logIn}>
      Already have an account? <TextLink to={PAGES.loginV2.path}>Log in</TextLink>
    </Text>
  );
}
