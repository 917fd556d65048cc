/** Releases a payout after showing the recipient and amount. Above the limit, a second operator must release it too. */
import { formatInstant } from '@portal/domain/clock.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSession } from '../../core/session.tsx';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { withIdempotencyKey } from '../../lib/idempotency-key.ts';
import { formatSortCode } from '../../lib/format-sort-code.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
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
    <SectionCard title="Release the payout">
      <KeyFigure
        figure={formatPounds(advance.net_pence)}
        label={
          account ? (
            <>
              to {account.account_holder},{' '}
              <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
                {formatSortCode(account.sort_code)}
              </Box>
              , account ending {account.account_number_end}
            </>
          ) : (
            'No bank account is known'
          )
        }
        details={needed > 1 ? `Above the limit: ${needed} different operators must release it.` : 'One operator releases it.'}
      />
      <Box component="ul" sx={{ listStyle: 'none', p: 0, my: 2, display: 'grid', gap: 0.5 }}>
        {releases.map((release) => (
          <li key={release.operator_id}>
            Released by {release.operator}, <InstantText at={release.at} />
          </li>
        ))}
      </Box>
      <ReleaseNotices
        left={left}
        someReleased={releases.length > 0}
        hasReleased={hasReleased}
        heldUntil={data.held_until}
        error={act.error}
      />
      {left > 0 && !hasReleased ? (
        <Button sx={{ mt: 2 }} onClick={() => setConfirming(true)}>
          Release {formatPounds(advance.net_pence)}
        </Button>
      ) : left > 0 ? null : (
        <Typography sx={{ mt: 1 }}>Released. The payment leaves as soon as nothing else holds it.</Typography>
      )}
      <ModalDialog
        open={confirming}
        small
        heading={`Release ${formatPounds(advance.net_pence)}?`}
        loading={act.isPending}
        onClose={() => setConfirming(false)}
        actions={
          <>
            <Button variant="outlined" onClick={() => setConfirming(false)} disabled={act.isPending}>
              Go back
            </Button>
            <Button loading={act.isPending} onClick={() => act.mutate(undefined, { onSettled: () => setConfirming(false) })}>
              Release
            </Button>
          </>
        }
      >
        <Typography>
          {left > 1
            ? `Your release is the first of ${needed}; no money leaves before a second operator releases it too.`
            : `The money goes to ${account?.account_holder ?? company.name} and cannot be called back.`}
        </Typography>
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
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {left > 0 && someReleased ? (
        <Notice
          tone="warning"
          title={`${hasReleased ? 'You released it. ' : ''}${left === 1 ? 'A second operator must release it' : `${left} more operators must release it`}`}
        >
          {hasReleased ? 'You need do nothing more.' : 'Whoever has released it already cannot do so again.'}
        </Notice>
      ) : null}
      {heldUntil ? (
        <Notice tone="warning" title={`Held until ${formatInstant(heldUntil)}`}>
          The trader’s bank account was changed, so the payout waits 24 hours. It can be released now and leaves when the hold ends.
        </Notice>
      ) : null}
      {error ? (
        <Notice tone="error" title="Not released" role="alert">
          {errorText(error)}
        </Notice>
      ) : null}
    </Box>
  );
}
