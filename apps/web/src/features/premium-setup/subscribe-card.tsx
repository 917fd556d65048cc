/** Contact, payment method and confirmation. Each part is saved as it is entered, so the set-up can be left and continued later. */
import { billingApi } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { getSettingsPath } from '@portal/contract/practice.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useMutation } from '@tanstack/react-query';
import { BillingContactForm } from '../../components/billing/billing-contact-form.tsx';
import { PaymentMethodPart } from '../../components/billing/payment-method-part.tsx';
import { isSubscribed, useRefreshBilling, type Billing } from '../../components/billing/use-billing.ts';
import { ApiError, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './premium-setup.module.css';

type Calculation = EndpointOutput<typeof pricingApi.calculate>;
/** `code`: the promotion code included in the price, or empty for none. */
type SubscribeProps = { companyId: string; billing: Billing; calculation: Calculation; code: string };

/** Shown below the list: who pays and how. Hidden once subscribed, because the settings then show it. */
export function PayerCards({ companyId, billing }: Pick<SubscribeProps, 'companyId' | 'billing'>) {
  if (!billing.is_available || isSubscribed(billing)) return null;
  return (
    <>
      <SectionCard title="Billing contact">
        <BillingContactForm companyId={companyId} billing={billing} />
      </SectionCard>
      <SectionCard title="Payment method">
        <PaymentMethodPart companyId={companyId} billing={billing} returnTo="setup" />
      </SectionCard>
    </>
  );
}

/** The order, below the price. */
export function OrderSection(props: SubscribeProps) {
  const { companyId, billing, calculation } = props;
  const settings = (
    <TextLink to={`${getSettingsPath('billing')}?${new URLSearchParams({ company_id: companyId })}`}>Billing settings</TextLink>
  );
  if (!billing.is_available) {
    return (
      <Text size="small" tone="quiet">
        Your selection is saved as you choose. Payments aren’t set up on this portal, so nothing is charged.
      </Text>
    );
  }
  const { subscription } = billing;
  if (subscription === null || subscription.status === 'ended') {
    if (isFree(calculation)) return <Text size="small">You’re on the free tier: there’s nothing to pay and nothing to confirm.</Text>;
    return <Order {...props} kind="subscribe" />;
  }
  if (subscription.status === 'active' && subscription.no_connections !== calculation.no_selected_connections)
    return <Order {...props} kind="change" />;
  return (
    <Text size="small">
      {subscription.status === 'active'
        ? `You pay for ${subscription.no_connections.toLocaleString('en-GB')} connections. Select more or fewer to change this.`
        : 'Your subscription needs attention.'}{' '}
      {settings}
    </Text>
  );
}

function isFree({ lines }: Calculation): boolean {
  return lines.every(({ kind, amount_pence: amount }) => (kind !== 'base' && kind !== 'connections') || amount === 0);
}

function Order({ companyId, billing, calculation, code, kind }: SubscribeProps & { kind: 'subscribe' | 'change' }) {
  const refresh = useRefreshBilling();
  const total = calculation.total_pence;
  const decision = `${kind}:${companyId}:${calculation.no_selected_connections}:${total}:${billing.subscription?.renews_on ?? ''}`;
  const order = useMutation({
    mutationFn: async () => {
      // The server orders with the saved code, so save it first.
      if (kind === 'subscribe' && code !== billing.promotion_code) {
        const { billing_name, billing_email, billing_address } = billing;
        await apiRequest(billingApi.saveDetails, {
          company_id: companyId,
          billing_name,
          billing_email,
          billing_address,
          promotion_code: code,
        });
      }
      return sendWithIdempotencyKey(decision, (idempotencyKey) =>
        apiRequest(
          kind === 'subscribe' ? billingApi.subscribe : billingApi.change,
          { company_id: companyId, expected_total_pence: total },
          { idempotencyKey },
        ),
      );
    },
    onSuccess: ({ subscription }) => {
      if (subscription?.confirmation_url) location.assign(subscription.confirmation_url);
    },
    onSettled: refresh,
  });
  const missing =
    kind === 'change'
      ? undefined
      : calculation.no_selected_connections === 0
        ? 'Select connections first.'
        : billing.billing_name === '' || billing.billing_email === '' || billing.billing_address === ''
          ? 'Save a billing contact first.'
          : billing.payment_method === null
            ? 'Add a payment method first.'
            : undefined;
  return (
    <Stack gap={12}>
      {kind === 'change' && calculation.change && <ChangeLines change={calculation.change} />}
      {order.error && (
        <Notice tone="error" title={kind === 'change' ? 'Not changed' : 'Not subscribed'} role="alert">
          {getErrorText(order.error)} <PayLink error={order.error} />
        </Notice>
      )}
      <ButtonRow>
        <SubmitButton missing={missing} isBusy={order.isPending} onClick={() => order.mutate()}>
          {kind === 'change' ? `Change to ${formatPounds(total)} a month` : `Subscribe and pay ${formatPounds(total)}`}
        </SubmitButton>
      </ButtonRow>
      <Text size="small" tone="quiet">
        {kind === 'change'
          ? 'The difference for the rest of this month is charged immediately, or credited against your next payments. It’s worked out to the second when you confirm, so it can differ slightly from the amount above.'
          : 'The first invoice is for the total above, including VAT. You can cancel at any time; your subscription then ends at the next renewal.'}
      </Text>
    </Stack>
  );
}

/** Links to Stripe's page for the invoice that must be paid first. */
function PayLink({ error }: { error: Error }) {
  const payUrl = error instanceof ApiError ? error.details?.['pay_url'] : undefined;
  return typeof payUrl === 'string' ? <TextLink href={payUrl}>Pay the invoice at Stripe</TextLink> : null;
}

function ChangeLines({ change }: { change: NonNullable<Calculation['change']> }) {
  const lines = [
    ['Credit for the unused time', change.credit_pence],
    ['New price for the rest of the month', change.charge_pence],
    ['VAT', change.vat_pence],
  ] as const;
  return (
    <dl className={styles.lines}>
      {lines.map(([name, amount]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatPounds(amount)}</dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{change.total_pence < 0 ? 'Credited today' : 'Charged today'}</dt>
        <dd>{formatPounds(change.total_pence)}</dd>
      </div>
    </dl>
  );
}
