/** Releases a payout after showing the recipient and amount. Above the limit, a second operator must release it too. */
import { formatInstant } from '@portal/domain/clock.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useState } from 'react';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { withIdempotencyKey } from '../../lib/idempotency-key.ts';
import { formatSortCode } from '../../lib/format-sort-code.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { useOperatorAction } from './use-operator-action.ts';

export function ReleaseCard({ data }: OperatorPartProps) {
  const { advance, company, releases, releases_needed: needed } = data;
  const [confirming, setConfirming] = useState(false);
  // The number of releases so far is part of the key: a second operator's release in the same browser is another decision.
  const decision = `release:${advance.advance_id}:${releases.length}`;
  const act = useOperatorAction(data, () =>
    withIdempotencyKey(decision, (idempotencyKey) =>
      apiRequest(operatorsApi.release, { company_id: company.company_id, advance_id: advance.advance_id }, { idempotencyKey }),
    ),
  );
  const account = advance.payout_account;
  const left = needed - releases.length;
  const { session } = useSession();
  const me = session.status === 'signed_in' ? session.person.user_id : undefined;
  const hasReleased = releases.some((release) => release.operator_id === me);
  return (
    <SectionCard title="Release payout">
      <Stack>
        <KeyFigure
          figure={formatPounds(advance.net_pence)}
          label={
            account ? (
              <>
                to {account.account_holder},{' '}
                <Text as="span" numeric>
                  {formatSortCode(account.sort_code)}
                </Text>
                , account ending {account.account_number_end}
              </>
            ) : (
              'No bank account yet'
            )
          }
          details={needed > 1 ? `Above the limit for one operator, so it needs ${needed} releases.` : 'One operator can release it.'}
        />
        {releases.length > 0 && (
          <Stack as="ul" gap={4}>
            {releases.map((release) => (
              <li key={release.operator_id}>
                Released by {release.operator}, <InstantText at={release.at} />
              </li>
            ))}
          </Stack>
        )}
        <ReleaseNotices
          left={left}
          someReleased={releases.length > 0}
          hasReleased={hasReleased}
          heldUntil={data.held_until}
          error={act.error}
        />
        {left > 0 && !hasReleased && (
          <div>
            <Button onClick={() => setConfirming(true)}>Release {formatPounds(advance.net_pence)}</Button>
          </div>
        )}
        {left <= 0 && <Text>Released. The payment goes out as soon as nothing else holds it.</Text>}
      </Stack>
      <ModalDialog
        open={confirming}
        small
        heading={`Release ${formatPounds(advance.net_pence)}?`}
        loading={act.isPending}
        onClose={() => setConfirming(false)}
        actions={
          <>
            <Button variant="outlined" onClick={() => setConfirming(false)} disabled={act.isPending}>
              Cancel
            </Button>
            <Button isBusy={act.isPending} onClick={() => act.mutate(undefined, { onSettled: () => setConfirming(false) })}>
              Release payout
            </Button>
          </>
        }
      >
        <Text>
          {left > 1
            ? `This is the first of ${needed} releases. No money leaves until another operator releases it too.`
            : `The money goes to ${account?.account_holder ?? company.name}. You can’t reverse the payment.`}
        </Text>
      </ModalDialog>
    </SectionCard>
  );
}

type ReleaseNoticesProps = {
  left: number;
  someReleased: boolean;
  /** Whether the current operator has released it. */
  hasReleased: boolean;
  heldUntil: OperatorPartProps['data']['held_until'];
  error: Error | null;
};

function ReleaseNotices({ left, someReleased, hasReleased, heldUntil, error }: ReleaseNoticesProps) {
  return (
    <>
      {left > 0 && someReleased && (
        <Notice tone="warning" title={`Needs ${left} more ${left === 1 ? 'release' : 'releases'}`}>
          {hasReleased
            ? 'You’ve released this payout. A different operator must release it too.'
            : 'Each release must come from a different operator.'}
        </Notice>
      )}
      {heldUntil && (
        <Notice tone="warning" title={`On hold until ${formatInstant(heldUntil)}`}>
          The trader’s bank account was changed, so the payout waits 24 hours. You can release it now. We’ll pay it when the hold ends.
        </Notice>
      )}
      {error && (
        <Notice tone="error" title="Payout not released" role="alert">
          {errorText(error)}
        </Notice>
      )}
    </>
  );
}
