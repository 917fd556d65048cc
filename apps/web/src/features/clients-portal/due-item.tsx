/** One item that is due: what, for which period, by when, how much, and how to pay it. */
import type { HmrcAccount, PortalItem } from '@portal/contract/client-portal.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { daysBetween, type PlainDate } from '@portal/domain/plain-date.ts';
import { DateText, PeriodText } from '../../components/formats/date-text.tsx';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './clients-portal.module.css';
import { describeItem } from './item-text.ts';

type DueItemProps = { item: PortalItem; account: HmrcAccount | undefined; today: PlainDate };

export function DueItem({ item, account, today }: DueItemProps) {
  const { what, due_on: dueOn, amount_pence: amount, period_start: start, period_end: end, is_overdue: isOverdue } = item;
  const name = describeItem(item);
  return (
    <Stack gap={8}>
      <div className={styles.head}>
        <div>
          <Text weight="medium">{name}</Text>
          {start !== null && end !== null && (
            <Text size="small" tone="quiet">
              For <PeriodText start={start} end={end} />
            </Text>
          )}
          <Text size="small" tone={isOverdue ? 'error' : 'quiet'}>
            {isOverdue ? 'Was due on ' : 'Due on '}
            <DateText date={dueOn} />
            {isOverdue && `, ${formatDays(daysBetween(dueOn, today))} ago`}
          </Text>
        </div>
        {what === 'payment' &&
          (amount === null ? (
            <Text size="small" tone="quiet">
              Amount not known yet
            </Text>
          ) : (
            <MoneyText pence={amount} size="heading" />
          ))}
      </div>
      {what === 'payment' && account !== undefined && (
        <details className={styles.pay}>
          <summary>
            How to pay <HiddenText>the {name}</HiddenText>
          </summary>
          <PaymentDetails item={item} account={account} />
        </details>
      )}
    </Stack>
  );
}

const formatDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

function PaymentDetails({ item: { tax, reference, amount_pence: amount }, account }: { item: PortalItem; account: HmrcAccount }) {
  const details = [
    ...(amount === null ? [] : [{ label: 'Amount', text: formatPounds(amount), copied: (amount / 100).toFixed(2) }]),
    { label: 'Payment reference', text: reference, copied: reference ?? '' },
    { label: 'Account name', text: account.name, copied: account.name },
    { label: 'Sort code', text: account.sort_code, copied: account.sort_code.replaceAll('-', '') },
    { label: 'Account number', text: account.account_number, copied: account.account_number },
  ];
  return (
    <Stack gap={12} className={styles.payDetails}>
      <Text size="small">Pay by bank transfer from your bank’s app or website:</Text>
      <dl className={styles.details}>
        {details.map(({ label, text, copied }) => (
          <div key={label} className={styles.detail}>
            <dt>{label}</dt>
            <dd>{text ?? (tax === 'ct' ? 'On HMRC’s payment notice: 17 characters, different for each period' : 'Ask your accountant')}</dd>
            {text !== null && (
              <dd className={styles.copy}>
                <CopyButton text={copied} what={label.toLowerCase()} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      <Text size="small" tone="quiet">
        Always use the reference, or HMRC can’t match your payment. Account details verified on <DateText date={account.verified_on} />:{' '}
        <TextLink href={account.check_at} target="_blank" rel="noreferrer">
          check them on GOV.UK
        </TextLink>{' '}
        before your first payment.
      </Text>
    </Stack>
  );
}
