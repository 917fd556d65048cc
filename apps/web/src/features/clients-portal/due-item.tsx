/** One item that is due: what it is, its period, due date and amount, and how to pay it. */
import type { HmrcAccount, PortalItem } from '@portal/contract/client-portal.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { countDaysBetween, type PlainDate } from '@portal/domain/plain-date.ts';
import { MoneyText } from '../../components/formats/money-text.tsx';
import { clientDate, clientText } from '../../lib/client-texts/client-texts.ts';
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
              {clientText('due.period', { start: clientDate(start), end: clientDate(end) })}
            </Text>
          )}
          <Text size="small" tone={isOverdue ? 'error' : 'quiet'}>
            {isOverdue
              ? clientText('due.was', { date: clientDate(dueOn), count: countDaysBetween(dueOn, today) })
              : clientText('due.on', { date: clientDate(dueOn) })}
          </Text>
        </div>
        {what === 'payment' &&
          (amount === null ? (
            <Text size="small" tone="quiet">
              {clientText('due.unknown')}
            </Text>
          ) : (
            <MoneyText pence={amount} size="heading" />
          ))}
      </div>
      {what === 'payment' && account !== undefined && (
        <details className={styles.pay}>
          <summary>
            {clientText('pay.title')} <HiddenText>{clientText('pay.what', { what: name })}</HiddenText>
          </summary>
          <PaymentDetails item={item} account={account} />
        </details>
      )}
    </Stack>
  );
}

function PaymentDetails({ item: { tax, reference, amount_pence: amount }, account }: { item: PortalItem; account: HmrcAccount }) {
  const details = [
    ...(amount === null ? [] : [{ label: clientText('pay.amount'), text: formatPounds(amount), copied: (amount / 100).toFixed(2) }]),
    { label: clientText('pay.reference'), text: reference, copied: reference ?? '' },
    { label: clientText('pay.account_name'), text: account.name, copied: account.name },
    { label: clientText('pay.sort_code'), text: account.sort_code, copied: account.sort_code.replaceAll('-', '') },
    { label: clientText('pay.account_number'), text: account.account_number, copied: account.account_number },
  ];
  return (
    <Stack gap={12} className={styles.payDetails}>
      <Text size="small">{clientText('pay.how')}</Text>
      <dl className={styles.details}>
        {details.map(({ label, text, copied }) => (
          <div key={label} className={styles.detail}>
            <dt>{label}</dt>
            <dd>{text ?? clientText(tax === 'ct' ? 'pay.on_notice' : 'pay.ask')}</dd>
            {text !== null && (
              <dd className={styles.copy}>
                <CopyButton text={copied} what={label.toLowerCase()} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      <Text size="small" tone="quiet">
        {clientText('pay.verified', { date: clientDate(account.verified_on) })}{' '}
        <TextLink href={account.check_at} target="_blank" rel="noreferrer">
          {clientText('pay.check')}
        </TextLink>
      </Text>
    </Stack>
  );
}
