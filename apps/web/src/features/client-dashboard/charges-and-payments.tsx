/**
 * Shows what HMRC has charged for one tax and what has been paid. For Self Assessment, this includes payments on account and the balancing
 * payment.
 */
import { formatPounds, pence } from '@portal/domain/money.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { periodText } from '../../lib/period-text.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './charges-and-payments.module.css';
import { toClientInput, type Charge, type ClientIds, type Payment, type TaxFigures } from './client-page.ts';
import { getChargesId } from './client-tabs.ts';
import { renderDateCell, renderMoneyCell, renderTextCell, renderSecondLine } from './figure-cells.tsx';
import { SmallTable, type SmallColumn } from './small-table.tsx';
import { SUMMARY_ENDPOINTS } from './summaries.ts';
import { useOpenedByHash } from './use-opened-by-hash.ts';

const KIND_LABELS = {
  tax: 'Tax',
  on_account: 'Payment on account',
  balancing: 'Balancing payment',
  penalty: 'Penalty',
  interest: 'Interest',
  credit: 'Credit',
} as const;

/**
 * Shows the amount left after credits are set off or, for a credit, the amount still to be repaid. An amount that HMRC has settled is shown
 * as cleared.
 */
export function renderOutstandingCell({ original_pence: original, outstanding_pence: outstanding, set_off_pence: setOff }: Charge) {
  if (outstanding === 0) return 'Cleared';
  const isCredit = original < 0;
  const remaining = pence(isCredit ? -outstanding - setOff : outstanding - setOff);
  return (
    <>
      {remaining === 0 ? (isCredit ? 'No refund due' : 'Nothing to pay') : renderMoneyCell(remaining)}
      {isCredit && remaining !== 0 && renderSecondLine('HMRC owes')}
      {setOff > 0 &&
        renderSecondLine(isCredit ? `${formatPounds(setOff)} set against tax owed` : `${formatPounds(setOff)} covered by a credit`)}
    </>
  );
}

/** Credits are negative in the API. Here a second line shows the direction instead. */
function renderAmountCell({ original_pence: original }: Charge) {
  return (
    <>
      {renderMoneyCell(pence(Math.abs(original)))}
      {original < 0 && renderSecondLine('HMRC owed')}
    </>
  );
}

/** HMRC gives the charges for all returns the same title, so show the period too. */
function renderChargeCell({ title, period_start: start, period_end: end }: Charge) {
  return (
    <>
      {title}
      {start !== null && end !== null && renderSecondLine(periodText(start, end, 'short'))}
    </>
  );
}

const CHARGE_COLUMNS: readonly SmallColumn<Charge>[] = [
  { title: 'Charge', cell: renderChargeCell },
  { title: 'Type', cell: (row) => KIND_LABELS[row.kind] },
  { title: 'Due', cell: (row) => renderDateCell(row.due_on) },
  { title: 'Amount', align: 'right', cell: renderAmountCell },
  { title: 'Outstanding', align: 'right', cell: renderOutstandingCell },
  { title: 'Days late', align: 'right', cell: (row) => renderTextCell(row.days_late > 0 ? row.days_late.toLocaleString('en-GB') : null) },
  {
    title: 'Our penalties estimate',
    align: 'right',
    cell: (row) => renderTextCell(row.penalty_pence > 0 ? formatPounds(row.penalty_pence) : null),
  },
  {
    title: 'Our interest estimate',
    align: 'right',
    cell: (row) => renderTextCell(row.interest_pence > 0 ? formatPounds(row.interest_pence) : null),
  },
];

const PAYMENT_COLUMNS: readonly SmallColumn<Payment & { readonly place: number }>[] = [
  { title: 'Received', cell: (row) => renderDateCell(row.received_on) },
  { title: 'Amount', align: 'right', cell: (row) => renderMoneyCell(row.amount_pence) },
  { title: 'Reference', cell: (row) => renderTextCell(row.reference) },
];

export function ChargesAndPayments({ ids, tax }: { ids: ClientIds; tax: TaxFigures['tax'] }) {
  // Uses the tax card's query. The card shows its loading and error states.
  const { data } = useQuery(apiQuery(SUMMARY_ENDPOINTS[tax], toClientInput(ids)));
  const detail = data?.detail;
  const rows = useOpenedByHash<HTMLDetailsElement>(getChargesId(tax), detail !== undefined);
  if (!detail || (detail.charges.length === 0 && detail.payments.length === 0)) return null;
  return (
    <SectionCard>
      <details ref={rows} id={getChargesId(tax)} className={styles.rows} open={tax === 'sa'}>
        <summary className={styles.title}>{TAX_NAMES[tax]}: charges and payments</summary>
        <Stack className={styles.content}>
          {detail.set_off_pence > 0 && (
            <Text>HMRC has set off {formatPounds(detail.set_off_pence)} that it owes the client against these charges.</Text>
          )}
          {detail.charges.length > 0 && (
            <SmallTable
              label={`${TAX_NAMES[tax]}, charges`}
              columns={CHARGE_COLUMNS}
              rows={detail.charges}
              getKey={(row) => row.key}
              getSource={(row) => row}
            />
          )}
          <Text weight="bold">Payments</Text>
          {detail.payments.length === 0 ? (
            <Text tone="quiet">No payments yet.</Text>
          ) : (
            <SmallTable
              label={`${TAX_NAMES[tax]}, payments`}
              columns={PAYMENT_COLUMNS}
              rows={detail.payments.map((payment, place) => ({ ...payment, place }))}
              getKey={(row) => String(row.place)}
              getSource={(row) => row}
            />
          )}
        </Stack>
      </details>
    </SectionCard>
  );
}
