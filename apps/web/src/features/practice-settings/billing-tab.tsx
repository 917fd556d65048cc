/** The practice's subscription: what it pays for, until when, and how. */
import { formatConnections } from '@portal/domain/pricing/format-connections.ts';
import { billingApi } from '@portal/contract/billing.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { BillingContactForm } from '../../components/billing/billing-contact-form.tsx';
import { PaymentMethodPart } from '../../components/billing/payment-method-part.tsx';
import { TrialText } from '../../components/billing/trial-text.tsx';
import { isSubscribed, useBilling, useRefreshBilling, type Billing, type Subscription } from '../../components/billing/use-billing.ts';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { getPageLink } from '../../lib/page-link.ts';
import type { PracticeProfile } from '../../lib/practice-profile.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import { useToast } from '../../ui/toast.tsx';
import styles from './settings.module.css';

export function BillingTab({ profile }: { profile: PracticeProfile }) {
  const isAdmin = profile.role === 'admin';
  const query = useBilling(isAdmin ? profile.company_id : '');
  if (!isAdmin) {
    return (
      <SectionCard title="Billing">
        <Text>Only admins see what the practice pays.</Text>
      </SectionCard>
    );
  }
  return (
    <LoadState query={query}>
      {(billing) => (
        <Stack gap={24} className={styles.tab}>
          {billing.subscription && isSubscribed(billing) ? (
            <SubscriptionCards companyId={profile.company_id} billing={billing} subscription={billing.subscription} />
          ) : (
            <FreeCard companyId={profile.company_id} billing={billing} />
          )}
          {billing.is_available && (
            <>
              <SectionCard title="Payment method">
                <PaymentMethodPart companyId={profile.company_id} billing={billing} returnTo="settings" />
              </SectionCard>
              <SectionCard title="Billing contact" source="Invoices are emailed to this address.">
                <BillingContactForm companyId={profile.company_id} billing={billing} />
              </SectionCard>
            </>
          )}
        </Stack>
      )}
    </LoadState>
  );
}

function FreeCard({ companyId, billing }: { companyId: string; billing: Billing }) {
  return (
    <SectionCard title="Free tier">
      <Stack>
        <Text>
          Your practice doesn’t have a subscription. {formatConnections(billing.no_selected_connections)} selected.{' '}
          {!billing.is_available && 'Payments aren’t set up on this portal.'}
        </Text>
        <TrialText trial={billing.trial} />
        <ButtonRow>
          <Button to={getPageLink('premiumSetup', { company_id: companyId })}>Choose connections</Button>
        </ButtonRow>
      </Stack>
    </SectionCard>
  );
}

const STATUS_NAMES: Readonly<Record<Subscription['status'], string>> = {
  starting: 'Waiting for Stripe to confirm',
  incomplete: 'Not started: the first payment hasn’t been made',
  active: 'Active',
  past_due: 'You have an overdue payment',
  ended: 'Ended',
};

type Action = 'cancel' | 'resume' | 'pay';
const DONE_MESSAGES: Readonly<Record<Action, string>> = {
  cancel: 'Subscription cancelled',
  resume: 'Subscription will continue',
  pay: 'Payment sent',
};

type SubscriptionProps = { companyId: string; billing: Billing; subscription: Subscription };

