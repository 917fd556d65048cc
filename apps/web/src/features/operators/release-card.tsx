/**
 * Releases a payout after showing its recipient and amount. The request includes both, so that nothing else can be released. The operator
 * who approved the payout can't release it; above the limit, two others must.
 */
import { formatInstant } from '@portal/domain/clock.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { useState } from 'react';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { sendWithIdempotencyKey } from '../../lib/idempotency-key.ts';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';
import { formatPayout, ReleaseAmounts } from './release-amounts.tsx';
import { useOperatorAction } from './use-operator-action.ts';

export function ReleaseCard({ data }: OperatorPartProps) {
  const { advance, company, releases, releases_needed: releasesNeeded } = data;
  const [confirming, setConfirming] = useState(false);
  const { net_pence, netted_pence, version } = advance;
  const shownTerms = { net_pence, netted_pence, version, bank_account_id: data.bank_account_id ?? '' };
  const { session } = useSession();
  const ownUserId = session.status === 'signed_in' ? session.person.user_id : undefined;
  // Count a second operator's release in the same browser as a separate decision, and also the release of a changed payout.
  const decision = `release:${advance.advance_id}:${ownUserId}:${releases.length}:${Object.values(shownTerms).join(':')}`;
  const actionMutation = useOperatorAction(data, () =>
    sendWithIdempotencyKey(decision, (idempotencyKey) =>
      apiRequest(
        operatorsApi.release,
        { ...shownTerms, company_id: company.company_id, advance_id: advance.advance_id },
        { idempotencyKey },
      ),
    ),
  );
  const paidAmount = formatPayout(advance);
  const account = advance.payout_account;
  const remaining = releasesNeeded - releases.length;
  const mayRelease = data.approved_by?.operator_id !== ownUserId && data.conflict_of_interest === null && account !== null;
  const hasReleased = releases.some((release) => release.operator_id === ownUserId);
  return (
    <SectionCard title="Release payout">
      <Stack>
        <KeyFigure
          figure={paidAmount}
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
          details={describeReleaseRule(releasesNeeded, data.approved_by?.operator)}
        />
        <ReleaseAmounts advance={advance} />
        {netted_pence > 0 && (
          <Text>If the trader pays some of what they owe before the payment is ordered, less is deducted and the bank pays more.</Text>
        )}
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
          releasesLeft={remaining}
          hasReleases={releases.length > 0}
          hasReleased={hasReleased}
          obstacle={data.approved_by?.operator_id === ownUserId ? OWN_APPROVAL : data.conflict_of_interest}
          heldUntil={data.held_until}
          error={actionMutation.error}
        />
        {remaining > 0 && !hasReleased && mayRelease && (
          <div>
            <Button onClick={() => setConfirming(true)}>Release {paidAmount}</Button>
          </div>
        )}
        {remaining <= 0 && <Text>Released. The payment will be sent once nothing else is holding it up.</Text>}
      </Stack>
      <ModalDialog
        open={confirming}
        small
        heading={`Release ${paidAmount}?`}
        loading={actionMutation.isPending}
        onClose={() => setConfirming(false)}
        actions={
          <>
            <Button variant="outlined" onClick={() => setConfirming(false)} disabled={actionMutation.isPending}>
              Cancel
            </Button>
            <Button
              isBusy={actionMutation.isPending}
              onClick={() => actionMutation.mutate(undefined, { onSettled: () => setConfirming(false) })}
            >
              Release payout
            </Button>
          </>
        }
      >
        <Stack>
          <ReleaseAmounts advance={advance} />
          <Text>
            The payment goes to{' '}
            {account
              ? `${account.account_holder}, ${formatSortCode(account.sort_code)}, account ending ${account.account_number_end}`
              : company.name}
            .{' '}
            {remaining > 1
              ? `This is the first of ${releasesNeeded} releases. No money is sent until another operator releases it too.`
              : 'You can’t reverse the payment.'}
          </Text>
        </Stack>
      </ModalDialog>
    </SectionCard>
  );
}

const OWN_APPROVAL = 'You approved this refund, so other operators must release the payout.';

/** Describes who may release the payout. */
function describeReleaseRule(releasesNeeded: number, approver: string | undefined): string {
  const exceptApprover = approver === undefined ? '' : ` other than ${approver}, who approved it,`;
  return releasesNeeded > 1
    ? `Above the limit for one person: ${releasesNeeded} operators${exceptApprover} must release it.`
    : `One operator${exceptApprover} must release it.`;
}

type ReleaseNoticesProps = {
  releasesLeft: number;
  hasReleases: boolean;
  /** Whether the current operator has released the payout. */
  hasReleased: boolean;
  /** Why the current operator may not release the payout, as a sentence, or null if they may. */
  obstacle: string | null;
  heldUntil: OperatorPartProps['data']['held_until'];
  error: Error | null;
};

function ReleaseNotices({ releasesLeft, hasReleases, hasReleased, obstacle, heldUntil, error }: ReleaseNoticesProps) {
  return (
    <>
      {releasesLeft > 0 && obstacle !== null && (
        <Notice tone="info" title="Someone else must release it">
          {obstacle}
        </Notice>
      )}
      {releasesLeft > 0 && hasReleases && (
        <Notice tone="warning" title={`Needs ${releasesLeft} more ${releasesLeft === 1 ? 'release' : 'releases'}`}>
          {hasReleased
            ? 'You’ve released this payout. A different operator must release it too.'
            : 'Each release must come from a different operator.'}
        </Notice>
      )}
      {heldUntil && (
        <Notice tone="warning" title={`On hold until ${formatInstant(heldUntil)}`}>
          The trader’s bank account was changed, so the payout is on hold for 24 hours. You can release it now. We’ll pay it when the hold
          ends.
        </Notice>
      )}
      {error && (
        <Notice tone="error" title="Payout not released" role="alert">
          {getErrorText(error)}
        </Notice>
      )}
    </>
  );
}
