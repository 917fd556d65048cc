/** The payment method, which users enter on Stripe's page, so it never passes through us. */
import { billingApi } from '@portal/contract/billing.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { useSearchParams } from '../../lib/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Text } from '../../ui/text.tsx';
import { useRefreshBilling, type Billing } from './use-billing.ts';

type PaymentMethodPartProps = { companyId: string; billing: Billing; returnTo: 'setup' | 'settings' };

export function PaymentMethodPart({ companyId, billing, returnTo }: PaymentMethodPartProps) {
  const [search, setSearch] = useSearchParams();
  const outcome = search.get('payment_method');
  const refresh = useRefreshBilling();
  const start = useMutation({
    mutationFn: (kind: 'card' | 'bacs_debit') =>
      apiRequest(billingApi.startPaymentMethod, { company_id: companyId, kind, return_to: returnTo }),
    onSuccess: ({ url }) => location.assign(url),
  });
  const read = useMutation({
    mutationFn: () => apiRequest(billingApi.readPaymentMethod, { company_id: companyId }),
    onSuccess: () => {
      const next = new URLSearchParams(search);
      next.delete('payment_method');
      setSearch(next, { replace: true, preventScrollReset: true });
      return refresh();
    },
  });
  const hasRead = useRef(false);
  const readOnce = useEffectEvent(() => {
    if (hasRead.current) return;
    hasRead.current = true;
    read.mutate();
  });
  useEffect(() => {
    if (outcome === 'entered') readOnce();
  }, [outcome]);
  const error = start.error ?? read.error;
  const method = billing.payment_method;
  return (
    <Stack gap={12}>
      <Text role="status">{read.isPending ? 'Reading your payment method from Stripe' : (method?.label ?? 'No payment method yet.')}</Text>
      {outcome === 'cancelled' && (
        <Text size="small" tone="quiet">
          You left Stripe’s page without adding a payment method. Nothing has changed.
        </Text>
      )}
      {error && (
        <Notice tone="error" title="Payment method not changed" role="alert">
          {getErrorText(error)}
        </Notice>
      )}
      <ButtonRow>
        <Button
          size="small"
          variant="outlined"
          isBusy={start.isPending && start.variables === 'card'}
          disabled={start.isPending}
          onClick={() => start.mutate('card')}
        >
          {method === null ? 'Add a card' : 'Use another card'}
        </Button>
        <Button
          size="small"
          variant="outlined"
          isBusy={start.isPending && start.variables === 'bacs_debit'}
          disabled={start.isPending}
          onClick={() => start.mutate('bacs_debit')}
        >
          Set up Direct Debit
        </Button>
      </ButtonRow>
      <Text size="small" tone="quiet">
        You’ll enter it on Stripe’s page, then come back here. We never see the card number.
      </Text>
    </Stack>
  );
}
