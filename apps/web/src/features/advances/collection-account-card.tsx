/** The account in the trader's own name that HMRC must repay into. Explains how to give it to HMRC and has a button to confirm that. */
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiRequest } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatSortCode } from '../../lib/format-sort-code.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InstantText } from '../../ui/date-text.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import type { AdvancePartProps } from './advance-part.ts';
import { mustGiveHmrcAccount } from './must-give-hmrc-account.ts';

type Account = NonNullable<AdvanceOutput['collection_account']>;

export function CollectionAccountCard({ advance, companyId, account }: AdvancePartProps & { account: Account }) {
  const toDo = mustGiveHmrcAccount(advance);
  return (
    <SectionCard
      title={toDo ? 'Tell HMRC to repay into this account' : 'Collection account'}
      aside={
        account.confirmed_at ? (
          <StateChip label="HMRC has it" icon="check" tone="success" />
        ) : toDo ? (
          <StateChip label="To do" icon="warning" tone="warning" />
        ) : undefined
      }
    >
      {toDo ? (
        <Typography sx={{ mb: 2, maxWidth: '68ch' }}>
          HMRC pays refunds only into an account in your own name. This one is in your name and receives this refund. We pay you as soon as
          HMRC holds it, so this is the last thing you have to do.
        </Typography>
      ) : null}
      <Box component="dl" sx={{ m: 0 }}>
        <Detail name="Name on the account" value={account.account_holder} />
        <Detail name="Sort code" value={formatSortCode(account.sort_code)} copy={account.sort_code.replaceAll('-', '')} />
        <Detail name="Account number" value={account.account_number} copy={account.account_number} />
      </Box>
      {account.confirmed_at ? (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 2 }}>
          You told us on <InstantText at={account.confirmed_at} /> that HMRC has this account.
        </Typography>
      ) : null}
      {toDo ? <CollectionAccountSteps advance={advance} companyId={companyId} account={account} /> : null}
    </SectionCard>
  );
}

function CollectionAccountSteps({ advance, companyId, account }: AdvancePartProps & { account: Account }) {
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => apiRequest(advancesApi.confirmCollectionAccount, { company_id: companyId, advance_id: advance.advance_id }),
    onSettled: () => queries.invalidateQueries({ queryKey: [advancesApi.find.path] }),
  });
  return (
    <>
      <Box component="ol" sx={{ mt: 2, mb: 0, pl: 3, listStyle: 'decimal', '& li': { mb: 0.5 } }}>
        <li>Open HMRC’s service and sign in with your Government Gateway.</li>
        <li>Choose to add or change the repayment bank account for VAT, and give the sort code and account number above.</li>
        <li>Come back and press “HMRC has this account now”.</li>
      </Box>
      {confirm.error ? (
        <Box sx={{ mt: 2 }}>
          <Notice tone="error" title="We could not note this" role="alert">
            {errorText(confirm.error)}
          </Notice>
        </Box>
      ) : null}
      <Box sx={{ mt: 2 }}>
        <ButtonRow>
          <Button
            variant="outlined"
            component="a"
            href={account.hmrc_service_url}
            target="_blank"
            rel="noreferrer"
            endIcon={<Icon name="openInNew" title="opens in a new tab" />}
          >
            Open HMRC’s service
          </Button>
          <Button onClick={() => confirm.mutate()} loading={confirm.isPending}>
            HMRC has this account now
          </Button>
        </ButtonRow>
      </Box>
    </>
  );
}

function Detail({ name, value, copy }: { name: string; value: string; copy?: string }) {
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 2,
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
        minHeight: 53,
      }}
    >
      <Typography component="dt" sx={{ color: 'text.secondary', flex: { xs: '1 0 100%', sm: '0 0 180px' } }}>
        {name}
      </Typography>
      <Box component="dd" sx={{ m: 0, flex: 1, display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <Typography
          component="span"
          sx={{
            fontWeight: 600,
            fontVariantNumeric: 'tabular-nums',
            ...(copy === undefined ? {} : { letterSpacing: '0.04em', whiteSpace: 'nowrap' }),
          }}
        >
          {value}
        </Typography>
        {copy === undefined ? null : <CopyButton text={copy} what={name.toLowerCase()} />}
      </Box>
    </Box>
  );
}
