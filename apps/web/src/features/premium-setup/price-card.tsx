/** What the saved selection costs: tier, lines, VAT, and a promotion code tried out. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { pricingApi } from '@portal/contract/pricing.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formatConnections } from '../../components/pricing/tier-texts.ts';
import { apiQuery } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { describedBy, FieldFrame } from '../../ui/form-field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './premium-setup.module.css';

type Calculation = EndpointOutput<typeof pricingApi.calculate>;

export function PriceCard({ companyId }: { companyId: string }) {
  const [code, setCode] = useState('');
  const input = { company_id: companyId };
  const plain = useQuery({ ...apiQuery(pricingApi.calculate, input), placeholderData: keepPreviousData });
  const withCode = useQuery({ ...apiQuery(pricingApi.calculate, { ...input, promotion_code: code }), enabled: code !== '', retry: false });
  const tier = useQuery({ ...apiQuery(pricingApi.currentTier, input), placeholderData: keepPreviousData });
  const next = tier.data?.next_tier;
  return (
    <SectionCard title="Your price" className={styles.price}>
      <Stack>
        <LoadState query={plain}>
          {(calculation) => <Price calculation={code !== '' && withCode.data ? withCode.data : calculation} />}
        </LoadState>
        {next && (
          <Text size="small" tone="quiet">
            {next.name} begins at {formatConnections(next.from)}, with each extra one at {formatPounds(next.unit_price_pence)}.
          </Text>
        )}
        <CodeField
          applied={code}
          isBusy={code !== '' && withCode.isPending}
          error={code !== '' && withCode.error ? errorText(withCode.error) : undefined}
          onTry={setCode}
        />
        <Text size="small" tone="quiet">
          Your selection is saved as you choose. You can’t subscribe here yet: nothing is charged, and every connection keeps working.
        </Text>
      </Stack>
    </SectionCard>
  );
}

const LINE_NAMES = { base: 'Base price', connections: 'Extra connections', discount: 'Discount', vat: 'VAT' } as const;

function Price({ calculation }: { calculation: Calculation }) {
  const { tier_name: tier, lines, net_pence: net, total_pence: total, vat_rate_bps: vat, promotion, renews_on: renews } = calculation;
  return (
    <Stack>
      <div role="status">
        <KeyFigure
          figure={net === 0 && promotion === null ? 'Free' : formatPounds(net)}
          label={`${tier}, ${formatConnections(calculation.no_selected_connections)}${net === 0 ? '' : ', a month without VAT'}`}
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
          <dt>Total for the first month</dt>
          <dd>{formatPounds(total)}</dd>
        </div>
      </dl>
      <Text size="small" tone="quiet">
        {promotion?.months != null &&
          `The discount lasts ${promotion.months} ${promotion.months === 1 ? 'month' : 'months'}; then ${formatPounds(promotion.then_total_pence)} a month. `}
        {total > 0 && `A subscription from today would renew on ${formatDate(renews)}.`}
      </Text>
    </Stack>
  );
}

type CodeFieldProps = { applied: string; isBusy: boolean; error: string | undefined; onTry: (code: string) => void };

function CodeField({ applied, isBusy, error, onTry }: CodeFieldProps) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <FieldFrame id="promotion-code" label="Promotion code" hint="Trying it out doesn’t use it up." error={error} optional>
        <div className={styles.code}>
          <TextInput
            id="promotion-code"
            small
            autoComplete="off"
            maxLength={80}
            value={text}
            isInvalid={error !== undefined}
            aria-describedby={describedBy('promotion-code', 'hint', error)}
            onChange={({ target }) => setText(target.value)}
          />
          <Button type="submit" size="small" variant="outlined" isBusy={isBusy} disabled={text.trim() === '' && applied === ''}>
            {text.trim() === '' && applied !== '' ? 'Remove' : 'Apply'}
          </Button>
        </div>
      </FieldFrame>
    </form>
  );
}