function SubscriptionCards({ companyId, billing, subscription }: SubscriptionProps) {
  const [isCancelling, setCancelling] = useState(false);
  const refresh = useRefreshBilling();
  const toast = useToast();
  const actionMutation = useMutation({
    mutationFn: (action: Action) =>
      sendWithIdempotencyKey(`${action}:${companyId}:${subscription.renews_on}`, (idempotencyKey) =>
        apiRequest(billingApi[action], { company_id: companyId }, { idempotencyKey }),
      ),
    onSuccess: ({ subscription: now }, action) => {
      setCancelling(false);
      if (action === 'pay' && now?.confirmation_url) location.assign(now.confirmation_url);
      else if (action !== 'pay' || now?.dunning === null) toast('success', DONE_MESSAGES[action]);
    },
    onSettled: refresh,
  });
  const getButtonProps = (action: Action) => ({
    isBusy: actionMutation.isPending && actionMutation.variables === action,
    disabled: actionMutation.isPending,
    onClick: () => actionMutation.mutate(action),
  });
  const { dunning, renews_on: renewsOn, ends_at_renewal: endsAtRenewal, price_move: move } = subscription;
  const setup = getPageLink('premiumSetup', { company_id: companyId });
  return (
    <>
      {dunning && (
        <Notice tone="error" title={`${formatPounds(dunning.amount_due_pence)} to pay`}>
          <Stack gap={12}>
            <Text>
              {dunning.reason} Since {formatDate(toLondonDate(dunning.since))}.{' '}
              {dunning.state === 'read_only'
                ? 'Figures aren’t being refreshed.'
                : `From ${formatDate(dunning.read_only_from)}, figures won’t be refreshed.`}{' '}
              Nothing will be deleted. Add another payment method below if this one doesn’t work, then pay.
            </Text>
            <ButtonRow>
              <Button {...getButtonProps('pay')}>Pay {formatPounds(dunning.amount_due_pence)}</Button>
              {subscription.confirmation_url !== null && (
                <Button variant="outlined" onClick={() => location.assign(subscription.confirmation_url ?? '')}>
                  Confirm the payment with your bank
                </Button>
              )}
            </ButtonRow>
          </Stack>
        </Notice>
      )}
      {move && !endsAtRenewal && (
        <Notice tone="info" title={`Your price changes on ${formatDate(move.moves_on)}`}>
          From that renewal, you’ll be on our new price list: {formatPounds(move.to_total_pence)} a month including VAT instead of{' '}
          {formatPounds(move.from_total_pence)} for your {formatConnections(subscription.no_connections)}. We emailed your billing contact
          on {formatDate(move.noticed_on)}. Nothing changes until then, and you can change your connections or cancel.
        </Notice>
      )}
      <SectionCard title={subscription.tier_name}>
        <Stack>
          <FactList facts={listFacts(subscription)} />
          {billing.no_selected_connections !== subscription.no_connections && (
            <Notice tone="info" title="Your selection is different from what you pay for">
              {formatConnections(billing.no_selected_connections)} selected. See what the change costs and confirm it under Plan and price.
            </Notice>
          )}
          {actionMutation.error && (
            <Notice tone="error" title="Not changed" role="alert">
              {getErrorText(actionMutation.error)}
            </Notice>
          )}
          <ButtonRow>
            <Button size="small" to={setup}>
              Change connections
            </Button>
            {endsAtRenewal ? (
              <Button size="small" variant="outlined" {...getButtonProps('resume')}>
                Keep subscription
              </Button>
            ) : (
              <Button size="small" variant="outlined" disabled={actionMutation.isPending} onClick={() => setCancelling(true)}>
                Cancel subscription
              </Button>
            )}
          </ButtonRow>
        </Stack>
      </SectionCard>
      {subscription.promotion === null && subscription.status === 'active' && <CodeCard companyId={companyId} />}
      {isCancelling && (
        <ModalDialog
          open
          small
          heading="Cancel subscription?"
          loading={actionMutation.isPending}
          onClose={() => setCancelling(false)}
          actions={
            <Button tone="error" {...getButtonProps('cancel')}>
              Cancel subscription
            </Button>
          }
        >
          <Text>
            {renewsOn === null
              ? 'It ends at the end of the month you’ve paid for.'
              : `You’ve paid until ${formatDate(renewsOn)}. Your subscription ends then, and the practice returns to the free tier.`}{' '}
            You can change your mind until then. Your clients and figures are kept.
          </Text>
        </ModalDialog>
      )}
    </>
  );
}

function listFacts({ status, no_connections: connections, renews_on: renewsOn, ...subscription }: Subscription) {
  return [
    { label: 'Status', value: STATUS_NAMES[status] },
    { label: 'You pay for', value: formatConnections(connections) },
    { label: 'Since', value: formatDate(subscription.subscribed_on) },
    ...(renewsOn === null
      ? []
      : subscription.ends_at_renewal
        ? [{ label: 'Ends on', value: formatDate(renewsOn) }]
        : [{ label: 'Renews on', value: `${formatDate(renewsOn)}, for ${formatPounds(subscription.renewal_total_pence)} including VAT` }]),
    ...(subscription.promotion === null
      ? []
      : [
          {
            label: 'Promotion code',
            value: `${subscription.promotion.promotion_code}${subscription.promotion.ends_on === null ? '' : `, until ${formatDate(subscription.promotion.ends_on)}`}`,
          },
        ]),
  ];
}

function CodeCard({ companyId }: { companyId: string }) {
  const [code, setCode] = useState('');
  const refresh = useRefreshBilling();
  const toast = useToast();
  const apply = useMutation({
    mutationFn: () =>
      sendWithIdempotencyKey(`code:${companyId}:${code.trim().toUpperCase()}`, (idempotencyKey) =>
        apiRequest(billingApi.applyCode, { company_id: companyId, promotion_code: code.trim() }, { idempotencyKey }),
      ),
    onSuccess: () => toast('success', 'Promotion code applied from the next renewal'),
    onSettled: refresh,
  });
  const error = apply.error ? getErrorText(apply.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') apply.mutate();
  };
  return (
    <SectionCard title="Promotion code">
      <form onSubmit={submit}>
        <Stack gap={12}>
          <FieldFrame id="billing-code" label="Code" hint="It takes effect at the next renewal." error={error}>
            <TextInput
              id="billing-code"
              autoComplete="off"
              maxLength={80}
              widthInCharacters={20}
              value={code}
              isInvalid={error !== undefined}
              aria-describedby={getDescribedBy('billing-code', 'hint', error)}
              onChange={({ target }) => setCode(target.value)}
            />
          </FieldFrame>
          <ButtonRow>
            <SubmitButton
              size="small"
              variant="outlined"
              isBusy={apply.isPending}
              missing={code.trim() === '' ? 'Enter a code.' : undefined}
            >
              Apply code
            </SubmitButton>
          </ButtonRow>
        </Stack>
      </form>
    </SectionCard>
  );
}
