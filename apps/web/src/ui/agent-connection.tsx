/** The practice's HMRC connection: its status, what it lets us see, and the link to HMRC's authorisation page. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { practiceApi, type PracticeProgress } from '@portal/contract/practice.ts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { apiRequest } from '../lib/api.ts';
import { errorText } from '../lib/error-text.ts';
import { DateText, InstantText } from './date-text.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { Notice, type NoticeTone } from './notice.tsx';
import { HmrcPermissions } from './hmrc-permissions.tsx';
import { londonDate } from '@portal/domain/clock.ts';

const ALLOWED = [
  'VAT of clients who have authorised you: what is due and filed, owed and paid',
  'Their Self Assessment: balance, payments, deadlines',
  'Requests of authority: sent and cancelled only when one of you presses the button',
  'Returns: filed only when one of you presses the button for one',
];
const NOT_ALLOWED = [
  'Your agent services user ID or password',
  'Clients who have not authorised your practice',
  'PAYE and corporation tax: HMRC’s service for agents’ software does not cover them, so you import statements',
];

type HmrcConnection = PracticeProgress['hmrc'];

type AgentConnectionProps = {
  companyId: string;
  arn: string | null;
  hmrc: HmrcConnection;
  returnTo: 'steps' | 'settings';
  /** Path of the page where the agent reference number is entered. */
  arnPath: string;
  /** Team members see the status but can't change the connection. */
  readOnly?: boolean;
  otherActions?: ReactNode;
};

export function AgentConnection({ companyId, arn, hmrc, returnTo, arnPath, readOnly = false, otherActions }: AgentConnectionProps) {
  const outcome = useSearchParams()[0].get('outcome');
  const connect = useMutation({
    mutationFn: () => apiRequest(practiceApi.connectHmrc, { company_id: companyId, return_to: returnTo }),
    onSuccess: ({ authorize_url }) => location.assign(authorize_url),
  });
  const leaving = connect.isPending || connect.isSuccess;
  const isConnected = hmrc.status === 'connected' || hmrc.status === 'ending';
  return (
    <>
      {connect.error !== null && <ErrorSummary errors={[{ field: undefined, message: errorText(connect.error) }]} />}
      <Box sx={{ mb: 3 }}>
        <ConnectionStatus hmrc={hmrc} arn={arn} outcome={outcome} />
      </Box>
      {!isConnected && <HmrcPermissions allowed={ALLOWED} notAllowed={NOT_ALLOWED} />}
      {!isConnected && arn !== null && !readOnly && (
        <Typography sx={{ mt: 3 }}>
          Log in with the user ID of agent services account <strong>{arn}</strong>. We never ask for its password, and no page of ours has a
          field for it.
        </Typography>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mt: isConnected ? 0 : 2 }}>
        {readOnly ? (
          <Typography sx={{ color: 'text.secondary' }}>Only an admin can change this connection.</Typography>
        ) : arn === null ? (
          <Button component={Link} to={arnPath}>
            Add the agent reference number
          </Button>
        ) : hmrc.status === 'connected' && returnTo === 'steps' ? null : (
          <Button onClick={() => connect.mutate()} disabled={leaving} variant={isConnected ? 'outlined' : 'contained'}>
            {leaving ? 'Going to HMRC ...' : isConnected || hmrc.status === 'lapsed' ? 'Connect again' : 'Connect HMRC'}
          </Button>
        )}
        {otherActions}
      </Box>
    </>
  );
}

type ConnectionMessage = { readonly tone: NoticeTone; readonly title: string; readonly text: ReactNode };

function ConnectionStatus({ hmrc, arn, outcome }: { hmrc: HmrcConnection; arn: string | null; outcome: string | null }) {
  const { tone, title, text } = getMessage(hmrc, arn, outcome);
  return (
    <Notice tone={tone} title={title} {...(outcome === null ? {} : { role: 'status' as const })}>
      {text}
    </Notice>
  );
}

function getMessage(hmrc: HmrcConnection, arn: string | null, outcome: string | null): ConnectionMessage {
  if (hmrc.status === 'connected' || hmrc.status === 'ending') return getConnectedMessage(hmrc, arn);
  const outcomeMessage = outcome === null || !Object.hasOwn(OUTCOMES, outcome) ? undefined : OUTCOMES[outcome];
  if (outcomeMessage !== undefined) return { ...outcomeMessage, text: outcomeMessage.text(arn ?? 'your practice') };
  if (arn === null) {
    return {
      tone: 'info',
      title: 'First your agent reference number',
      text: 'With it we can tell that the permission is that of your practice, and not of another one.',
    };
  }
  if (hmrc.status === 'lapsed') {
    return {
      tone: 'error',
      title: 'The connection has ended',
      text: 'HMRC ends every permission after 18 months, or earlier if it is taken back or the reference changes. The figures we have stay, with their dates; until you connect again there are no new ones.',
    };
  }
  if (hmrc.status === 'declined') {
    return {
      tone: 'warning',
      title: 'Last time, the permission was not given',
      text: 'Nothing was shared with us. Without it VAT and Self Assessment cannot be read from HMRC.',
    };
  }
  return {
    tone: 'info',
    title: 'HMRC is not connected yet',
    text: 'Until it is, VAT and Self Assessment cannot be read from HMRC. Everything else works.',
  };
}

function getConnectedMessage(hmrc: HmrcConnection, arn: string | null): ConnectionMessage {
  const isEnding = hmrc.status === 'ending';
  return {
    tone: isEnding ? 'warning' : 'success',
    title: isEnding ? 'The connection to HMRC ends soon' : 'HMRC is connected',
    text: (
      <>
        For agent services account {arn}
        {hmrc.connected_at !== null && (
          <>
            , since <InstantText at={hmrc.connected_at} />
          </>
        )}
        .
        {hmrc.ends_at !== null && (
          <>
            {' '}
            HMRC ends it on <DateText date={londonDate(hmrc.ends_at)} />
            {isEnding ? ': connect again before then.' : '.'}
          </>
        )}
      </>
    ),
  };
}

/** The `outcome` parameter that the browser brings back from HMRC. */
const OUTCOMES: Readonly<Record<string, Omit<ConnectionMessage, 'text'> & { readonly text: (arn: string) => string }>> = {
  declined: {
    tone: 'info',
    title: 'You said no at HMRC',
    text: () => 'Nothing was connected and we see nothing. You can connect now, or later from the settings.',
  },
  wrong_agency: {
    tone: 'warning',
    title: 'That HMRC login belongs to another agent services account',
    text: (arn) =>
      `It is not that of ${arn}. We kept nothing of it. Log out at HMRC and connect with the user ID of this practice, or correct the agent reference number.`,
  },
  not_an_agent: {
    tone: 'warning',
    title: 'That HMRC login has no agent services account',
    text: (arn) => `We kept nothing of it. Log out at HMRC and connect with the user ID of agent services account ${arn}.`,
  },
  failed: {
    tone: 'error',
    title: 'HMRC did not finish the connection',
    text: () => 'Nothing was connected, and nothing is lost. This is often over in a few minutes: connect again, or go on and do it later.',
  },
};
