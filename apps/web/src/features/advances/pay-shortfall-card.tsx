/** Explains how to pay a difference (by bank transfer, Direct Debit or instalments), or how to say that it isn’t owed. */
import { shortfallsApi, type ShortfallOutput } from '@portal/contract/shortfalls.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { isLiveMandate } from '@portal/domain/shortfalls/direct-debit.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { getMandateLabel } from '../../components/shortfalls/shortfall-labels.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { DetailList } from './detail-list.tsx';
import { DisputeDialog } from './dispute-dialog.tsx';
import { InstalmentsDialog } from './instalments-dialog.tsx';
import { OtherAccountNotice } from './other-account-notice.tsx';
import { SetUpDirectDebitButton } from './set-up-direct-debit-button.tsx';
import type { ShortfallPartProps } from './shortfall-part.ts';

export function PayShortfallCard({ shortfall, companyId }: ShortfallPartProps) {
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<'instalments' | 'dispute'>();
  const { next_payment: next } = shortfall;
  const isDue = shortfall.status === 'due';
  const close = (): void => {
    setDialog(undefined);
    void queryClient.invalidateQueries({ queryKey: [shortfallsApi.find.path] });
  };
  return (
    <SectionCard title="How to pay">
      <Stack gap={24}>
        {next && isDue && (
          <KeyFigure
            figure={formatPounds(next.amount_pence)}
            label={`${next.number === null ? 'To pay' : `Instalment ${next.number}`} by ${formatDate(next.due_on)}`}
          />
        )}
        {shortfall.pay_to && <TransferDetails shortfall={shortfall} account={shortfall.pay_to} />}
        <DirectDebitPart shortfall={shortfall} companyId={companyId} />
        {isDue && (
          <Row>
            {shortfall.may_pay_in_instalments && (
              <Button variant="outlined" onClick={() => setDialog('instalments')}>
                Pay in instalments
              </Button>
            )}
            <Button variant="text" fit="flush" onClick={() => setDialog('dispute')}>
              Dispute this amount
            </Button>
          </Row>
        )}
      </Stack>
      {dialog === 'instalments' && <InstalmentsDialog shortfall={shortfall} companyId={companyId} onClose={close} />}
      {dialog === 'dispute' && <DisputeDialog shortfall={shortfall} companyId={companyId} onClose={close} />}
    </SectionCard>
  );
}

function TransferDetails({ shortfall, account }: { shortfall: ShortfallOutput; account: NonNullable<ShortfallOutput['pay_to']> }) {
  return (
    <Stack gap={8}>
      <Heading level={3} size="part">
        Bank transfer
      </Heading>
      <Text measure>Quote the reference, so that we can match your payment. The account is the collection account in your name.</Text>
      <DetailList
        details={[
          { name: 'Reference', value: <CopyableLine text={shortfall.reference} what="reference" />, strong: true },
          { name: 'Name on the account', value: account.account_holder },
          {
            name: 'Sort code',
            value: <CopyableLine text={formatSortCode(account.sort_code)} copy={account.sort_code.replaceAll('-', '')} what="sort code" />,
          },
          { name: 'Account number', value: <CopyableLine text={account.account_number} what="account number" /> },
        ]}
      />
    </Stack>
  );
}

function CopyableLine({ text, copy = text, what }: { text: string; copy?: string; what: string }) {
  return (
    <Row as="span" gap={4}>
      <Text as="span" numeric>
        {text}
      </Text>
      <CopyButton text={copy} what={what} />
    </Row>
  );
}

function DirectDebitPart({ shortfall, companyId }: ShortfallPartProps) {
  const { mandate } = shortfall;
  if (!shortfall.offers_direct_debit) return null;
  const isSetUp = mandate !== null && isLiveMandate(mandate.status) && mandate.status !== 'requested';
  return (
    <Stack gap={8} align="start">
      <Heading level={3} size="part">
        Direct Debit
      </Heading>
      {isSetUp ? (
        <Text measure>
          {getMandateLabel(mandate.status)}
          {mandate.reference !== null && ` (reference ${mandate.reference})`}. We’ll email you the amount and date before each collection.
        </Text>
      ) : (
        <>
          <Text measure>
            We’ll collect what’s due and email you the amount and date before we do. You’re protected by the Direct Debit Guarantee.
          </Text>
          <OtherAccountNotice ending={mandate?.other_account_ending ?? null} />
          <SetUpDirectDebitButton companyId={companyId} obligationId={shortfall.obligation_id} />
        </>
      )}
    </Stack>
  );
}
