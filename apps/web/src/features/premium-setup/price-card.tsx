/** The cost of the saved selection: tier, lines, VAT and a promotion code, together with the order and who pays. */
import { formatConnections } from '@portal/domain/pricing/format-connections.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { pricingApi } from '@portal/contract/pricing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { TrialText } from '../../components/billing/trial-text.tsx';
import { isSubscribed, useBilling } from '../../components/billing/use-billing.ts';
import { apiQuery } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { FieldFrame, getDescribedBy } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './premium-setup.module.css';
import { OrderSection, PayerCards } from './subscribe-card.tsx';

type Calculation = EndpointOutput<typeof pricingApi.calculate>;

export function PriceCard({ companyId }: { companyId: string }) {
  const billing = useBilling(companyId);
  const [inputText, setInputText] = useState<string>();
  // Without a subscription, the code is part of set-up. Subscribers enter one in the settings.
  const mayUseCode = billing.data !== undefined && !isSubscribed(billing.data);
  const code = mayUseCode ? (inputText ?? billing.data?.promotion_code ?? '') : '';
  const input = { company_id: companyId };
  const plainQuery = useQuery({ ...apiQuery(pricingApi.calculate, input), placeholderData: keepPreviousData });
  const codeQuery = useQuery({ ...apiQuery(pricingApi.calculate, { ...input, promotion_code: code }), enabled: code !== '', retry: false });
  const tier = useQuery({ ...apiQuery(pricingApi.currentTier, input), placeholderData: keepPreviousData });
  const next = tier.data?.next_tier;
  const calculation = code !== '' ? codeQuery.data : plainQuery.data;
  return (
    <Stack gap={24} className={styles.price}>
      <SectionCard title="Your price">
        <Stack>
          <LoadState query={plainQuery}>
            {(fullPriceCalculation) => (
              <Price
                calculation={calculation ?? fullPriceCalculation}
                isSubscriber={billing.data !== undefined && isSubscribed(billing.data)}
              />
            )}
          </LoadState>
          {billing.data && <TrialText trial={billing.data.trial} />}
          {next && (
            <Text size="small" tone="quiet">
              {next.name} starts at {formatConnections(next.from)}, with each extra one at {formatPounds(next.unit_price_pence)}.
            </Text>
          )}
          {mayUseCode && (
            <CodeField
              applied={code}
              isBusy={code !== '' && codeQuery.isPending}
              error={code !== '' && codeQuery.error ? getErrorText(codeQuery.error) : undefined}
              onTry={setInputText}
            />
          )}
          {calculation && billing.data && (
            <OrderSection companyId={companyId} billing={billing.data} calculation={calculation} code={code} />
          )}
        </Stack>
      </SectionCard>
      {billing.data && <PayerCards companyId={companyId} billing={billing.data} />}
    </Stack>
  );
}

const LINE_NAMES = { base: 'Base price', connections: 'Extra connections', discount: 'Discount', vat: 'VAT' } as const;

function Price({ calculation, isSubscriber }: { calculation: Calculation; isSubscriber: boolean }) {
  const { tier_name: tier, lines, net_pence: net, total_pence: total, vat_rate_bps: vat, promotion, renews_on: renews } = calculation;
  const { ends_promotion_code: endedCode } = calculation;
  return (
    <Stack>
      <div role="status">
        <KeyFigure
          figure={net === 0 && promotion === null ? 'Free' : formatPounds(net)}
          label={`${tier}, ${formatConnections(calculation.no_selected_connections)}${net === 0 ? '' : ', per month excluding VAT'}`}
        />
      </div>
      <dl className={styles.lines}>
        {lines.map(({ kind, quantity, amount_pence: amount }) => (
          <div key={kind}>
            <dt>
              {kind === 'discount' && promotion ? `Discount, ${promotion.promotion_code}` : LINE_NAMES[kind]}
              {kind === 'vat' && ` at ${vat / 100}%`}
              {quantity !== null && quantity > 0 && `, ${quantity.toLocaleString('en-GB')}`}
            </dt>
            <dd>{formatPounds(amount)}</dd>
          </div>
        ))}
        <div className={styles.total}>
          <dt>{isSubscriber ? 'Total a month' : 'Total for the first month'}</dt>
          <dd>{formatPounds(total)}</dd>
        </div>
      </dl>
      {endedCode !== null && (
        <Text size="small">
          Your promotion code {endedCode} isn’t for the {tier} tier, so its discount ends with this change.
        </Text>
      )}
      <Text size="small" tone="quiet">
        {promotion &&
          promotion.months !== null &&
          `The discount lasts ${promotion.months} ${promotion.months === 1 ? 'month' : 'months'}; after that it’s ${formatPounds(promotion.then_total_pence)} a month. `}
        {isSubscriber
          ? `Your subscription renews on ${formatDate(renews)}.`
          : total > 0 && `A subscription from today would renew on ${formatDate(renews)}.`}
      </Text>
    </Stack>
  );
}

type CodeFieldProps = { applied: string; isBusy: boolean; error: string | undefined; onTry: (code: string) => void };

function CodeField({ applied, isBusy, error, onTry }: CodeFieldProps) {
  const [promotionText, setText] = useState(applied);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(promotionText.trim());
  };
  return (
    <form onSubmit={submit}>
      <FieldFrame id="promotion-code" label="Promotion code" hint="Trying a code here doesn’t use it up." error={error} optional>
        <div className={styles.code}>
          <TextInput
            id="promotion-code"
            small
            autoComplete="off"
            maxLength={80}
            value={promotionText}
            isInvalid={error !== undefined}
            aria-describedby={getDescribedBy('promotion-code', 'hint', error)}
            onChange={({ target }) => setText(target.value)}
          />
          <SubmitButton
            size="small"
            variant="outlined"
            isBusy={isBusy}
            missing={promotionText.trim() === '' && applied === '' ? 'Enter a code.' : undefined}
          >
            {promotionText.trim() === '' && applied !== '' ? 'Remove' : 'Apply'}
          </SubmitButton>
        </div>
      </FieldFrame>
    </form>
  );
}
