/** The practice's HMRC connection: its status, what it lets us see, and the link to HMRC's authorisation page. */
import { practiceApi, type PracticeProgress } from '@portal/contract/practice.ts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { apiRequest } from '../lib/api.ts';
import { errorText } from '../lib/error-text.ts';
import { Button } from './button.tsx';
import { DateText, InstantText } from './date-text.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { Row, Stack } from './layout.tsx';
import { Notice, type NoticeTone } from './notice.tsx';
import { HmrcPermissions } from './hmrc-permissions.tsx';
import { Text } from './text.tsx';
import { londonDate } from '@portal/domain/clock.ts';

const ALLOWED = [
  'VAT of clients who have authorised you: what’s due and filed, owed and paid',
  'Their Self Assessment: balance, payments and deadlines',
  'Authorisation requests: created and cancelled only when one of you clicks the button',
  'Returns: each is filed only when one of you clicks the button',
];
const NOT_ALLOWED = [
  'Your agent services user ID or password',
  'Clients who haven’t authorised your practice',
  'PAYE and corporation tax: HMRC doesn’t share them with agents’ software, so you import statements',
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
    <Stack gap={24}>
      {connect.error !== null && <ErrorSummary errors={[{ field: undefined, message: errorText(connect.error) }]} />}
      <ConnectionStatus hmrc={hmrc} arn={arn} outcome={outcome} />
      {!isConnected && <HmrcPermissions allowed={ALLOWED} notAllowed={NOT_ALLOWED} />}
      {!isConnected && arn !== null && !readOnly && (
        <Text>
          Log in with the user ID of agent services account <strong>{arn}</strong>. You enter your password on HMRC’s website only. We never
          ask for it.
        </Text>
      )}
      <Row>
        {readOnly ? (
          <Text tone="quiet">Only an admin can change this connection.</Text>
        ) : arn === null ? (
          <Button to={arnPath}>Add agent reference number</Button>
        ) : hmrc.status === 'connected' && returnTo === 'steps' ? null : (
          <Button onClick={() => connect.mutate()} disabled={leaving} variant={isConnected ? 'outlined' : 'filled'}>
            {leaving ? 'Opening HMRC …' : isConnected || hmrc.status === 'lapsed' ? 'Reconnect HMRC' : 'Connect HMRC'}
          </Button>
        )}
        {otherActions}
      </Row>
    </Stack>
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
      title: 'Add your agent reference number first',
      text: 'We use it to check that the permission is for your practice.',
    };
  }
  if (hmrc.status === 'lapsed') {
    return {
      tone: 'error',
      title: 'Your HMRC connection has ended',
      text: 'HMRC ends every permission after 18 months, or earlier if it’s withdrawn or your reference changes. Your existing figures are still available. Reconnect to get new ones.',
    };
  }
  if (hmrc.status === 'declined') {
    return {
      tone: 'warning',
      title: 'You didn’t give permission last time',
      text: 'Nothing was shared with us. Without permission, we can’t get VAT and Self Assessment figures from HMRC.',
    };
  }
  return {
    tone: 'info',
    title: 'HMRC isn’t connected yet',
    text: 'Until you connect it, we can’t get VAT and Self Assessment figures from HMRC. Everything else works.',
  };
}

function getConnectedMessage(hmrc: HmrcConnection, arn: string | null): ConnectionMessage {
  const isEnding = hmrc.status === 'ending';
  return {
    tone: isEnding ? 'warning' : 'success',
    title: isEnding ? 'Your HMRC connection ends soon' : 'HMRC is connected',
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
            It ends on <DateText date={londonDate(hmrc.ends_at)} />.{isEnding && ' Reconnect before then.'}
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
    title: 'You didn’t give permission',
    text: () => 'Nothing was connected, and we can’t see any data. You can connect now, or later in settings.',
  },
  wrong_agency: {
    tone: 'warning',
    title: 'That HMRC login belongs to another agent services account',
    text: (arn) =>
      `It isn’t the one for ${arn}. We didn’t save anything from it. Log out on HMRC’s website and connect with this practice’s user ID, or correct the agent reference number.`,
  },
  not_an_agent: {
    tone: 'warning',
    title: 'That HMRC login has no agent services account',
    text: (arn) =>
      `We didn’t save anything from it. Log out on HMRC’s website and connect with the user ID of agent services account ${arn}.`,
  },
  failed: {
    tone: 'error',
    title: 'HMRC didn’t complete the connection',
    text: () => 'Nothing was connected, and nothing is lost. Try again in a few minutes, or continue and connect later.',
  },
};
