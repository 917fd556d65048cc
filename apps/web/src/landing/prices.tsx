/**
 * A slider for the number of connections, its price, calculated by the same function as every invoice, and the public price list. Loads
 * only when the visitor scrolls near it, because it would be a tenth of the page's scripts.
 */
import { formatConnections } from '@portal/domain/pricing/format-connections.ts';
import { MAX_PRICED_CONNECTIONS } from '@portal/domain/pricing/price-list.ts';
import { calculatePricing, VAT_RATE_BPS, type Pricing } from '@portal/domain/pricing/calculate-pricing.ts';
import { calculateShare, formatPounds } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { useId, useState, type CSSProperties } from 'react';
import { TierTable } from '../components/pricing/tier-table.tsx';
import { formatCount } from '../components/pricing/tier-texts.ts';
import { parseIntegerInput } from '../lib/integer-input.ts';
import { getButtonClass } from '../ui/button-look.ts';
import { LabelledInput } from '../ui/labelled-input.tsx';
import { findStop, getConnections, LAST_STOP } from './connection-scale.ts';
import { ExampleLine } from './landing-sections.tsx';
import styles from './prices.module.css';
import { usePriceList, type PublicPrices } from './use-price-list.ts';

/** For example, 30 clients with VAT and Self Assessment. */
const DEFAULT_CONNECTIONS = 60;
/** The date affects only the renewal date, which isn't shown. */
const ANY_DAY = plainDate('2026-01-01');

export function Prices() {
  const { state, retry } = usePriceList();
  if (state === 'loading') return <p role="status">Loading prices</p>;
  if (state === 'failed') {
    return (
      <div role="alert">
        <p>We couldn’t load our prices. Check your internet connection and try again.</p>
        <button type="button" className={getButtonClass({ size: 'small', variant: 'outlined' })} onClick={retry}>
          Try again
        </button>
      </div>
    );
  }
  if (state.tiers.length === 0) return <p>We haven’t published our prices yet. Use the contact link below to ask us for a price.</p>;
  return <Calculator prices={state} />;
}

function Calculator({ prices }: { prices: PublicPrices }) {
  const [connections, setConnections] = useState(DEFAULT_CONNECTIONS);
  const pricing = calculatePricing({ list: prices, connections, discount: null, today: ANY_DAY, subscribedOn: ANY_DAY, change: null });
  const next = prices.tiers[prices.tiers.indexOf(pricing.tier) + 1];
  return (
    <>
      <div className={styles.columns}>
        <div>
          <ConnectionsInput connections={connections} onChange={setConnections} />
          {next && (
            <p className={styles.next}>
              {next.name} starts at {formatConnections(next.from)}
              {next.unitPence < pricing.tier.unitPence && `, with each additional connection at ${formatPounds(next.unitPence)}`}.
            </p>
          )}
        </div>
        <PriceResult pricing={pricing} connections={connections} />
      </div>
      <TierTable label="Tiers and prices per month, excluding VAT" tiers={prices.tiers} current={pricing.tier.name} currentLabel="Chosen" />
    </>
  );
}

function ConnectionsInput({ connections, onChange }: { connections: number; onChange: (connections: number) => void }) {
  const id = useId();
  // Keep the typed text in the field, even if it isn't a valid number of connections.
  const [connectionsText, setText] = useState(String(connections));
  const parsedInput = parseIntegerInput(connectionsText.replaceAll(',', ''));
  const isValid =
    parsedInput.ok && parsedInput.value !== undefined && parsedInput.value >= 0 && parsedInput.value <= MAX_PRICED_CONNECTIONS;
  return (
    <>
      <LabelledInput
        id={`${id}-number`}
        label="Number of connections"
        inputMode="numeric"
        autoComplete="off"
        widthInCharacters={8}
        value={connectionsText}
        error={isValid ? undefined : `Enter a whole number from 0 to ${formatCount(MAX_PRICED_CONNECTIONS)}`}
        onChange={({ target }) => {
          setText(target.value);
          const number = parseIntegerInput(target.value.replaceAll(',', ''));
          if (number.ok && number.value !== undefined && number.value >= 0 && number.value <= MAX_PRICED_CONNECTIONS)
            onChange(number.value);
        }}
      />
      <input
        type="range"
        className={styles.slider}
        aria-label="Number of connections, as a slider"
        aria-valuetext={formatConnections(connections)}
        min={0}
        max={LAST_STOP}
        value={findStop(connections)}
        style={{ '--filled': `${(findStop(connections) / LAST_STOP) * 100}%` } as CSSProperties}
        onChange={({ target }) => {
          const chosenCount = getConnections(Number(target.value));
          setText(String(chosenCount));
          onChange(chosenCount);
        }}
      />
      <div className={styles.ends} aria-hidden="true">
        <span>0</span>
        <span>{formatCount(getConnections(LAST_STOP))}</span>
      </div>
    </>
  );
}

function PriceResult({ pricing, connections }: { pricing: Pricing; connections: number }) {
  const { tier, basePence, connectionsPence, chargedConnections, netPence, vatPence, totalPence } = pricing;
  return (
    <div>
      <p className={styles.figure} role="status">
        <span className={styles.tier}>{tier.name}</span>
        <span className={styles.price}>{netPence === 0 ? 'Free' : formatPounds(netPence)}</span>
        {netPence > 0 && <span className={styles.month}> a month, plus VAT</span>}
      </p>
      <dl className={styles.lines}>
        <ExampleLine name={`Base price, ${formatConnections(tier.included)} included`} figure={formatPounds(basePence)} />
        <ExampleLine
          name={
            chargedConnections === 0
              ? 'Extra connections'
              : `${formatCount(chargedConnections)} more at ${formatPounds(tier.unitPence)} each`
          }
          figure={formatPounds(connectionsPence)}
        />
        <ExampleLine name={`VAT at ${VAT_RATE_BPS / 100}%`} figure={formatPounds(vatPence)} />
        <ExampleLine name="Total per month" figure={formatPounds(totalPence)} />
      </dl>
      <p className={styles.average}>
        {netPence === 0
          ? 'No payment method needed.'
          : `About ${formatPounds(calculateShare(netPence, 1, connections, 'half-away'))} per connection, excluding VAT.`}
      </p>
    </div>
  );
}
