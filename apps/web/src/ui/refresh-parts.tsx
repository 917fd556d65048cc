/** The parts of a refresh status: the age of the figures, progress, waiting clients and failures. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { Refreshing, syncApi } from '@portal/contract/sync.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { getClientLink } from '../lib/client-labels.ts';
import { TAX_NAMES } from '../lib/tax-names.ts';
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';
import { InstantText } from './date-text.tsx';

type SyncData = EndpointOutput<typeof syncApi.syncData>;

export function FigureAges({ data }: { data: SyncData }) {
  const { oldest_read_at: oldest, newest_read_at: newest, never_read: neverRead, never_asked: withoutNino, clients } = data;
  if (newest === null || oldest === null) return `none of ${clients.toLocaleString('en-GB')} clients read yet`;
  return (
    <>
      read from HMRC <InstantText at={newest} />
      {oldest.slice(0, 16) !== newest.slice(0, 16) && (
        <>
          , the oldest <InstantText at={oldest} />
        </>
      )}
      {neverRead > 0 && `; ${neverRead.toLocaleString('en-GB')} of ${clients.toLocaleString('en-GB')} never`}
      {/* HMRC identifies clients by National Insurance number. These clients have none, so no refresh can read them. */}
      {withoutNino > 0 && ` (${withoutNino.toLocaleString('en-GB')} have no National Insurance number to ask by)`}
    </>
  );
}

/** Details shown during a refresh: why some clients wait, and the age of the current figures. */
export function RefreshDetails({ tax, data }: { tax: AgentTax; data: SyncData }) {
  return (
    <Box sx={{ mt: 0.75, color: 'text.secondary' }}>
      {data.waits.length > 0 && (
        <Box component="ul" aria-label={`Why clients wait for ${TAX_NAMES[tax]}`} sx={{ listStyle: 'none', m: 0, mb: 0.5, p: 0 }}>
          {data.waits.map(({ code, sentence, next, clients }) => (
            <li key={code}>
              <Box component="span" sx={{ fontWeight: 600, color: 'text.primary' }}>
                {clients.toLocaleString('en-GB')}: {sentence}
              </Box>{' '}
              {next}
            </li>
          ))}
        </Box>
      )}
      {data.newest_read_at !== null && (
        <>
          Until then you see what was <FigureAges data={data} />.
        </>
      )}
    </Box>
  );
}

export function RefreshProgress({ refreshing, tax }: { refreshing: Refreshing; tax: AgentTax }) {
  const counts = refreshing.run?.counts;
  const processed = counts === undefined ? 0 : counts.done + counts.failed;
  const percent = counts === undefined || counts.total === 0 ? 0 : (processed / counts.total) * 100;
  return (
    <>
      <Box sx={{ mb: 0.75, fontVariantNumeric: 'tabular-nums' }}>{refreshing.sentence}</Box>
      <LinearProgress
        variant="determinate"
        value={percent}
        aria-label={`${TAX_NAMES[tax]}: how much is read`}
        aria-valuetext={`${Math.round(percent)}%`}
        sx={{ height: 6, borderRadius: 3, bgcolor: 'primary.soft', '& .MuiLinearProgress-bar': { bgcolor: 'primary.tone' } }}
      />
    </>
  );
}

type FailuresProps = {
  companyId: string;
  failures: SyncData['failures'];
  retry: (() => void) | undefined;
  isBusy: boolean;
  disabledReasonId: string | undefined;
};

export function RefreshFailures({ companyId, failures, retry, isBusy, disabledReasonId }: FailuresProps) {
  return (
    <Box sx={{ mt: 1, pt: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box component="ul" aria-label="Why clients were not read" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
        {failures.map(({ code, sentence, next, clients, examples }) => (
          <li key={code}>
            <Box sx={{ fontWeight: 600 }}>
              {clients.toLocaleString('en-GB')}: {sentence}
            </Box>
            <Box sx={{ color: 'text.secondary' }}>
              {next} For example{' '}
              {examples.map(({ client_id: id, name }, place) => {
                const to = getClientLink(companyId, id);
                return (
                  <span key={id}>
                    {place > 0 && ', '}
                    {to === undefined ? (
                      name
                    ) : (
                      <Link component={RouterLink} to={to}>
                        {name}
                      </Link>
                    )}
                  </span>
                );
              })}
              .
            </Box>
          </li>
        ))}
      </Box>
      {retry && (
        <Button
          size="small"
          variant="text"
          disabled={isBusy || disabledReasonId !== undefined}
          aria-describedby={disabledReasonId}
          onClick={retry}
          sx={{ mt: 1 }}
        >
          Read these again
        </Button>
      )}
    </Box>
  );
}
