/** The account in the trader's own name that HMRC must repay into: how to give it to HMRC, and a button to confirm that they have. */
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import { ENDED_UNPAID_STATES, STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import type { AdvancePartProps } from './advance-part.ts';
import styles from './collection-account-card.module.css';
import { DetailList } from './detail-list.tsx';
import { listOtherSteps, needsHmrcAccount } from './must-give-hmrc-account.ts';

type Account = NonNullable<AdvanceOutput['collection_account']>;

export function CollectionAccountCard({ advance, companyId, account }: AdvancePartProps & { account: Account }) {
  const toDo = needsHmrcAccount(advance);
  const isUnused = ENDED_UNPAID_STATES.includes(advance.state);
  return (
    <SectionCard
      title={toDo ? 'Tell HMRC to repay into this account' : 'Collection account'}
      aside={
        account.confirmed_at ? (
          <StateChip label="Confirmed by you" icon="check" tone="success" />
        ) : toDo ? (
          <StateChip label="To do" icon="warning" tone="warning" />
        ) : undefined
      }
    >
      <Stack>
        {isUnused && (
          <Text measure>This account isn’t used any more. If HMRC repays into it, change that back to your own bank account.</Text>
        )}
        {toDo && (
          <Text measure>
            HMRC only pays refunds into an account in your own name. This account is in your name and receives this refund.{' '}
            {listOtherSteps(advance).length === 0
              ? 'We’ll pay you as soon as HMRC has it, so this is the last thing you need to do.'
              : 'We can’t pay you until HMRC has it.'}
          </Text>
        )}
        <DetailList
          details={[
            { name: 'Name on the account', value: <span>{account.account_holder}</span> },
            {
              name: 'Sort code',
              value: (
                <CopyableDigits text={formatSortCode(account.sort_code)} copy={account.sort_code.replaceAll('-', '')} what="sort code" />
              ),
            },
            {
              name: 'Account number',
              value: <CopyableDigits text={account.account_number} copy={account.account_number} what="account number" />,
            },
          ]}
        />
        <NeedsRight companyId={companyId} access="company.accept_advance">
          {account.confirmed_at && <ConfirmedStatement advance={advance} companyId={companyId} confirmedAt={account.confirmed_at} />}
          {toDo && <CollectionAccountSteps advance={advance} companyId={companyId} account={account} />}
        </NeedsRight>
      </Stack>
    </SectionCard>
  );
}

/** The trader's dated confirmation, which they can revoke until the payout is sent. */
function ConfirmedStatement({ advance, companyId, confirmedAt }: AdvancePartProps & { confirmedAt: NonNullable<Account['confirmed_at']> }) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => apiRequest(advancesApi.revokeCollectionAccount, { company_id: companyId, advance_id: advance.advance_id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  const isRevocable = STATES_BEFORE_PAYOUT.includes(advance.state);
  return (
    <>
      <Text size="small" tone="quiet">
        You confirmed on <InstantText at={confirmedAt} /> that you’ve given HMRC this account.
      </Text>
      {revoke.error && (
        <Notice tone="error" title="We couldn’t save this" role="alert">
          {getErrorText(revoke.error)}
        </Notice>
      )}
      {isRevocable && (
        <Button variant="text" size="small" fit="flush" onClick={() => revoke.mutate()} isBusy={revoke.isPending}>
          I haven’t given it to HMRC yet
        </Button>
      )}
    </>
  );
}

function CopyableDigits({ text, copy, what }: { text: string; copy: string; what: string }) {
  return (
    <>
      <span className={styles.digits}>{text}</span>
      <CopyButton text={copy} what={what} />
    </>
  );
}

function CollectionAccountSteps({ advance, companyId, account }: AdvancePartProps & { account: Account }) {
  const queryClient = useQueryClient();
  // The trader has to visit HMRC first, so that link is the primary button until they have opened it.
  const [hasOpened, setHasOpened] = useState(false);
  const confirm = useMutation({
    mutationFn: () => apiRequest(advancesApi.confirmCollectionAccount, { company_id: companyId, advance_id: advance.advance_id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  return (
    <>
      <ol className={styles.steps}>
        <li>Open HMRC’s service and sign in with your Government Gateway user ID.</li>
        <li>Choose to add or change the repayment bank account for VAT. Enter the sort code and account number above.</li>
        <li>Come back here and choose “I’ve given HMRC this account”. We record the date, and you can withdraw this until we pay you.</li>
      </ol>
      {confirm.error && (
        <Notice tone="error" title="We couldn’t save this" role="alert">
          {getErrorText(confirm.error)}
        </Notice>
      )}
      <Row>
        <Button
          variant={hasOpened ? 'outlined' : 'filled'}
          href={account.hmrc_service_url}
          target="_blank"
          rel="noreferrer"
          onClick={() => setHasOpened(true)}
        >
          Open HMRC’s service
          <Icon name="openInNew" title="opens in a new tab" size={20} />
        </Button>
        <Button variant={hasOpened ? 'filled' : 'text'} onClick={() => confirm.mutate()} isBusy={confirm.isPending}>
          I’ve given HMRC this account
        </Button>
      </Row>
    </>
  );
}
